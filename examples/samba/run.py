#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""run.py - a real smbd with the probes, from the source package to a report.

    ./dev samba            or      examples/samba/run.py [--tree TREE]

1. Debian's source package of Samba is fetched, gets the probes, is built.
2. `sdtkit check` holds what was built against the descriptions.
3. smbd runs in a temporary directory, on a port of its own; smbclient uploads,
   lists, downloads and deletes files; bpftrace traces examples/reports/smb2.bt.
4. Its counts have to equal those of relay.py, which counts on the wire.

Without root or BPF the third and fourth part are left out, which is said, and
with SDTKIT_REQUIRE_TRACERS=1 is an error. Environment: SDTKIT_BUILD, where
sdtkit is built; SDTKIT_SAMBA, where Samba's source and build are kept (samba
below that); SAMBA_FILES, how many files (200). Exit status: 0 all was well, 1
something was not.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import relay  # noqa: E402
import source  # noqa: E402

SDTKIT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
CACHE = pathlib.Path(os.environ.get("SDTKIT_SAMBA", BUILD / "samba")).resolve()
FILES = int(os.environ.get("SAMBA_FILES", "200"))
SIZE = 10240
WAIT = 120	# seconds at most, for smbd to listen or bpftrace to attach

# What holds probes beside smbd: libraries in bin/shared of a tree, and the
# provider that is missed with them, where not all of Samba was built.
HOLDERS = [
    ("libsmbd-base[.-]*", None), ("libsmbconf[.-]*", None),
    ("libdbwrap[.-]*", None), ("libsamba-cluster-support[.-]*", "ctdb"),
    ("libtevent.so*", "tevent"), ("libtevent-*samba*", "tevent"),
]

CONFIGURATION = """[global]
	server role = standalone server
	map to guest = Bad User
	guest account = root
	smb ports = {port}
	interfaces = lo
	bind interfaces only = yes
	private dir = {top}/private
	lock directory = {top}/lock
	state directory = {top}/state
	cache directory = {top}/cache
	pid directory = {top}/pid
	ncalrpc dir = {top}/ncalrpc
	log file = {top}/log.%m
	disable spoolss = yes
	load printers = no
	printing = bsd
	rpc start on demand helpers = no
[share]
	path = {top}/share
	read only = no
	guest ok = yes
"""


def title(text):
    print("\n== %s" % text, flush=True)


def holders(tree, without):
    """The files with probes: smbd, and those of its libraries."""
    binaries = tree / "bin"
    found = [(binaries / "smbd").resolve()]
    for pattern, provider in HOLDERS:
        if provider and provider in without:
            continue
        for path in sorted(binaries.glob("shared/**/" + pattern)):
            if path.resolve() not in found:
                found.append(path.resolve())
    return found


def check(files, without):
    """Every probe of the descriptions is in one of the files."""
    title("sdtkit check")
    names = sorted(p.name for p in (SDTKIT / "providers").iterdir()
                   if p.is_dir() and p.name not in without)
    command = [str(BUILD / "lib/tool/sdtkit"), "check",
               "--ignore=PROVIDER_DIGIT,TOO_MANY_ARGUMENTS"]
    for name in names:
        command.append("--against=%s" % (
            SDTKIT / "providers" / name / (name + ".d")))
    done = subprocess.run(command + [str(f) for f in files])
    if done.returncode:
        raise source.Failed("sdtkit check: exit status %d" % done.returncode)


def until(condition, what, process):
    deadline = time.time() + WAIT
    while not condition():
        if time.time() > deadline or process.poll() is not None:
            raise source.Failed(what)
        time.sleep(0.1)


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Smbd:
    """A server in a directory of its own, and its children."""

    def __init__(self, binary, top):
        self.top = top
        self.port = free_port()
        for name in ("private", "lock", "state", "cache", "pid", "ncalrpc",
                     "share"):
            (top / name).mkdir()
        (top / "smb.conf").write_text(CONFIGURATION.format(
            port=self.port, top=top))
        self.log = open(str(top / "smbd.log"), "w")
        self.process = subprocess.Popen(
            [str(binary), "-s", str(top / "smb.conf"), "-F",
             "--no-process-group", "--debug-stdout"],
            stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        until(lambda: is_listening(self.port), "smbd does not listen: %s" %
              (top / "smbd.log").read_text()[-2000:], self.process)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        finally:
            try:	# its session holds what is left of its children
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.log.close()


class Report:
    """examples/reports/smb2.bt on one library."""

    def __init__(self, library, top):
        self.path = top / "report"
        self.out = open(str(self.path), "w")
        self.process = subprocess.Popen(
            ["bpftrace", "-B", "none",
             str(SDTKIT / "examples/reports/smb2.bt"), str(library)],
            stdout=self.out, stderr=subprocess.STDOUT)
        try:
            until(lambda: "Tracing" in self.path.read_text(), "", self.process)
        except source.Failed:
            self.stop()
            raise source.Failed("bpftrace: %s" % self.path.read_text()[-500:])

    def stop(self):
        for _ in range(5):	# 0.17 misses a signal while it prints
            if self.process.poll() is not None:
                break
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                pass
        else:
            self.process.kill()
            self.process.wait()
        self.out.close()
        return self.path.read_text()


def drive(port, top):
    """What a user does: files there, a listing, files back, all deleted."""
    there, back = top / "there", top / "back"
    there.mkdir()
    back.mkdir()
    for number in range(FILES):
        (there / ("f%d" % number)).write_bytes(os.urandom(SIZE))
    commands = ("prompt; mkdir d; cd d; lcd {}; mput f*; ls; lcd {}; mget f*; "
                "del f*; cd \\; rmdir d".format(there, back))
    begun = time.time()
    done = subprocess.run(
        ["smbclient", "//127.0.0.1/share", "-p", str(port), "-N", "-mSMB3",
         "-t", "60", "-c", commands],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    taken = time.time() - begun
    if done.returncode:
        raise source.Failed("smbclient: %s" % done.stdout[-1000:])
    for path in there.iterdir():
        if (back / path.name).read_bytes() != path.read_bytes():
            raise source.Failed("%s came back changed" % path.name)
    print("%d files of %d bytes there and back: %.1f s" % (
        FILES, SIZE, taken))


def compare(report, counts):
    """Raises Failed if the tracer and the wire do not agree."""
    title("requests: the tracer's count and the wire's")
    traced = {name: int(count) for name, count in re.findall(
        r"^@requests\[(\w+)\]: count (\d+)", report, re.MULTILINE)}
    wrong = False
    for name in sorted(set(traced) | set(counts)):
        if name == "CANCEL":		# has no end
            continue
        same = traced.get(name, 0) == counts[name]
        wrong = wrong or not same
        print("%-16s %6d %6d%s" % (name, traced.get(name, 0), counts[name],
                                   "" if same else "   DIFFERENT"))
    if wrong or not counts:
        raise source.Failed("the counts differ")
    if counts["WRITE"] < FILES or counts["READ"] < FILES:
        raise source.Failed("fewer READs or WRITEs than files")


def untraceable():
    if os.geteuid() != 0:
        return "not root"
    for command in ("bpftrace", "smbclient"):
        if not shutil.which(command):
            return "%s is not installed" % command
    return None


def trace(files):
    why = untraceable()
    if why:
        if os.environ.get("SDTKIT_REQUIRE_TRACERS") == "1":
            raise source.Failed("not traced: " + why)
        print("\nNot traced: %s." % why)
        return
    library = next(f for f in files if f.name.startswith("libsmbd-base"))
    title("a session, traced: bpftrace examples/reports/smb2.bt %s" % library)
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        smbd = Smbd(files[0], top)
        try:
            report = Report(library, top)
            try:
                wire = relay.Relay(smbd.port)
                drive(wire.port, top)
                wire.close()
                time.sleep(1)	# the client's child of smbd says good-bye
            finally:
                text = report.stop()
        finally:
            smbd.stop()
    print(text.strip())
    compare(text, wire.counts)


def main(argv):
    parser = argparse.ArgumentParser(
        description="Builds an smbd with probes and traces it.")
    parser.add_argument("--tree", type=pathlib.Path,
                        help="a tree with probes that is built already")
    parser.add_argument("--without", action="append", default=[],
                        choices=("ctdb", "tevent"), help="the tree was built "
                        "without its probes, with the system's libtevent say")
    options = parser.parse_args(argv)
    try:
        title("Samba with probes")
        if not options.tree:
            CACHE.mkdir(parents=True, exist_ok=True)
        tree = options.tree or source.build(CACHE)
        files = holders(tree.resolve(), options.without)
        check(files, options.without)
        trace(files)
    except (source.Failed, OSError) as error:
        print("\nsamba: %s" % error, file=sys.stderr)
        return 1
    title("All went well: patched, built, checked, traced, counts equal")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
