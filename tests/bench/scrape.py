# SPDX-License-Identifier: BSD-2-Clause
"""What a scrape of tsmbd's metrics costs: with as many series as there may be,
while a server is under load, and how many instructions it takes to write them.

The time is what a client waits: to connect, for tsmbd to answer, and to read
all of it. On a busy machine most of the longest times is waiting for a CPU. So
the time that the thread that answers ran, and that it was ready to run and had
no CPU, are printed too (/proc/PID/task/TID/schedstat). Run as root, after
`./dev build`:

    python3 tests/bench/scrape.py [--scrapes N] [--build DIRECTORY]
"""

import argparse
import http.client
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(SOURCE / "tests" / name) for name in ("demo", "tsmbd")]

from actor import Actor, compile_actor  # noqa: E402
from demo_server import LIMIT           # noqa: E402
from openmetrics import Metrics         # noqa: E402

REPEAT = 1000000


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def acts():
    """Requests of 60 shares and users, most of them with an own failure."""
    for i in range(60):
        yield from ("share:s%d" % i, "user:u%d" % i, "from:0")
        for opcode in 5, 6, 8, 9, 16:
            yield from ("begin:%d" % opcode, "end:%d" % (0xc0010000 + i))


def get(port, accept):
    begin = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    connection.request("GET", "/metrics", headers={"Accept": accept})
    data = connection.getresponse().read()
    connection.close()
    return (time.perf_counter() - begin) * 1e3, data


def answering(pid):
    """The thread that answers: it is not the first one."""
    tids = [int(tid) for tid in os.listdir("/proc/%d/task" % pid)
            if int(tid) != pid]
    assert len(tids) == 1, tids
    return "/proc/%d/task/%d/schedstat" % (pid, tids[0])


def schedstat(path):
    """What a thread ran, and waited for a CPU, in ms."""
    with open(path) as file:
        return [int(word) / 1e6 for word in file.read().split()[:2]]


def scrape(port, count, accept, thread):
    """Each comes after a new report, so its text has to be made; returns the
    times that the client waited, and that the thread ran and waited."""
    times = []
    for _ in range(count):
        before = schedstat(thread)
        ms, data = get(port, accept)
        time.sleep(0.15)
        times.append((ms, *(now - then for now, then in
                            zip(schedstat(thread), before))))
    return list(zip(*times)), data


def in_words(times):
    times = sorted(times)
    return "median %6.2f ms, p99 %6.2f ms, longest %6.2f ms" % (
        statistics.median(times), times[len(times) * 99 // 100], times[-1])


def instructions(program):
    """Those of one answer: a tenth of what 11 take more than 1."""
    counts = []
    for times in "1", "11":
        done = subprocess.run(
            ["valgrind", "--tool=callgrind",
             "--callgrind-out-file=/dev/null", program, times],
            stderr=subprocess.PIPE, universal_newlines=True, check=True)
        counts.append(int(re.search(r"Collected : (\d+)",
                                    done.stderr).group(1)))
    return (counts[1] - counts[0]) // 10


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--scrapes", type=int, default=100)
    parser.add_argument("--build", type=pathlib.Path,
                        default=SOURCE / "build")
    args = parser.parse_args()
    program = args.build / "examples" / "tsmbd" / "tsmbd"
    writer = args.build / "tests" / "tsmbd" / "test-tsmbd-openmetrics"
    if os.geteuid() != 0 or not program.exists():
        sys.exit("scrape.py: needs root and a build with tsmbd")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        actor = Actor(compile_actor(args.build, SOURCE, folder / "actor"),
                      folder, *acts(), "again:%d" % REPEAT)
        port = free_port()
        tsmbd = subprocess.Popen(
            [program, "-p", str(actor.pid), "-i", "0.1", "--top-series=48",
             "--listen=127.0.0.1:%d" % port], stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, universal_newlines=True)
        tsmbd.stderr.readline()
        actor.go()
        time.sleep(1)
        try:
            for what, accept in (("OpenMetrics",
                                  "application/openmetrics-text"),
                                 ("Prometheus", "*/*")):
                times, data = scrape(port, args.scrapes, accept,
                                     answering(tsmbd.pid))
                m = Metrics(data, what == "OpenMetrics")
                print("%-12s %5d series %7d bytes, %d scrapes" % (
                    what, len(m), len(data), args.scrapes))
                for name, some in zip(("the client waits", "it runs",
                                       "it has no CPU"), times):
                    print("  %-16s %s" % (name, in_words(some)))
            print("counted meanwhile: %d requests" %
                  m.sum("smbd_requests_total"))
        finally:
            tsmbd.terminate()
            tsmbd.wait()
            actor.process.kill()
            actor.process.wait()
    if shutil.which("valgrind") and writer.exists():
        print("instructions to write 2,000 series: %d" %
              instructions(writer))


if __name__ == "__main__":
    main()
