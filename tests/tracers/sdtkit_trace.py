# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace: it runs the program, no privilege needed, and writes a line of
JSON for each hit (docs/trace.schema.json):

    {"provider":"store2","probe":"text","arguments":[
     {"name":"literal","type":"char *","value":"literal","address":"0x4b"}]}

Numbers that need more than 53 bits are strings of their digits, addresses are
strings anyway; floating point is a number, whose bits are found again by its
type. A record has its members by name. It puts a library into the program, which
gcc's address sanitizer takes for a mistake unless it is told.
"""

import functools
import json
import struct

from . import KINDS, must_have_run, run
from .ftrace import SDTKIT
from programs import once

NAME = "sdtkit trace"
IN_KERNEL = False
STATIC = False
READS = KINDS
_FLOATS = {"float": "<f", "double": "<d"}


@once
def lacks():
    if not SDTKIT.exists():
        return "sdtkit is not built in SDTKIT_BUILD"
    status, said = run([SDTKIT, "trace", "true"])
    return "sdtkit trace does not run here: " + said if status else None


@functools.lru_cache(maxsize=None)
def version():
    return run([SDTKIT, "trace", "--version"])[1].split()[-1]


def most():
    return 12


def listed(path):
    """What can be traced is what can be listed."""
    _, said = run([SDTKIT, "list", "--json", path])
    return {"%(provider)s:%(probe)s" % one
            for file in json.loads(said)["files"] for one in file["probes"]}


def read(program, wanted):
    lines = program.report.with_name("lines")
    _, said = run(["env", "ASAN_OPTIONS=verify_asan_link_order=0",
                   SDTKIT, "trace", "--json", "-o", lines,
                   *wanted, "--",
                   *program.command])
    must_have_run(program, said)
    hits = {}
    for line in lines.read_text().splitlines():
        hit = json.loads(line)
        if "arguments" not in hit:
            continue
        probe = "%(provider)s:%(probe)s" % hit
        hits.setdefault(probe, []).append([
            _value(hit["arguments"][one.index], one)
            for one in wanted[probe]])
    return hits


def _value(argument, one):
    """What was asked for; None if it is not there."""
    value, kind = argument["value"], argument["type"]
    if one.member:
        value, kind = argument.get("members", {}).get(one.member.name), "member"
        if value is None:
            return None
    elif "why" in argument:
        return None
    if one.string:
        # a string that is NULL is "", as with most tracers; what no file
        # describes (kind "") is one if it looks like one
        return (value or "") if kind else argument.get("text")
    if kind in _FLOATS:
        return int.from_bytes(struct.pack(_FLOATS[kind], float(value)),
                              "little")
    if isinstance(value, bool):
        return int(value)
    return int(str(argument.get("address", value)), 0)
