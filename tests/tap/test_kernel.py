# SPDX-License-Identifier: BSD-2-Clause
"""A tracer of the kernel that comes and goes at the site of a tap, before it and
after it: at the first nop, where tracers of today have their trap, and at the
nop of ten bytes, where those of later kernels will have it. Both are told of all
hits, or the tap of none until its next rescan; nothing else happens."""

import itertools
import json
import os
import pathlib
import platform
import shutil
import subprocess

import pytest

from ending import ending

TRACING = pathlib.Path("/sys/kernel/tracing")
NUMBERS = itertools.count()
HITS = 100
# ENOTSUPP: a kernel that does not know the nop refuses its prefix
REFUSED = 524

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64",
                                reason="other sites have one nop")


class Program:
    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # Its code is mapped: only then does the kernel look at the site.
        self.tell("hit 0")

    def tell(self, line):
        """(hits, jumps, traps, is the text as it was?)"""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        try:
            return tuple(map(int, answer.split()))
        except ValueError:
            raise AssertionError(answer) from None

    def hits(self):
        return self.tell("hit %d" % HITS)[0]

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


class Uprobe:
    """One of tracefs, in an instance of its own."""

    def __init__(self, path, offset):
        self.name = "sdtkit%d_%d" % (os.getpid(), next(NUMBERS))
        self.instance = TRACING / "instances" / self.name
        self.instance.mkdir()
        append("p:%s/e %s:%#x" % (self.name, path, offset))
        self.enable = self.instance / "events" / self.name / "enable"
        try:
            self.enable.write_text("1")
        except OSError as error:
            self.end()
            if error.errno != REFUSED:
                raise
            pytest.skip("this kernel has no uprobes at the second nop; "
                        "test_jump.c does what later kernels do")

    def hits(self):
        text = (self.instance / "trace").read_text()
        (self.instance / "trace").write_text("")
        return sum("e: (" in line for line in text.split("\n"))

    def end(self):
        self.enable.write_text("0")
        self.instance.rmdir()
        append("-:%s/e" % self.name)


def append(line):
    """Not with a file of Python's, which seeks."""
    file = os.open(TRACING / "uprobe_events", os.O_WRONLY | os.O_APPEND)
    try:
        os.write(file, (line + "\n").encode())
    finally:
        os.close(file)


@pytest.fixture
def path(build, tmp_path, unavailable):
    """A copy: tracefs takes no path with a blank, as the build's may be."""
    if os.geteuid() != 0 or not (TRACING / "uprobe_events").exists():
        unavailable("uprobes of tracefs, as root, are needed")
    return shutil.copy(build / "tests/tap/tap-steered", tmp_path)


@pytest.fixture
def program(path):
    steered = Program(path)
    yield steered
    steered.end()


@pytest.fixture
def at(path, build):
    """at(distance) puts an uprobe so many bytes behind the site."""
    said = subprocess.run([build / "lib/tool/sdtkit", "list", "--json", path],
                          check=True, text=True, stdout=subprocess.PIPE)
    sites = [site for probe in json.loads(said.stdout)["files"][0]["probes"]
             if (probe["provider"], probe["probe"]) == ("taps", "nothing")
             for site in probe["sites"]]
    assert len(sites) == 1
    yield from ending(
        lambda distance: Uprobe(path, int(sites[0]["offset"], 0) + distance),
        lambda uprobe: uprobe.instance.exists() and uprobe.end())


@pytest.mark.parametrize("way", ["raw", "events"])
def test_tracer_second(program, at, way):
    assert program.tell("open " + way) == (0, 1, 0, 0)
    for _ in range(3):
        tracer = at(0)
        assert program.hits() == HITS
        assert tracer.hits() == HITS
        tracer.end()
        assert program.hits() == HITS
    assert program.tell("close") == (0, 0, 0, 1)
    assert program.hits() == 0


@pytest.mark.parametrize("way", ["raw", "events"])
def test_tracer_first(program, at, way):
    tracer = at(0)
    for _ in range(3):
        assert program.tell("open " + way)[:3] == (0, 1, 0)
        assert program.hits() == HITS
        assert tracer.hits() == HITS
        program.tell("close")
        assert program.hits() == 0
        assert tracer.hits() == HITS
    program.tell("open " + way)
    tracer.end()
    assert program.hits() == HITS
    assert program.tell("close") == (0, 0, 0, 1)


def test_second_at_the_jump(program, at):
    """The kernel writes its trap over the jump, and restores the nop."""
    program.tell("open raw")
    tracer = at(1)
    assert program.hits() in (0, HITS)
    assert tracer.hits() == HITS
    tracer.end()
    program.hits()
    assert program.tell("rescan")[1:3] == (1, 0)
    assert program.hits() == HITS
    assert program.tell("close") == (0, 0, 0, 1)
    assert program.hits() == 0


def test_rescan_while_the_tracer_is_at_the_jump(program, at):
    program.tell("open raw")
    tracer = at(1)
    assert program.tell("rescan")[1:3] == (0, 1)
    assert program.hits() == HITS
    assert tracer.hits() == HITS
    tracer.end()
    assert program.hits() == HITS
    assert program.tell("close") == (0, 0, 0, 1)


def test_first_at_the_jump(program, at):
    """The tap has a trap at the first nop."""
    tracer = at(1)
    assert program.tell("open raw")[1:3] == (0, 1)
    assert program.hits() == HITS
    assert tracer.hits() == HITS
    tracer.end()
    assert program.hits() == HITS
    assert program.tell("close") == (0, 0, 0, 1)


def test_both_nops(program, at):
    first, second = at(0), at(1)
    assert program.hits() == 0
    assert (first.hits(), second.hits()) == (HITS, HITS)
    first.end()
    program.tell("open raw")
    assert program.hits() == HITS
    assert second.hits() == HITS
    second.end()
    assert program.hits() == HITS
    assert program.tell("close") == (0, 0, 0, 1)
