# SPDX-License-Identifier: BSD-2-Clause
"""What a request costs the demo server under sdtkit top, tsmbd and a bpftrace
script that counts the same: processor time of the server for each request, and
time of the programs in the kernel for each hit of the probes of requests.

All variants take turns, so that they see the same machine. The figure is the
least of the rounds, for whatever disturbs them only adds; the median is beside
it, then the ratio to tsmbd. Run as root, after `./dev build`:

    python3 tests/bench/top.py [--rounds N] [--files N] [--build DIRECTORY]
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests" / "demo"))

from demo_server import LIMIT, Server   # noqa: E402

STATS = pathlib.Path("/proc/sys/kernel/bpf_stats_enabled")
SPAN = ("request: request_start..request_end key=req name=opcode "
        "error=status sum=in_bytes,out_bytes")
# bpftrace 0.17 has no arg10, in which in_bytes is
SCRIPT = """
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
BEGIN { printf("Collecting\\n"); }
"""


def commands(build, server, folder):
    """variant: what to run, and where it says that it has attached."""
    script = folder / "requests.bt"
    script.write_text(SCRIPT % {"file": server.program})
    found = {
        "no tracer": None,
        "sdtkit top": [build / "lib" / "tool" / "sdtkit", "top",
                       server.program, "--span", SPAN, "smb2:request"],
        "tsmbd": [build / "examples" / "tsmbd" / "tsmbd", "-f",
                  server.program],
    }
    if shutil.which("bpftrace"):
        found["bpftrace"] = ["bpftrace", script]
    return found


def start(command, log):
    """Returns it when it has attached."""
    with log.open("w") as output:
        process = subprocess.Popen([str(word) for word in command],
                                   stdout=output, stderr=output)
    end = time.monotonic() + LIMIT
    while "Collecting" not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)
    # bpftrace attaches the other probes behind BEGIN
    time.sleep(1)
    return process


def end(process):
    process.send_signal(signal.SIGINT)
    process.wait(LIMIT)


def processor_ns(pid):
    """Time of a process and of the children that it has waited for."""
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text()
    ticks = sum(map(int, fields.rpartition(")")[2].split()[11:15]))
    return ticks * 1e9 / os.sysconf("SC_CLK_TCK")


def hits():
    """(runs, nanoseconds) of the programs at the probes of requests."""
    names = {"hit", "request_start", "request_end", "usdt"}
    runs = time_ns = 0
    output = subprocess.run(["bpftool", "--json", "prog", "show"], check=True,
                            stdout=subprocess.PIPE).stdout
    for program in json.loads(output):
        name = re.sub(r"^usdt_.*", "usdt", program.get("name", ""))
        # others that trace something meanwhile have few runs
        if name in names and program.get("run_cnt", 0) > 1000:
            runs += program["run_cnt"]
            time_ns += program["run_time_ns"]
    return runs, time_ns


def measure(server, command, log, files):
    """(us of the processor for a request, ns of a program for a hit)"""
    tracer = start(command, log) if command else None
    try:
        STATS.write_text("1")
        before = processor_ns(server.pid)
        result = server.client("--files", str(files), "--json")
        assert result.returncode == 0, result.stderr
        while server.children():
            time.sleep(0.01)
        spent = processor_ns(server.pid) - before
        runs, time_ns = hits() if tracer else (0, 0)
    finally:
        STATS.write_text("0")
        if tracer:
            end(tracer)
    requests = sum(count["answered"] for count in
                   json.loads(result.stdout)["requests"].values())
    return spent / requests / 1000, time_ns / runs if runs else 0


def show(what, numbers, base):
    least = {name: min(values) for name, values in numbers.items()}
    for name, values in numbers.items():
        if least[name]:
            print("| %s | %s | %.2f (%.2f) | %.2f |" % (
                what, name, least[name], statistics.median(values),
                least[name] / least[base]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get(
        "SDTKIT_BUILD", SOURCE / "build"))
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("top.py needs root: nothing has been measured")
        return
    build = pathlib.Path(options.build).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = Server(build, folder / "served", folder / "log",
                        "bench-server")
        variants = commands(build, server, folder)
        requests = {name: [] for name in variants}
        programs = {name: [] for name in variants}
        for _ in range(options.rounds):
            for name, command in variants.items():
                us, ns = measure(server, command, folder / "tracer",
                                 options.files)
                requests[name].append(us)
                programs[name].append(ns)
        server.stop()
        server.process.stdout.close()
    print("| what | by | least (median) | to tsmbd |\n%s|" % ("| --- " * 4))
    show("us of the processor for a request", requests, "tsmbd")
    show("ns of a program for a hit", programs, "tsmbd")


if __name__ == "__main__":
    main()
