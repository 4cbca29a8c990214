#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""budget.py - whether `sdtkit serve --budget=2` keeps its budget with redis.

    budget.py [--rounds N] [--seconds N] [--percent N]

The load is SET and GET, 16 commands in a pipeline, under which a span costs a
command several times its own time. The arms take turns: no tracer, sdtkit serve
with the budget, and for a tenth of the time without one, each from the time on
at which it has counted for SETTLE seconds. The table has, of the arm with the
budget, what sdtkit serve says: its costs in percent of the server's processor
time, and the part of the time that was not counted. Whether what it says is true
is shown without a budget, where the costs are many times what a machine's noise
is: there, the table has the microseconds that a command takes more than without
a tracer, as measured, and as sdtkit serve says.

Run as root. The tree with probes of `./dev server redis` is used; SDTKIT_SERVERS
is where it is (build/servers).
"""

import argparse
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "examples" / "servers"),
                str(HERE.parent / "samba"), str(HERE.parent / "top")]

import run      # noqa: E402
import server as helper     # noqa: E402, of examples/servers
from loads import processor_ns  # noqa: E402

SETTLE = 10
REPORTED = 2            # seconds after which the last hit is in the metrics
REQUESTS = 20000


class Service:
    def __init__(self, percent=None):
        self.port = helper.free_port()
        self.process = subprocess.Popen(
            [str(run.SDTKIT), "serve", "--only=redis-server",
             "--listen=127.0.0.1:%d" % self.port] +
            (["--budget=%d" % percent] if percent else []),
            stdout=subprocess.DEVNULL)
        helper.until(lambda: helper.is_listening(self.port),
                     lambda: "sdtkit serve does not listen", self.process)

    def numbers(self):
        """(costs, processor time, the longest time that a span was let go)"""
        url = "http://127.0.0.1:%d/metrics" % self.port
        text = urllib.request.urlopen(url, timeout=60).read().decode()

        def most(name):
            found = re.findall(r"^sdtkit_%s_total{.*} (\S+)$" % name, text,
                               re.MULTILINE)
            return max(map(float, found), default=0)
        return tuple(map(most, ("cost_seconds", "program_cpu_seconds",
                                "span_let_go_seconds")))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def load_for(server, seconds):
    """(us of the processor for a command, commands)"""
    before, end = processor_ns(server.pid()), time.monotonic() + seconds
    commands = 0
    while time.monotonic() < end:
        server.load(REQUESTS, clients=50, pipeline=16)
        commands += 2 * REQUESTS
    return (processor_ns(server.pid()) - before) / commands / 1000, commands


def traced(server, percent, seconds):
    """(us for a command, us of these by sdtkit, the part of the processor
    time by sdtkit, the part of the time that was not counted)"""
    service = Service(percent)
    try:
        load_for(server, SETTLE)
        begun, before = time.monotonic(), service.numbers()
        spent, commands = load_for(server, seconds)
        time.sleep(REPORTED)
        elapsed = time.monotonic() - begun
        cost, cpu, let_go = (b - a for a, b in zip(before, service.numbers()))
    finally:
        service.stop()
    return spent, cost / commands * 1e6, cost / cpu, let_go / elapsed


def main():
    parser = argparse.ArgumentParser(
        description="Whether sdtkit serve keeps its budget.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--percent", type=int, default=2)
    options = parser.parse_args()
    redis = run.load("redis")
    tree = run.CACHE / "redis" / "probes"
    if not (tree / redis.BINARY).exists():
        sys.exit("budget.py: %s is missing: run ./dev server redis" % tree)
    print("| round | no tracer, us | costs, by sdtkit | not counted | without "
          "a budget, us more | by sdtkit | ratio |\n%s|" % ("| --- " * 7))
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        server = redis.Server(tree, pathlib.Path(folder))
        try:
            for number in range(options.rounds):
                alone, _ = load_for(server, options.seconds / 10)
                _, _, part, let_go = traced(server, options.percent,
                                            options.seconds)
                spent, told, _, _ = traced(server, None,
                                           options.seconds / 10)
                ratios.append(told / (spent - alone))
                print("| %d | %.3f | %.1f %% | %.0f %% | %.3f | %.3f | %.2f |"
                      % (number + 1, alone, 100 * part, 100 * let_go,
                         spent - alone, told, ratios[-1]), flush=True)
        finally:
            server.stop()
    print("sdtkit says %.2f of the costs (median)." %
          statistics.median(ratios))


if __name__ == "__main__":
    main()
