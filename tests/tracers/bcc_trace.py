# SPDX-License-Identifier: BSD-2-Clause
"""bcc's tool `trace`, trace-bpfcc in Debian: a specification per probe, for a
process, since its probes have semaphores:

    trace-bpfcc -p 4711 'u:./main:store2:text "<%s> <%s>", arg1, arg2'

It prints a line per hit. An argument stands alone, arg1 to arg9: nothing can
be computed from it in 0.26, so members of records are out of reach.
"""

import re

from . import Running, Waiting, bcc, must_have_run, root_lacks

NAME = "trace of bcc"
IN_KERNEL = True
READS = ("hits", "numbers", "strings")
_LAST = r"^\d+ +\d+ +main +\w+:idle "    # the program fires it last
_VALUE = re.compile(r"(?:<(.*?)>|(-?\d+))(?: |$)")

listed = bcc.listed
version = bcc.version


def lacks():
    return root_lacks("trace-bpfcc") or bcc.lacks()


def most():
    return 9


def read(program, wanted):
    with Waiting(program.command) as waiting, Running(
            ["trace-bpfcc", "-p", waiting.pid, *(
                _specification(program, *row) for row in wanted.items())],
            **bcc.headers()) as tracer:
        tracer.until("^PID ")
        waiting.go()
        tracer.until(_LAST)     # on a busy machine, it pauses before
        tracer.quiet()
        said = tracer.stop()
    must_have_run(program, said)
    hits = {}
    for probe, rest in re.findall(r"^\d+ +\d+ +main +(\w+:\w+) +(.*)$", said,
                                  re.M):
        values = [text if not number else int(number)
                  for text, number in _VALUE.findall(rest)]
        hits.setdefault(probe, []).append([
            values.pop(0) if _readable(one) else None
            for one in wanted[probe]])
    return hits


def _readable(one):
    return not one.member and one.index < most()


def _specification(program, probe, expressions):
    own = [one for one in expressions if _readable(one)]
    return "u:%s:%s%s%s" % (
        program.probes, probe, own and ' "%s"' % " ".join(
            "<%s>" if one.string else "%lld" for one in own) or "",
        "".join(", arg%d" % (one.index + 1) for one in own))
