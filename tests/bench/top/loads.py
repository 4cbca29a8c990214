# SPDX-License-Identifier: BSD-2-Clause
"""The servers that top.py measures: demo-server, kv (kv.c), smbd.

A load has the file with the probes of its requests, the tracers that it can be
traced by, and run(), which returns how many requests there were and how much
processor time the server took for them, in nanoseconds. For smbd these are
files: clients differ in what they ask for.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "demo"))
sys.path.insert(0, str(HERE.parent / "samba"))

import demo_server      # noqa: E402
import smbd_server      # noqa: E402
from tracers import mapped      # noqa: E402

# What tsmbd counts for all requests, in bpftrace. bpftrace 0.17 has no arg10,
# in which in_bytes is.
SMB2_SCRIPT = """
usdt:%(file)s:smb2:request_start {
	@start[arg2] = nsecs; @op[arg2] = arg1;
}
usdt:%(file)s:smb2:request_end /@start[arg3]/ {
	$op = @op[arg3];
	$us = (nsecs - @start[arg3]) / 1000;
	@count[$op] = count(); @sum[$op] = sum($us); @max[$op] = max($us);
	@us[$op] = hist($us);
	@bytes_out[$op] = sum(arg4);
	if (arg2 != 0) { @errors[$op] = count(); }
	delete(@start[arg3]); delete(@op[arg3]);
}
"""
KV_SCRIPT = """
usdt:%(file)s:kv:request_start {
	@start[arg0] = nsecs; @op[arg0] = arg1; @bytes_in[arg1] = sum(arg2);
}
usdt:%(file)s:kv:request_end /@start[arg0]/ {
	$op = @op[arg0];
	$us = (nsecs - @start[arg0]) / 1000;
	@count[$op] = count(); @sum[$op] = sum($us); @max[$op] = max($us);
	@us[$op] = hist($us);
	@bytes_out[$op] = sum(arg2);
	if (arg1 != 0) { @errors[$op] = count(); }
	delete(@start[arg0]); delete(@op[arg0]);
}
"""


def processor_ns(pid):
    """Processor time of all threads of a process, and of the children that it
    has waited for."""
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text()
    ticks = sum(map(int, fields.rpartition(")")[2].split()[13:15]))
    spent = ticks * 1e9 / os.sysconf("SC_CLK_TCK")
    for thread in pathlib.Path("/proc/%d/task" % pid).iterdir():
        spent += int((thread / "schedstat").read_text().split()[0])
    return spent


class Demo:
    """demo-server, and demo-client, which stores files and reads them."""

    name = "demo-server"
    unit = "request"

    def __init__(self, options, folder):
        self.files = options.files
        self.build = options.build
        self.server = demo_server.Server(options.build, folder / "served",
                                         folder / "log", "bench-server")
        self.file = self.server.program
        self.pid = self.server.pid

    def tracers(self):
        return {"sdtkit top": [self.file, "smb2:request"],
                "tsmbd": ["-f", self.file],
                "bpftrace": SMB2_SCRIPT % {"file": self.file}}

    def run(self):
        before = processor_ns(self.pid)
        result = self.server.client("--files", str(self.files), "--json")
        assert result.returncode == 0, result.stderr
        while self.server.children():
            time.sleep(0.01)
        requests = json.loads(result.stdout)["requests"].values()
        return (sum(count["answered"] for count in requests),
                processor_ns(self.pid) - before)

    def stop(self):
        self.server.stop()
        self.server.process.stdout.close()


class KeyValue:
    """kv.c: one thread, eight clients, a few microseconds for a request."""

    name = "kv"
    unit = "request"

    def __init__(self, options, folder):
        self.count = options.requests
        header = folder / "kv_probes.h"
        subprocess.run([sys.executable, str(SOURCE / "probegen"), "-s",
                        str(HERE / "kv.d"), "-o", str(header)], check=True)
        self.file = folder / "kv"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-Wall", "-Werror",
                        "-I", str(folder), "-I", str(SOURCE / "include"),
                        str(HERE / "kv.c"), "-o", str(self.file)], check=True)
        self.process = subprocess.Popen([str(self.file)],
                                        stdout=subprocess.PIPE,
                                        universal_newlines=True)
        self.port = self.process.stdout.readline().strip()

    def tracers(self):
        return {"sdtkit top": [self.file, "kv:request"],
                "bpftrace": KV_SCRIPT % {"file": self.file}}

    def run(self):
        before = processor_ns(self.process.pid)
        done = subprocess.run([str(self.file), self.port, "8",
                               str(self.count)], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True)
        return int(done.stdout), processor_ns(self.process.pid) - before

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Samba:
    """smbd, and smbclient, which uploads small files."""

    name = "smbd"
    unit = "file"

    def __init__(self, options, folder):
        self.files = options.files
        source = smbd_server.fill(folder / "files", self.files, 10240,
                                  self.files)
        self.server = smbd_server.Server(options.samba, folder / "smbd",
                                         source)
        self.server.upload()    # caches are warm after that
        # bpftrace 0.17 takes no path with a "+"
        self.file = folder / "library"
        self.file.symlink_to(mapped(self.server.pid, "libsmbd-base"))

    def tracers(self):
        pid = str(self.server.pid)
        return {"sdtkit top": ["-p", pid, "smb2:request"],
                "tsmbd": ["-p", pid],
                "bpftrace": SMB2_SCRIPT % {"file": self.file}}

    def run(self):
        _, seconds = self.server.upload()
        return self.files, seconds * 1e9

    def stop(self):
        self.server.smbd.stop()


def chosen(options):
    """The loads that can run here."""
    if options.samba is None or shutil.which("smbclient") is None:
        print("top.py: smbd is left out: it needs smbclient, and --samba",
              file=sys.stderr)
        return [Demo, KeyValue]
    return [Demo, KeyValue, Samba]
