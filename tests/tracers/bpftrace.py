# SPDX-License-Identifier: BSD-2-Clause
"""bpftrace: a clause per probe, attached with -p to the program, which waits.
(With -c, 0.17 finds no probes in a library: that is not there yet.)

    usdt:./main:store2:text { printf("=3 0 %s 1 %s\\n", str(arg0), str(arg1)); }

Members of records are found by the struct's header, `((struct x *)arg0)->f`.
Before 0.24 it has names for as many arguments as a function has in registers:
arg0 to arg5 on x86-64, arg0 to arg4 on s390x. An argument that it cannot read
fails the whole program when that is compiled, with a message that names it.
"""

import functools
import platform
import re
import subprocess

from . import KINDS, LIMIT, Waiting, must_have_run, root_lacks, run
from programs import once

NAME = "bpftrace"
IN_KERNEL = True
READS = KINDS
_REFUSED = re.compile(r"couldn't get argument (\d+) for \S+:(\w+:\w+)")
_VALUE = re.compile(r"(\d+) (?:(-?\d+)|<(.*?)>)(?: |$)")


@once
def lacks():
    missing = root_lacks("bpftrace")
    if missing:
        return missing
    status, said = run(["bpftrace", "-e", "BEGIN { exit(); }"])
    return "bpftrace does not run here: " + said.strip() if status else None


@functools.lru_cache(maxsize=None)
def version():
    return run(["bpftrace", "--version"])[1].split("v")[-1].strip()


@functools.lru_cache(maxsize=None)
def most():
    numbers = [int(number) for number in re.findall(r"\d+", version())]
    if numbers >= [0, 24]:
        return 12
    return 5 if platform.machine() == "s390x" else 6


def listed(path):
    _, said = run(["bpftrace", "-l", "usdt:%s:*" % path])
    return set(re.findall(r"^usdt:.*:(\w+:\w+)$", said, re.M))


def read(program, wanted):
    """An expression's number stands before its value: some are left out."""
    asked = {probe: {index: one for index, one in enumerate(expressions)
                     if one.index < most()}
             for probe, expressions in wanted.items()}
    while True:
        said = attach(program, _script(program, asked))
        refused = _REFUSED.search(said)
        if not refused:
            break
        asked[refused[2]] = {
            number: one for number, one in asked[refused[2]].items()
            if one.index != int(refused[1])}
    must_have_run(program, said)
    return hits_of(said, wanted)


def hits_of(said, wanted):
    """{probe: [[value, ...]]}, of the lines that the clauses print."""
    names, hits = list(wanted), {}
    for number, rest in re.findall(r"^=(\d+) ?(.*)$", said, re.M):
        hit = [None] * len(wanted[names[int(number)]])
        for index, integer, text in _VALUE.findall(rest):
            hit[int(index)] = int(integer) if integer else text
        hits.setdefault(names[int(number)], []).append(hit)
    return hits


def attach(program, script, *arguments):
    """All that bpftrace says. What BEGIN prints comes when all is attached."""
    with Waiting(program.command) as waiting:
        tracer = subprocess.Popen(
            ["timeout", str(LIMIT), "bpftrace", "-B", "none", "-e", script,
             "-p", str(waiting.pid), *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True)
        said = ""
        for line in tracer.stdout:
            said += line
            if line == "attached\n":
                waiting.go()
        tracer.wait()
    return said


def _script(program, asked):
    lines = ['BEGIN { printf("attached\\n"); }']
    if program.structs:
        lines.insert(0, '#include "%s"' % program.structs)
    lines += [_clause(program, number, probe, asked[probe])
              for number, probe in enumerate(asked)]
    return "\n".join(lines)


def _clause(program, number, probe, expressions):
    formats = "".join(" %d %s" % (index, "<%s>" if one.string else "%lld")
                      for index, one in expressions.items())
    values = "".join(", " + text(one) for one in expressions.values())
    return 'usdt:%s:%s { printf("=%d%s\\n"%s); }' % (
        program.probes, probe, number, formats, values)


def text(one):
    """An expression as bpftrace writes it."""
    value = "arg%d" % one.index
    if one.member:
        value = "((struct %s *)%s)->%s" % (one.member.record, value,
                                           one.member.name)
    return "str(%s)" % value if one.string else value
