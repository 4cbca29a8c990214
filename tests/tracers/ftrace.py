# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own events, without any tracer: a line for each site, written
to a file of tracefs, with the places that `sdtkit list --json` tells.

    p:mine/text /tmp/main:0x16ba(0x4000) v0=+0(%ax):string v1=+8(%si):u16

Behind the file stand the offsets of the site and of the semaphore, which the
kernel raises. Strings and members of records are followed by their offsets.
perf records such events as it does others; here they are read from an instance
of the trace of its own.
"""

import itertools
import json
import os
import pathlib
import re

from . import KINDS, must_have_run, run
from programs import once

NAME = "ftrace"
IN_KERNEL = True
READS = KINDS
TRACING = pathlib.Path("/sys/kernel/tracing")
SDTKIT = pathlib.Path(os.environ.get("SDTKIT_BUILD", "/"), "lib/tool/sdtkit")
_NUMBERS = itertools.count()
_LINE = re.compile(r": e(\d+): \(0x\w+\)(.*)$", re.M)
_VALUE = re.compile(r' v(\d+)=(?:"(.*?)"|(-?\d+)(?= |$))')


@once
def lacks():
    if not SDTKIT.exists():
        return "sdtkit is not built in SDTKIT_BUILD"
    if os.geteuid() != 0:
        return "ftrace needs root"
    if not os.access(TRACING / "uprobe_events", os.W_OK):
        return "%s is not there; mount tracefs" % (TRACING / "uprobe_events")
    return None


def version():
    return "Linux " + os.uname().release


def most():
    return 12


def listed(path):
    return set(sites(path))


def read(program, wanted):
    name = "sdtkit%d_%d" % (os.getpid(), next(_NUMBERS))
    instance = TRACING / "instances" / name
    found = sites(program.probes)
    lines = [_event(program.probes, "%s/e%d" % (name, number), site,
                    wanted[probe])
             for number, probe in enumerate(wanted) for site in found[probe]]
    instance.mkdir()
    try:
        for line in lines:
            append(line)
        (instance / "events" / name / "enable").write_text("1")
        _, said = run(program.command)
        text = (instance / "trace").read_text()
    finally:
        events = instance / "events" / name
        if events.exists():
            (events / "enable").write_text("0")
        instance.rmdir()
        for number in range(len(wanted)):
            if (TRACING / "events" / name / ("e%d" % number)).exists():
                append("-:%s/e%d" % (name, number))
    must_have_run(program, said)
    names, hits = list(wanted), {}
    for number, rest in _LINE.findall(text):
        hit = [None] * len(wanted[names[int(number)]])
        for index, string, integer in _VALUE.findall(rest):
            hit[int(index)] = int(integer) if integer else string
        hits.setdefault(names[int(number)], []).append(hit)
    return hits


def append(line):
    """Not open(..., "a"), which seeks, and not "w", which removes the events
    of everybody."""
    file = os.open(TRACING / "uprobe_events", os.O_WRONLY | os.O_APPEND)
    try:
        os.write(file, (line + "\n").encode())
    finally:
        os.close(file)


def sites(path):
    """{"store2:text": [site, ...]}, as docs/list.schema.json has them."""
    _, said = run([SDTKIT, "list", "--json", path])
    return {"%s:%s" % (probe["provider"], probe["probe"]): probe["sites"]
            for probe in json.loads(said)["files"][0]["probes"]}


def _event(path, name, site, expressions):
    operands = [_location(operand["text"]) for operand in site["operands"]]
    return "p:%s %s:%s(%s) %s" % (
        name, path, site["offset"], site["semaphore"]["offset"], " ".join(
            "v%d=%s" % (number, _fetch(one, operands[one.index]))
            for number, one in enumerate(expressions)))


def _location(operand):
    """-8@%rdi is %di, 8@16(%rsp) is +16(%sp); 8@[sp, 24] of aarch64 is
    +24(%sp), and 8@9 of ppc64le %gpr9."""
    place = re.sub(r"^-?8@", "", operand)
    found = (re.match(r"(?P<offset>\d*)\((?P<register>%?\w+)\)$", place)
             or re.match(r"\[(?P<register>\w+)(?:, (?P<offset>\d+))?\]$", place)
             or re.match(r"(?P<register>%?\w+)(?P<offset>)$", place))
    register = "%" + _as_the_kernel_calls(found["register"].lstrip("%"))
    return "+%s(%s)" % (found["offset"] or 0, register) if (
        found["offset"] or "(" in place or "[" in place) else register


def _as_the_kernel_calls(register):
    if register.isdigit():
        return "gpr" + register         # of ppc64le
    return re.sub(r"^r(?=[a-z])", "", register)     # of x86-64; s390x has r2


def _fetch(one, location):
    form = "s64"
    if one.member:
        location = "+%d(%s)" % (one.member.offset, location)
        form = "%s%d" % ("s" if one.member.signed else "u",
                         8 * one.member.size)
    return "+0(%s):string" % location if one.string else "%s:%s" % (
        location, form)
