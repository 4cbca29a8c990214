#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""cost.py - what probes cost a server of examples/servers.

    cost.py [--instructions | --rates] [--rounds N] redis|mosquitto

Both trees of `./dev server NAME` are used: `plain` as Debian has it, `probes`
with the probes.

--instructions counts what the server executes for a request in user space, by
callgrind, which is exact: a few requests are subtracted from many, so that the
start is not in the result, and each request waits for the reply to the one
before, so that each takes one round of the event loop. "on" is with all
semaphores raised: the sites take their arguments together, and pass two nops
where a tracer would be.

--rates takes requests per second, as the client has them, and the processor
time of the server and of the kernel on its behalf. All arms take turns, in
another order in each round; each is compared with the unpatched server in the
same round, and the table has the median of the ratios and their quartiles.
"top" is traced by sdtkit top, which needs root; "counted" counts in the
process, by a recorder that is preloaded. Both count all spans but those of the
event loop.

Without either, both. SDTKIT_SERVERS is where the trees are (build/servers).
"""

import argparse
import contextlib
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "examples" / "servers"),
                str(HERE.parent / "samba"), str(HERE.parent / "top")]

import run      # noqa: E402
import source   # noqa: E402, of examples/samba
import tracer   # noqa: E402
from loads import processor_ns  # noqa: E402
from raised import raise_all    # noqa: E402

RECORDER = run.SDTKIT.parents[1] / "record" / "libsdtkit-recorder.so"
# requests that are subtracted, and that they are subtracted from
FEW, MANY = 100, 2100
COUNTS = 3
# of one load; a turn is as many loads as take so many seconds
REQUESTS = {"redis": 50000, "mosquitto": 5000}
TURN = 1
# what a client sends: name -> arguments of load()
LOADS = {
    "redis": {"SET and GET, 50 clients": {"clients": 50},
              "SET and GET, 16 in a pipeline": {"clients": 50,
                                                "pipeline": 16}},
    "mosquitto": {"PUBLISH, QoS 1, to one subscriber": {"qos": 1},
                  "PUBLISH, QoS 0, to one subscriber": {"qos": 0}},
}
PER_REQUEST = {"redis": 2, "mosquitto": 1}  # load() has two kinds of it
# once a second and not ten times, what has nothing to do with requests; no
# message may be lost
OPTIONS = {"redis": ["--hz", "1", "--dynamic-hz", "no"],
           "mosquitto": ["max_queued_messages 0"]}


def counted(server, tree, top, requests, is_on):
    """Returns the instructions of one run."""
    top.mkdir()
    out = top / "callgrind.out"
    running = server.Server(
        tree, top, options=OPTIONS[server.NAME],
        prefix=["valgrind", "-q", "--tool=callgrind",
                "--callgrind-out-file=%s" % out])
    try:
        if is_on:
            raise_all(running.process.pid, tree / server.BINARY)
        running.one_by_one(requests)
    finally:
        running.stop()
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(),
                         re.MULTILINE).group(1))


def instructions(server, trees, top):
    print("| %s | instructions for a request | more | |" % server.NAME)
    print("| --- | --- | --- | --- |")
    base = None
    for arm, name, is_on in (("unpatched", "plain", False),
                             ("off", "probes", False), ("on", "probes", True)):
        runs = []
        for number in range(COUNTS):
            few, many = (counted(
                server, trees[name], top / ("%s.%d.%d" % (arm, size, number)),
                size, is_on) for size in (FEW, MANY))
            runs.append((many - few) / (MANY - FEW))
        value = statistics.median(runs)
        base = base or value
        print("| %s | %.1f | %+.1f | %+.2f %% |" % (
            arm, value, value - base, 100 * (value / base - 1)), flush=True)


def one_rate(server, running, load, arguments):
    """(requests per second, processor time in us for a request)."""
    requests = 0
    before, begun = processor_ns(running.pid()), time.monotonic()
    while time.monotonic() < begun + TURN:
        running.load(REQUESTS[server.NAME], **arguments)
        requests += REQUESTS[server.NAME] * PER_REQUEST[server.NAME]
    taken = time.monotonic() - begun
    spent = processor_ns(running.pid()) - before
    return requests / taken, spent / requests / 1000


def cell(values, base):
    ratios = sorted(a / b for a, b in zip(values, base))
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return "%.3f (%.3f to %.3f)" % (middle, low, high)


def watch(server, tree, top):
    with contextlib.redirect_stdout(sys.stderr):
        return tracer.Tracer([run.SDTKIT, "top", "--json",
                              tree / server.BINARY] + run.spans_of(server),
                             top / "top", "Collecting")


def rates(server, trees, top, rounds):
    servers = {}
    arms = (["unpatched", "off", "counted"] +
            (["top"] if os.geteuid() == 0 else []))
    prefixes = {"unpatched": [], "off": [],
                "counted": ["env", "LD_PRELOAD=%s" % RECORDER,
                            "SDTKIT_RECORDER_COUNT=" +
                            ",".join(run.spans_of(server))]}
    try:
        for arm, prefix in prefixes.items():
            (top / arm).mkdir()
            servers[arm] = server.Server(trees[
                "plain" if arm == "unpatched" else "probes"], top / arm,
                options=OPTIONS[server.NAME], prefix=prefix)
        for load, arguments in LOADS[server.NAME].items():
            measured = {arm: [] for arm in arms}
            for number in range(rounds):
                at = number % len(arms)
                for arm in arms[at:] + arms[:at]:
                    watching = arm == "top" and watch(server, trees["probes"],
                                                      top)
                    try:
                        measured[arm].append(one_rate(
                            server, servers["off" if watching else arm], load,
                            arguments))
                    finally:
                        if watching:
                            watching.interrupt()
                            watching.stop()
            print("| %s | requests/s | ratio | processor, us | ratio |" % load)
            print("| --- | --- | --- | --- | --- |")
            for arm, rows in measured.items():
                print("| %s | %s |" % (arm, " | ".join(
                    "%.1f | %s" % (
                        statistics.median(row[which] for row in rows),
                        cell([row[which] for row in rows],
                             [row[which] for row in measured["unpatched"]]))
                    for which in (0, 1))), flush=True)
    finally:
        for running in servers.values():
            running.stop()


def main():
    parser = argparse.ArgumentParser(
        description="Measures what probes cost a server.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--instructions", action="store_true")
    what.add_argument("--rates", action="store_true")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("name", choices=run.NAMES)
    options = parser.parse_args()
    server = run.load(options.name)
    trees = {name: run.CACHE / options.name / name
             for name in ("plain", "probes")}
    for tree in trees.values():
        if not (tree / server.BINARY).exists():
            sys.exit("cost.py: %s is missing: run ./dev server %s" % (
                tree / server.BINARY, options.name))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        if not options.rates:
            instructions(server, trees, top)
        if not options.instructions:
            rates(server, trees, top, options.rounds)


if __name__ == "__main__":
    try:
        main()
    except (source.Failed, OSError, subprocess.SubprocessError) as error:
        sys.exit("cost.py: %s" % error)
