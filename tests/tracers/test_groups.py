# SPDX-License-Identifier: BSD-2-Clause
"""Tracers attach to two probes that share a semaphore (program/grouped.d): each
raises and lowers it by itself, so that the group's guard is open as long as one
of them is there, whichever ends first and however. What tracers read of probes
of groups is in test_values.py: store.d has two groups."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

import tracers
from tracers import (Running, bcc, bcc_trace, bpftrace, dtrace, ftrace, gdb,
                     libbpf, perf, sdtkit_trace)
from . import builds


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grouped")
    shutil.copy(builds.PROGRAM / "grouped.d", folder)
    builds.must(folder, [builds.PYTHON, builds.SOURCE / "probegen",
                         "grouped.d"])
    builds.must(folder, ["gcc", "-g", "-O2", "-Wall", "-Wextra", "-Werror",
                         "-I.", "-I", builds.SOURCE / "include",
                         builds.PROGRAM / "grouped.c", "-o", "grouped"])
    return folder / "grouped"


@pytest.fixture
def program(built, tmp_path):
    """A copy: the kernel wants all tracers of a file to agree."""
    return shutil.copy(built, tmp_path / "grouped")


class Program:
    """grouped.c, running; ``command`` may start it under a tracer."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, universal_newlines=True, bufsize=1)
        self.pid = int(self.process.stdout.readline())

    def ask(self, line):
        """Returns the values of the semaphores: (group's, alone's)."""
        self.process.stdin.write(line + "\n")
        return tuple(map(int, self.process.stdout.readline().split()))

    def look(self):
        return self.ask("look")

    def reach(self, condition):
        """Waits for a value of the group's semaphore, and returns it."""
        end = time.monotonic() + tracers.LIMIT
        while not condition(self.look()[0]):
            assert time.monotonic() < end, self.look()
            time.sleep(0.02)
        return self.look()[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Attached:
    """A tracer that is attached to one probe of a process. It prints a line
    that matches HIT for each hit."""

    HIT = "^hit$"
    READY = "^attached$"
    # What it has not printed when it ends is lost.
    IS_SLOW = False

    def __init__(self, program, path, probe):
        self.program, self.path, self.probe = program, path, probe
        before = program.look()[0]
        self.tracer = Running(*self.command())
        if self.READY:
            self.tracer.until(self.READY)
        program.reach(lambda value: value > before)

    def command(self):
        raise NotImplementedError

    def stop(self, hits):
        """Ends it as ^C does, and returns how many hits it saw; hits: how many
        there were."""
        if self.IS_SLOW:
            self.tracer.until(self.HIT, hits)
            self.tracer.quiet()
        said = self.tracer.stop()
        self.tracer.__exit__()
        return self.hits(said)

    def hits(self, said):
        return len(re.findall(self.HIT, said, re.M))

    def kill(self):
        self.tracer.__exit__()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


class Bpftrace(Attached):
    """It counts, since it does not print what it has not read when it ends."""
    NEEDS = bpftrace

    def command(self):
        return ([*"bpftrace -B none -p".split(), self.program.pid, "-e",
                 'BEGIN { printf("attached\\n"); } usdt:%s:grouped:%s '
                 '{ @hits = count(); }' % (self.path, self.probe)],)

    def hits(self, said):
        return sum(map(int, re.findall(r"^@hits: (\d+)$", said, re.M)))


class Bcc(Attached):
    NEEDS = bcc_trace
    READY = "^PID "
    IS_SLOW = True
    HIT = r"^\d+ +\d+ +grouped "

    def __init__(self, program, path, probe):
        self.environment = bcc.headers()
        super().__init__(program, path, probe)

    def command(self):
        return (["env", *("%s=%s" % row for row in self.environment.items()),
                 "trace-bpfcc", "-p", self.program.pid,
                 "u:%s:grouped:%s" % (self.path, self.probe)],)


class Dtrace(Attached):
    NEEDS = dtrace

    def command(self):
        return ([*dtrace.command(), *"-q -x switchrate=20hz -p".split(),
                 self.program.pid, "-n",
                 'BEGIN { printf("attached\\n"); } grouped$target:::%s '
                 '{ printf("hit\\n"); }' % self.probe],)


class Perf(Attached):
    """The kernel has the events of both probes while one test uses perf. It
    raises the semaphore some time before it records: it is told to begin, and
    acknowledges that."""
    NEEDS = perf
    READY = None

    def __init__(self, program, path, probe):
        self.pipes = ["%s.%s.%s" % (path, probe, name)
                      for name in ("control", "acknowledged")]
        for pipe in self.pipes:
            os.mkfifo(pipe)
        super().__init__(program, path, probe)
        with open(self.pipes[0], "w") as control:
            control.write("enable\n")
        with open(self.pipes[1]) as acknowledged:
            assert acknowledged.readline() == "ack\n"

    def command(self):
        self.data = "%s.%s.data" % (self.path, self.probe)
        cache = self.path.with_name("cache-" + self.probe)
        perf._perf(cache, "buildid-cache", "--add", self.path)
        perf._add(cache, ["grouped:" + self.probe], [])
        return (["perf", "--buildid-dir", cache, "record", "-q", "-o",
                 self.data, "-p", self.program.pid, "-D", "-1",
                 "--control=fifo:" + ",".join(self.pipes), "-e",
                 "sdt_grouped:" + self.probe],)

    def stop(self, hits):
        super().stop(hits)
        return len(re.findall("sdt_grouped:%s:" % self.probe, tracers.run(
            ["perf", "script", "-i", self.data])[1]))


class Libbpf(Attached):
    """It attaches by file, and ends with its input."""
    NEEDS = libbpf
    HIT = "^=grouped:"

    def __init__(self, program, path, probe):
        before = program.look()[0]
        self.tracer = subprocess.Popen(
            [libbpf._tracer(), path, "grouped:" + probe],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True)
        assert self.tracer.stdout.readline() == "attached\n"
        assert program.look()[0] > before

    def stop(self, hits):
        return len(re.findall(self.HIT, self.tracer.communicate()[0], re.M))

    def kill(self):
        if self.tracer.poll() is None:
            self.tracer.kill()
            self.tracer.communicate()


class Ftrace(Attached):
    """No process: what the kernel was told stays until it is taken back."""
    NEEDS = ftrace

    def __init__(self, program, path, probe):
        self.name = "sdtkit%d_%d" % (os.getpid(), next(ftrace._NUMBERS))
        self.instance = ftrace.TRACING / "instances" / self.name
        (site,) = ftrace.sites(path)["grouped:" + probe]
        self.instance.mkdir()
        ftrace.append(ftrace._event(path, self.name + "/hit", site, []))
        self._enable("1")
        assert program.look()[0] > 0

    def _enable(self, value):
        (self.instance / "events" / self.name / "enable").write_text(value)

    def stop(self, hits):
        text = (self.instance / "trace").read_text()
        self.kill()
        return len(re.findall(r": hit: \(", text))

    def kill(self):
        if self.instance.exists():
            self._enable("0")
            self.instance.rmdir()
            ftrace.append("-:%s/hit" % self.name)


# Who comes first, to probe `one`, and who comes to probe `two`. A process takes
# one DTrace at a time.
ALIKE = [(each, each) for each in (Bpftrace, Bcc, Perf, Libbpf, Ftrace)]
MIXED = [(Bpftrace, Perf), (Libbpf, Ftrace), (Bcc, Bpftrace), (Perf, Bcc),
         (Ftrace, Bcc), (Bpftrace, Dtrace), (Dtrace, Perf)]


def pairs(turn):
    """Those of one tracer; of the others each third, since three tests take
    turns."""
    return pytest.mark.parametrize(
        "pair", ALIKE + MIXED[turn::3], indirect=True,
        ids=lambda pair: "%s, %s" % tuple(each.NEEDS.NAME for each in pair))


@pytest.fixture
def pair(request, need, program):
    for each in request.param:
        need(each.NEEDS)
    if Perf not in request.param:
        yield request.param
        return
    with perf.events(program.with_name("cache"), ["grouped"]):
        yield request.param


@pairs(0)
def test_the_guard_is_open_as_long_as_one_is_there(pair, program):
    first, second = pair
    with Program(program) as target:
        assert target.look() == (0, 0)
        assert target.ask("fire 3") == (0, 0)
        with first(target, program, "one") as one:
            alone = target.look()[0]
            with second(target, program, "two") as two:
                both = target.look()[0]
                assert both > alone > 0
                target.ask("fire 5")
                assert one.stop(5) == 5
                value = target.reach(lambda value: value < both)
                assert 0 < value
                target.ask("fire 7")
                assert two.stop(12) == 12
        assert target.reach(lambda value: value == 0) == 0
        assert target.ask("fire 2") == (0, 0)


@pairs(1)
def test_the_last_to_come_ends_first(pair, program):
    first, second = pair
    with Program(program) as target:
        with first(target, program, "one") as one:
            alone = target.look()[0]
            with second(target, program, "two") as two:
                target.ask("fire 5")
                assert two.stop(5) == 5
            assert target.reach(lambda value: value == alone) == alone
            target.ask("fire 7")
            assert one.stop(12) == 12
        assert target.reach(lambda value: value == 0) == 0


@pairs(2)
def test_one_is_killed(pair, program):
    """The other one goes on. What bcc added stays, as with any probe: now it
    is the group that stays on."""
    first, second = pair
    with Program(program) as target:
        with first(target, program, "one") as one:
            alone = target.look()[0]
            with second(target, program, "two") as two:
                both = target.look()[0]
                one.kill()
                left = alone if first is Bcc else 0
                target.reach(lambda value: value == both - alone + left)
                target.ask("fire 5")
                assert two.stop(5) == 5
        assert target.reach(lambda value: value == left) == left
        assert target.look()[1] == 0


def test_one_tracer_of_both(need, program):
    """A script with both probes counts both, and leaves nothing."""
    need(bpftrace)
    with Program(program) as target:
        tracer = Running(
            [*"bpftrace -B none -p".split(), target.pid, "-e",
             'BEGIN { printf("attached\\n"); } usdt:%s:grouped:* '
             "{ @[probe] = count(); }" % program])
        with tracer:
            tracer.until("^attached$")
            assert target.ask("fire 4")[1] == 1
            said = tracer.stop()
        assert sorted(re.findall(r":grouped:(\w+)\]: (\d+)", said)) == [
            ("alone", "4"), ("one", "4"), ("two", "4")]
        target.reach(lambda value: value == 0)


def test_list_shows_the_group(need, program):
    """Both probes have the semaphore of the group, and what is traced."""
    need(ftrace)
    need(bpftrace)
    with Program(program) as target:
        with Bpftrace(target, program, "one"):
            told = ftrace.sites(program)
            assert told["grouped:one"][0]["semaphore"] == (
                told["grouped:two"][0]["semaphore"]) != (
                told["grouped:alone"][0]["semaphore"])
            _, said = tracers.run([ftrace.SDTKIT, "list", "-t", "-p",
                                   target.pid])
    assert re.findall(r"^ *1 +(\d+) +grouped:(\w+)", said, re.M) == [
        ("1", "one"), ("1", "two")]


GDB = """
set pagination off
set confirm off
break -probe-stap grouped:one
commands
silent
echo hit one\\n
delete 1
continue
end
break -probe-stap grouped:two
commands
silent
echo hit two\\n
if $seen++ == 1
delete 2
end
continue
end
set $seen = 0
run <input
"""


def test_gdb(need, program):
    """gdb counts breakpoints: each that is deleted takes its part back."""
    need(gdb)
    (program.with_name("input")).write_text(
        "look\nfire 1\nlook\nfire 1\nlook\nfire 1\n")
    (program.with_name("script")).write_text(GDB)
    said = tracers.run(["gdb", "-nx", "-batch", "-x", "script", program],
                       cwd=program.parent)[1]
    assert re.findall(r"^(?:hit \w+|\d+ \d+)$", said, re.M) == [
        "2 0", "hit one", "hit two", "1 0", "1 0", "hit two", "0 0", "0 0",
        "0 0"], said


def test_sdtkit_trace_beside_another(need, program):
    """It is in the process, and the other one is in the kernel."""
    need(sdtkit_trace)
    need(bpftrace)
    lines = program.with_name("lines")
    with Program(ftrace.SDTKIT, "trace", "--json", "-o", lines,
                 "grouped:one", "--", program) as target:
        assert target.look() == (1, 0)
        with Bpftrace(target, program, "two") as two:
            assert target.ask("fire 5") == (2, 0)
            assert two.stop(5) == 5
        target.reach(lambda value: value == 1)
        target.ask("fire 7")
    hits = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [hit["probe"] for hit in hits if "arguments" in hit] == ["one"] * 12


def test_sdtkit_trace_is_killed(need, program):
    """The process takes both of its parts back."""
    need(sdtkit_trace)
    with Program(ftrace.SDTKIT, "trace", "-o", "/dev/null",
                 "grouped:one,grouped:two", "--", program) as target:
        assert target.look() == (2, 0)
        os.kill(target.process.pid, signal.SIGKILL)
        target.reach(lambda value: target.ask("fire 1")[0] == 0)
