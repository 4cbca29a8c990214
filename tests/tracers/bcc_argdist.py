# SPDX-License-Identifier: BSD-2-Clause
"""bcc's tool `argdist`, argdist-bpfcc in Debian: counts combinations of
arguments, of a process, since its probes have semaphores:

    argdist-bpfcc -p 4711 -C 'u:./main:text():char*,char*:arg1,arg2'
            1          arg1 = b'literal', arg2 = b'made 42'

Arguments are called by number, arg1 to arg9, and stand alone, so members of
records are out of reach. Its specification has no place for a provider: it
refuses a file in which two have a probe of the same name, as an alias makes.
"""

import ast
import re

from . import Running, Waiting, bcc, must_have_run, root_lacks

NAME = "argdist of bcc"
IN_KERNEL = True
ALIASES = False
READS = ("hits", "numbers", "strings")
_CLOCK = r"^\[\d\d:\d\d:\d\d\]$"
_VALUE = re.compile(r"""arg(\d) = (-?\d+|b'.*?'|b".*?")(?:, |$)""")

listed = bcc.listed
version = bcc.version


def lacks():
    return root_lacks("argdist-bpfcc") or bcc.lacks()


def most():
    return 9


def read(program, wanted):
    """It says the time each second, and behind it what was counted so far.
    Without -c it would clear its counts each time, and what comes between
    reading and clearing would be lost."""
    with Waiting(program.command) as waiting, Running(
            ["argdist-bpfcc", "-c", "-i", 1, "-z", 32, "-p", waiting.pid, *(
                word for number, probe in enumerate(wanted)
                for word in ("-C", _specification(program, number, probe,
                                                  wanted[probe])))],
            **bcc.headers()) as tracer:
        tracer.until(_CLOCK)
        waiting.go()
        tracer.quiet(0)     # so that the next report begins after the hits
        tracer.until(_CLOCK, 2 + len(re.findall(_CLOCK, tracer.said, re.M)))
        said = tracer.said
    must_have_run(program, said)
    names, hits = list(wanted), {}
    last = re.split(_CLOCK, said, flags=re.M)[-2]
    for number, lines in re.findall(r"^=(\d+)\n.*\n((?:\t.*\n)+)", last, re.M):
        for count, rest in re.findall(r"^\t(\d+) +(.*)$", lines, re.M):
            hits.setdefault(names[int(number)], []).extend(
                [_hit(rest, wanted[names[int(number)]])] * int(count))
    return hits


def _hit(rest, expressions):
    values = {int(index): ast.literal_eval(value)
              for index, value in _VALUE.findall(rest)}
    hit = [None if one.member else values.get(one.index + 1)
           for one in expressions]
    return [value.decode() if isinstance(value, bytes) else value
            for value in hit]


def _specification(program, number, probe, expressions):
    """A probe without arguments counts the constant 1."""
    own = [one for one in expressions
           if not one.member and one.index < most()]
    return "u:%s:%s():%s:%s#=%d" % (
        program.probes, probe.split(":")[1],
        ",".join("char*" if one.string else "s64" for one in own) or "s64",
        ",".join("arg%d" % (one.index + 1) for one in own) or "1", number)
