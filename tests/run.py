#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""run.py [--cost] BUILD [ARG...]: runs `meson test ARG...`, and prints how far it
is.

    1:05  1210 of 2102+ tests, 2 of 16 suites; consumers 12/87, life 40/128
    1:07  tool: 247 tests, 38 s
    FAILED tsmbd: tests/tsmbd/test_find.py::test_two_files

Suites run side by side, more of them than there are processors, since those
that trace mostly wait for the kernel. Each pytest room tells of itself by a
datagram to the socket that SDTKIT_PROGRESS names:

    ROOM DONE ALL               after each test
    ROOM DONE ALL FAILED-TEST   after one that failed

A room that takes long is run in parts, side by side: ROOM is "tsmbd-2" then.

Ends with a table of suites and their times, the longest first, and exits as
meson does. See conftest.py for the other side. With --cost the table tells what
the time went into, for each room and for the dearest tests: see cost.py.
"""

import json
import os
import pathlib
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

import cost
import opt_in
import programs

SECONDS_BETWEEN_LINES = 15
LESS_OFTEN = 10     # an ordinary run repeats what it repeats 1,000 times
# 47/47 sdtkit:tsmbd / pytest     OK       46.76s   105 subtests passed
FINISHED = re.compile(
    r"^ *(\d+)/\d+ \w+:(\w+)[\w+]* / (\S+) +(\w+) +([\d.]+)s"
    r"(?: +(\d+) subtests)?")


class Suites:
    """How far each suite is, by its datagrams and by meson's lines."""

    def __init__(self, names):
        self.names = names          # one for each test of meson
        self.numbers = set()        # of meson's tests that have ended
        self.ended = []             # their suites
        self.rooms = {}             # name -> (done, all), pytest only
        self.others = 0             # tests of suites that tell nothing
        self.seconds = {}           # name -> of all its tests, one by one
        self.counts = {}

    def told(self, datagram):
        room, done, every, failed = (datagram + "   ").split(" ", 3)
        self.rooms[room] = int(done), int(every)
        if failed.strip():
            say("FAILED %s: %s" % (room, failed.strip()))

    def heard(self, line):
        """A line of meson's."""
        found = FINISHED.match(line)
        if not found:
            return
        number, name, test, verdict, seconds, count = found.groups()
        if number in self.numbers:
            return      # meson's summary names it again
        self.numbers.add(number)
        self.ended.append(name)
        count = int(count or 0)
        room = name + test[len("pytest"):]  # as conftest.py calls a part
        if not test.startswith("pytest"):
            self.others += count
        elif room in self.rooms:
            count, _ = self.rooms[room]     # meson has none if it failed
        self.seconds[name] = self.seconds.get(name, 0) + float(seconds)
        self.counts[name] = self.counts.get(name, 0) + count
        if verdict not in ("OK", "SKIP"):
            say("FAILED suite %s, %s: %s" % (name, test, verdict))
        if self.ended.count(name) == self.names.count(name):
            say("%s  %s: %d tests, %.0f s" % (
                clock(), name, self.counts[name], self.seconds[name]))

    def progress(self):
        done = self.others + sum(one for one, _ in self.rooms.values())
        every = self.others + sum(one for _, one in self.rooms.values())
        names = set(self.names)
        over = sum(self.ended.count(name) == self.names.count(name)
                   for name in names)
        # A suite that has not begun has not told how many tests it has.
        begun = {room.split("-")[0] for room in self.rooms}
        more = "+" if names - begun - set(self.ended) else ""
        return "%s  %d of %d%s tests, %d of %d suites; %s" % (
            clock(), done, every, more, over, len(names), ", ".join(
                "%s %d/%d" % (name, *counts) for name, counts in
                sorted(self.rooms.items()) if counts[0] < counts[1]))

    def table(self):
        rows = sorted(self.seconds.items(), key=lambda row: -row[1])
        return "".join("%10s %5d tests %6.1f s\n" % (
            name, self.counts[name], seconds) for name, seconds in rows)


START = time.monotonic()


def clock():
    return "%2d:%02d" % divmod(int(time.monotonic() - START), 60)


def say(line):
    print(line, flush=True)


def follow(meson, told, suites):
    """Until meson has ended; every 15 seconds one line, however quiet."""
    output, rest, log = meson.stdout.fileno(), "", []
    next_line = time.monotonic() + SECONDS_BETWEEN_LINES
    while True:
        wait = max(0, next_line - time.monotonic())
        ready = select.select([output, told], [], [], wait)[0]
        if told in ready:
            suites.told(told.recv(65536).decode(errors="replace"))
        if output in ready:
            data = os.read(output, 65536)
            if not data:
                return log
            *lines, rest = (rest + data.decode(errors="replace")).split("\n")
            for line in lines:
                log.append(line)
                suites.heard(line)
        if not ready:
            say(suites.progress())
            next_line = time.monotonic() + SECONDS_BETWEEN_LINES


def suites_of(build, wanted):
    """The suite of each of meson's tests, but those left out."""
    said = subprocess.run(["meson", "introspect", "--tests", build],
                          check=True, stdout=subprocess.PIPE).stdout
    names = [test["suite"][0].split(":")[-1] for test in json.loads(said)]
    return [name for name in names if name not in opt_in.left_out()
            and (not wanted or name in wanted)]


def main(*words):
    with tempfile.TemporaryDirectory() as folder:
        if words[0] != "--cost":
            return run(*words)
        os.environ["SDTKIT_COST"] = folder
        status = run(*words[1:])
        say(cost.table(folder, cost.seconds(resource.RUSAGE_CHILDREN)))
        return status


def run(build, *arguments):
    suites = Suites(suites_of(build, [
        word.partition("=")[2] for word in arguments
        if word.startswith("--suite=")]))
    if not programs.ALL:
        os.environ["SDTKIT_LESS_OFTEN"] = str(LESS_OFTEN)
    jobs = str(2 * len(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory() as folder, \
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        path = os.path.join(folder, "progress")
        told.bind(path)
        with subprocess.Popen(
                ["meson", "test", "-C", build, "--no-rebuild",
                 "--print-errorlogs", "--num-processes", jobs, *arguments],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=dict(os.environ, SDTKIT_PROGRESS=path)) as meson:
            try:
                log = follow(meson, told, suites)
            except KeyboardInterrupt:
                # at SIGINT meson only skips the test that runs
                meson.terminate()
                follow(meson, told, suites)
                raise
    if meson.returncode:
        say("\n".join(log))
    say("\nsuites, which run side by side, in %s:\n%s" % (
        clock().strip(), suites.table()))
    setup = arguments[1:2] if arguments[:1] == ("--setup",) else ()
    say("log: " + str(pathlib.Path(build, "meson-logs", "%s.txt" % "-".join(
        ["testlog", *setup]))))
    return meson.returncode


def interrupt(*_):
    """meson starts each suite in a session of its own, and has to end them: no
    further signal may come in between."""
    catch_signals(signal.SIG_IGN)
    raise KeyboardInterrupt


def catch_signals(handler):
    """A shell's "&" has us ignore SIGINT, which the tests would ignore, too."""
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, handler)


if __name__ == "__main__":
    catch_signals(interrupt)
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
