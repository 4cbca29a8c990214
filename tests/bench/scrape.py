# SPDX-License-Identifier: BSD-2-Clause
"""What a scrape of tsmbd's metrics costs: with as many series as there may be,
while a server is under load.

The time is what a client waits: to connect, for tsmbd to answer, and to read
all of it. On a busy machine most of the longest times is waiting for a CPU. So
the time that the thread that answers ran, and that it was ready to run and had
no CPU, are printed too (/proc/PID/task/TID/schedstat). Run as root, after
`./dev build`:

    python3 tests/bench/scrape.py [--scrapes N] [--build DIRECTORY]

--price compares what tsmbd costs in the ways in which it may run (ARMS), while
a client of the demo server copies ten files five times a second. The arms take
turns, and each round is compared with plain tsmbd in the same round:

    python3 tests/bench/scrape.py --price [--rounds N] [--seconds N]

"tsmbd" is the processor time of its processes, "server" that of the server and
of the kernel for it, with BPF; "programs" is that of the BPF programs at probes
alone, for a request, as the kernel measures it. Nothing of this counts the time
of other programs, so the machine need not be quiet.
"""

import http.client
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import bench

SOURCE = bench.SOURCE
sys.path[:0] = [str(SOURCE / "tests" / name)
                for name in ("demo", "tsmbd", "bench/samba")]

from actor import Actor, compile_actor  # noqa: E402
from demo_server import LIMIT, Server, children     # noqa: E402
from openmetrics import Metrics         # noqa: E402
from programs import Statistics, describe, runs_of  # noqa: E402

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


# name: (options, seconds between scrapes)
ARMS = {
    "plain tsmbd": ([], None),
    "serve, makes nothing": (["--daemon", "--run-as=nobody"], None),
    "serve, metrics": (["--daemon", "--run-as=nobody", "--listen"], None),
    "serve, a scrape in 15 s": (
        ["--daemon", "--run-as=nobody", "--listen"], 15),
    "serve, a scrape a second": (
        ["--daemon", "--run-as=nobody", "--listen"], 1),
}
TURN = 0.2          # seconds between two copies
FILES = "10"


def ran(pid):
    """Nanoseconds of processor time that its threads have had."""
    total = 0
    for path in pathlib.Path("/proc/%d/task" % pid).glob("*/schedstat"):
        total += int(path.read_text().split()[0])
    return total


def server_ran(pid):
    """The same of a server and its children that have ended."""
    with open("/proc/%d/stat" % pid) as file:
        words = file.read().rpartition(")")[2].split()
    return sum(map(int, words[11:15])) * 1e9 / os.sysconf("SC_CLK_TCK")


def copy_for(server, seconds, scrape_each, port):
    """Copies files, and scrapes; returns the number of requests."""
    begin = time.monotonic()
    turn = scrapes = requests = 0
    while time.monotonic() < begin + seconds:
        done = server.client("--files", FILES, "--json")
        requests += sum(row["sent"] for row in
                        json.loads(done.stdout)["requests"].values())
        now = time.monotonic() - begin
        if scrape_each and now >= scrapes * scrape_each:
            get(port, "application/openmetrics-text")
            scrapes += 1
        turn = max(turn + 1, int(now / TURN))
        time.sleep(max(0, begin + turn * TURN - time.monotonic()))
    return requests


def arm_costs(program, server, arm, seconds):
    """(us a second of tsmbd, us a request of the server, of the programs)."""
    options, scrape_each = ARMS[arm]
    port = free_port()
    options = ["--listen=127.0.0.1:%d" % port if word == "--listen" else word
               for word in options]
    tsmbd = subprocess.Popen(
        [program, "-p", str(server.pid), *options], stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL, universal_newlines=True)
    try:
        line = "begins"
        while not re.search("from now on|Collecting", line):
            line = tsmbd.stderr.readline()
            assert line, "it has ended"
        time.sleep(2)
        pids = [tsmbd.pid, *children(tsmbd.pid)]
        begin = time.monotonic()
        before = sum(map(ran, pids)), server_ran(server.pid)
        runs = runs_of(tsmbd.pid)
        requests = copy_for(server, seconds, scrape_each, port)
        after = sum(map(ran, pids)), server_ran(server.pid)
        # the others run for all processes of the machine
        spent = sum(ns - runs[number][0] for number, (ns, _) in
                    runs_of(tsmbd.pid).items() if describe(number)[1])
        elapsed = time.monotonic() - begin
    finally:
        tsmbd.terminate()
        tsmbd.wait()
        tsmbd.stderr.close()
    return [(after[0] - before[0]) / elapsed / 1e3,
            (after[1] - before[1]) / requests / 1e3, spent / requests / 1e3]


def quartiles(values):
    if len(values) < 2:
        return "%.3f" % values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return "%.3f (%.3f to %.3f)" % (middle, low, high)


def price(args, program):
    taken = {arm: [] for arm in ARMS}
    with tempfile.TemporaryDirectory() as name:
        server = Server(args.build, pathlib.Path(name) / "served",
                        pathlib.Path(name) / "log")
        try:
            with Statistics():
                for number in range(args.rounds):
                    at = number % len(ARMS)
                    order = list(ARMS)[at:] + list(ARMS)[:at]
                    for arm in order:
                        taken[arm].append(arm_costs(program, server, arm,
                                                    args.seconds))
                        print(number + 1, arm, *("%.2f" % one for one in
                                                 taken[arm][-1]),
                              file=sys.stderr, flush=True)
        finally:
            server.stop()
    first = next(iter(taken.values()))
    print("| | tsmbd, %% of a CPU | server, us a request | ratio | programs, "
          "us a request | ratio |\n|%s" % (" --- |" * 6))
    for arm, costs in taken.items():
        cells = ["%.3f" % (statistics.median(one[0] for one in costs) / 1e4)]
        for which in 1, 2:
            cells += ["%.2f" % statistics.median(one[which] for one in costs),
                      quartiles([one[which] / base[which]
                                 for one, base in zip(costs, first)])]
        print("| %s | %s |" % (arm, " | ".join(cells)))


def main():
    args = bench.options(
        __doc__, root=True, scrapes=100, rounds=8, seconds=30,
        more=[("--price", {"action": "store_true", "help":
                           "what tsmbd costs, in each way to run it"})])
    program = args.build / "lib" / "tsmbd" / "tsmbd"
    if not program.exists():
        sys.exit("scrape.py: needs a build with tsmbd")
    (price if args.price else scrape_all)(args, program)


def scrape_all(args, program):
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


if __name__ == "__main__":
    main()
