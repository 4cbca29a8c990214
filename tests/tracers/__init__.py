# SPDX-License-Identifier: BSD-2-Clause
"""The tracers, one file each, and what such a file has to offer.

    NAME            how people call it
    IN_KERNEL       whether its probes are the kernel's: each takes up to a
                    tenth of a second to go away, so they are used sparingly
    READS           what it can read of a probe, a subset of KINDS
    OPT_IN          optional: True if only ./dev test --all-tracers uses it
    lacks()         why it cannot run here; None if it can. Beyond("...") is a
                    reason that no package cures: those never fail a run
    version()       as it says it
    most()          how many arguments of a probe it can read
    ALIASES         optional: False if it takes no file in which a probe has
                    the same name in two providers
    STATIC          optional: False if it cannot trace a program that is linked
                    statically
    takes(probe)    optional: False for a probe, "store2:text", that it cannot
                    attach to whatever the file is
    listed(path)    the probes that it finds in a file: {"store2:text", ...};
                    None if it has no list of them
    read(program, wanted)
                    runs program.command, attached to every probe in wanted,
                    {"store2:text": [Expression, ...]}, and gives back
                    {"store2:text": [hit, ...]}. A hit has a value for each
                    expression: a number, a string, or None for what it could
                    not read; for a string, its address, from a tracer that
                    follows none. A tracer that refuses an argument, a probe
                    or all of them leaves those out.

A program has

    command         the words that run it; each probe is fired once, and the
                    program writes its report. With one more word, "wait", it
                    says "ready" first, and fires when it gets a line
    probes          the file with the notes: the program, or a library of it
    report          what it writes; none before it ran
    folder          a directory of its own, for whatever a tracer has to keep
    structs         the C header of its records, for tracers that take one
                    (probegen --emit bpftrace-structs); None without records

Every tracer runs under a time limit, and leaves nothing in the kernel. To add
one, write a file here: each module with a NAME is a tracer; and a row and a
section in docs/tracing.md. expect.py has what all of them must read. (The
matrix of tests/consumers uses some of them too, on many more programs.)
"""

import collections
import importlib
import os
import pathlib
import re
import select
import signal
import subprocess
import threading

from programs import which

# seconds until a tracer that hangs is ended; an emulated machine is slower
LIMIT = 300 * int(os.environ.get("SDTKIT_SLOWER", "1"))

# What tracers differ in. hits: that the probe fired; numbers: of arguments;
# strings: at the address in an argument; members, member strings: of the
# record whose address is in an argument.
KINDS = ("hits", "numbers", "strings", "members", "member strings")

# arg2, str(arg2), arg0->opcode, str(arg0->user): a number, or the string at
# that address, of the argument or of a member of the record that it points at.
Expression = collections.namedtuple("Expression", "index string member")

# struct request_info { ... uint16_t opcode; at offset 8 ... }
Member = collections.namedtuple("Member", "record name offset size signed")

_EXPRESSION = re.compile(r"(str\()?arg(\d+)(?:->(\w+))?\)?$")


class Beyond(str):
    """A reason that no package of the distribution removes."""


def expression(text, members=()):
    """Expression of "str(arg0->user)"; ``members`` are those of the record
    that is meant."""
    string, index, name = _EXPRESSION.match(text).groups()
    member = next((one for one in members if one.name == name), None)
    assert bool(name) == bool(member), text
    return Expression(int(index), bool(string), member)


def kind(one):
    """Which of KINDS an expression is."""
    if one.member:
        return "member strings" if one.string else "members"
    return "strings" if one.string else "numbers"


def run(command, limit=LIMIT, **options):
    """(exit status, what it said); what runs longer than limit is ended."""
    done = subprocess.run(["timeout", str(limit), *map(str, command)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True,
                          **options)
    return done.returncode, done.stdout


class Waiting:
    """A program, started, which waits for go(), on one processor: tracers
    have a buffer for each, and read one after the other."""

    def __init__(self, command):
        self._process = subprocess.Popen([*command, "wait"],
                                         stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)
        self._process.stdout.readline()
        self.pid = self._process.pid
        os.sched_setaffinity(self.pid, [min(os.sched_getaffinity(0))])

    def go(self):
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()


class Running:
    """A tracer that runs until it is stopped, and what it says."""

    def __init__(self, command, cwd=None, **variables):
        self._process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd,
            start_new_session=True,
            env=dict(os.environ, PYTHONUNBUFFERED="1", **variables))
        self._limit = threading.Timer(LIMIT, self._expire)
        self._limit.start()
        self._ended = self._expired = False
        self.said = ""

    def until(self, pattern, times=1):
        """Waits for so many lines that match; AssertionError if they do not
        come."""
        while len(re.findall(pattern, self.said, re.M)) < times:
            assert self._more(LIMIT), self.said

    def quiet(self, seconds=0.7):
        """Waits until it has said nothing for so long."""
        while self._more(seconds):
            pass

    def _more(self, seconds):
        """Whether there was more within that time."""
        output = self._process.stdout.fileno()
        if not select.select([output], [], [], seconds)[0]:
            return False
        said = os.read(output, 65536).decode(errors="replace")
        self.said += said
        self._ended = not said
        return bool(said)

    def end(self):
        """Waits until it ends by itself; all it said."""
        while self._more(LIMIT):
            pass
        assert not self._expired, "it did not end: " + self.said
        return self.said

    def stop(self):
        """Ends it as ^C does; all it said. bpftrace 0.17 misses a signal that
        comes while it prints, and dies of a second one while it ends."""
        while not self._ended:
            self._signal(signal.SIGINT)
            while self._more(LIMIT / 4):
                pass
        assert not self._expired, "^C did not end it: " + self.said
        return self.said

    def _expire(self):
        self._expired = True
        self._signal(signal.SIGKILL)

    def _signal(self, number):
        """To it and all that it started."""
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._limit.cancel()
        self._process.stdout.close()


def must_have_run(program, said):
    if not program.report.exists():
        raise AssertionError("the program did not run: " + said)


def root_lacks(*programs):
    """What keeps a tracer that needs root and these programs from running."""
    for program in programs:
        if not which(program):
            return program + " is not installed"
    if os.geteuid() != 0:
        return programs[0] + " needs root"
    return None


def every():
    """All tracers, by file."""
    names = (path.stem for path in
             sorted(pathlib.Path(__file__).parent.glob("[a-z]*.py"))
             if not path.stem.startswith(("test_", "conftest")))
    modules = [importlib.import_module("." + name, __name__) for name in names]
    return [module for module in modules if hasattr(module, "NAME")]
