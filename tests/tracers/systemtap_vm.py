# SPDX-License-Identifier: BSD-2-Clause
"""SystemTap with its kernel module, in a guest: see vm. A clause per probe,

    probe process("/tmp/main").provider("store2").mark("text")
        { printf("=3 <%s> %d\\n", user_string2($arg1, ""), $arg2) }

with arguments counted from 1. Members of records come by @cast() with the
structs' header. It raises semaphores by itself, in every process.
"""

import re

from . import KINDS, must_have_run
from .vm import guest, systemtap

NAME = "SystemTap"
IN_KERNEL = True
OPT_IN = True
READS = KINDS
lacks = systemtap.lacks
version = systemtap.version


def most():
    return 12


def listed(path):
    _, said = systemtap.stap(
        "-l", 'process("%s").provider("*").mark("*")' % path)
    return {":".join(found) for found in re.findall(
        r'provider\("(\w+)"\).mark\("(\w+)"\)', said)}


def read(program, wanted):
    script = "\n".join(_clause(program, number, probe, wanted[probe])
                       for number, probe in enumerate(wanted))
    module = systemtap.compile(script, program.folder)
    _, said = guest.run("staprun %s -c '%s'" % (
        module, " ".join(program.command)), program.folder)
    must_have_run(program, said)
    assert "transport failures" not in said, "it lost some of its output"
    return hits(wanted, said)


def hits(wanted, said):
    """Parses lines `=3 <made 42> 7`; 3 is the index of the probe in wanted."""
    names, found = list(wanted), {}
    for number, rest in re.findall(r"^=(\d+)(.*)$", said, re.M):
        found.setdefault(names[int(number)], []).append([
            int(integer) if integer else text
            for integer, text in re.findall(r" (?:(-?\d+)|<(.*?)>)(?= |$)",
                                            rest)])
    return found


def _clause(program, number, probe, expressions):
    provider, name = probe.split(":")
    return 'probe process("%s").provider("%s").mark("%s") { %s }' % (
        program.probes, provider, name, show(number, expressions, [
            _value(one, program.structs) for one in expressions]))


def show(number, expressions, values):
    """The printf() for hits()."""
    return 'printf("=%d%s\\n"%s)' % (
        number,
        "".join(" <%s>" if one.string else " %d" for one in expressions),
        "".join(', user_string2(%s, "")' % value if one.string
                else ", " + value for one, value in zip(expressions, values)))


def _value(one, structs):
    value = "$arg%d" % (one.index + 1)
    if one.member:
        value = '@cast(%s, "%s", "<%s>")->%s' % (
            value, one.member.record, structs, one.member.name)
    return value
