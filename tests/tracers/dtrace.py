# SPDX-License-Identifier: BSD-2-Clause
"""DTrace for Linux, 2.0.7 or later: it reads the notes of other people's
probes too. Debian 12 has none, and /usr/bin/dtrace is systemtap's: it comes
from Debian unstable, see vm/debian.py. It is attached with -p to the program,
which waits, so that an opened library is there:

    store$target:::text { printf("=3 <%s> %d\\n", copyinstr(arg0), arg1) }

It reads arg0 to arg9, and knows a string only by copyinstr(); a member of a
record is at an offset. It cannot use providers whose name ends in a digit, and
`__` in a probe's name is `-` to it. $SDTKIT_DTRACE is the command that starts
another DTrace.
"""

import functools
import os
import pathlib
import re
import shlex

from . import (KINDS, Running, Waiting, ftrace, must_have_run, root_lacks,
               run)
from .vm import HERE, debian
from programs import once

NAME = "DTrace"
IN_KERNEL = True
OPT_IN = True
READS = KINDS
OLDEST = [2, 0, 7]
EVENTS = "/sys/kernel/tracing/uprobe_events"
_VALUE = re.compile(r" (?:(-?\d+)|<(.*?)>)(?= |$)")


@functools.lru_cache(maxsize=None)
def command():
    """The words that start it; gets it first."""
    if os.environ.get("SDTKIT_DTRACE"):
        return shlex.split(os.environ["SDTKIT_DTRACE"])
    return [str(HERE / "dtrace"), str(debian.dtrace())]


@once
def lacks():
    missing = root_lacks("unshare")
    if missing:
        return missing
    try:
        command()
    except debian.Lacking as reason:
        return "no DTrace: %s" % reason
    status, said = run([*command(), "-qn", "BEGIN { exit(0); }"])
    if status:
        return "DTrace does not run here: " + said.strip()
    if [int(number) for number in version().split(".")] < OLDEST:
        return "DTrace %s reads only its own probes" % version()
    return None


@functools.lru_cache(maxsize=None)
def version():
    return re.search(r"[\d.]+", run([*command(), "-V"])[1])[0]


def most():
    return 10


def takes(probe):
    return not probe.split(":")[0][-1].isdigit()


def listed(path):
    """It knows the probes of processes, not of files: so of the program; and
    it wants to know the providers, which readelf tells. A stripped one has no
    functions to show."""
    _, notes = run(["readelf", "-n", path])
    names = {name for name in re.findall(r"Provider: (\w+)", notes)
             if takes(name + ":")}
    patterns = [word for name in names for word in ("-n", name + "$target:::")]
    with Waiting([str(path.with_name("main")), "/dev/null"]) as waiting:
        status, said = run([*command(), "-l", *patterns, "-p", waiting.pid])
    row = re.search(r"^ *\d+ ", said, re.M)
    assert status == 0 and row, "dtrace -l: %d %s" % (status, said)
    return {"%s:%s" % (name, probe.replace("-", "__")) for name in names
            for probe in re.findall(r"^ *\d+ +%s%d .* (\S+)$" % (
                name, waiting.pid), said, re.M)}


def read(program, wanted):
    script = "\n".join(_clause(number, probe, wanted[probe])
                       for number, probe in enumerate(wanted))
    said = attach(program, script)
    if "could not enable tracing" in said:
        return _halves(program, wanted)
    must_have_run(program, said)
    names, hits = list(wanted), {}
    for number, rest in re.findall(r"^=(\d+)(.*)$", said, re.M):
        values = [int(integer) if integer else text
                  for integer, text in _VALUE.findall(rest)]
        asked = wanted[names[int(number)]]
        values += [None] * (len(asked) - len(values))
        hits.setdefault(names[int(number)], []).append(values)
    return hits


def attach(program, script):
    """All that DTrace says of a run of the program, from before it fires."""
    script = 'BEGIN { printf("attached\\n"); }\n' + script
    with Waiting(["setarch", "-R", *program.command]) as waiting:
        with Running([*command(), "-q", "-x", "switchrate=20hz", "-p",
                      waiting.pid, "-n", script]) as tracer:
            tracer.until("^attached$|^dtrace: ")
            waiting.go()
            return tracer.stop()


def left():
    """Events that a DTrace left with the kernel: its process is gone."""
    text = pathlib.Path(EVENTS).read_text()
    return [event for event, pid in
            re.findall(r"^\w:(dt_(\d+)_\S+)", text, re.M)
            if not os.path.exists("/proc/" + pid)]


def sweep():
    """Removes them; a DTrace leaves some if it is killed."""
    for event in left():
        ftrace.append("-:" + event)


def _halves(program, wanted):
    """DTrace refused some probe, and does not say which. (The runs have the
    same addresses: setarch -R.)"""
    rows = list(wanted.items())
    if len(rows) == 1:
        program.report.touch()
        return {}
    middle = len(rows) // 2
    return dict(read(program, dict(rows[:middle])),
                **read(program, dict(rows[middle:])))


def _clause(number, probe, expressions):
    provider, name = probe.split(":")
    within = [one for one in expressions if one.index < most()]
    return '%s$target:::%s { printf("=%d%s\\n"%s); }' % (
        provider, name.replace("__", "-"), number,
        "".join(" <%s>" if one.string else " %d" for one in within),
        "".join(", " + _text(one) for one in within))


def _text(one):
    """A member has no cast around it: where DTrace 2.0.7 widens what it read
    from memory, the sign gets lost."""
    value = "(int64_t)arg%d" % one.index
    if one.member:
        value = "*(%sint%d_t *)copyin(arg%d + %d, %d)" % (
            "" if one.member.signed else "u", 8 * one.member.size, one.index,
            one.member.offset, one.member.size)
    return "copyinstr(%s)" % value if one.string else value
