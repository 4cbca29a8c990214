# SPDX-License-Identifier: BSD-2-Clause
"""Runs inside gdb: stops at the probes that the JSON file $GDB_JOBS names,
reads the expressions that it has for them, and writes what it read.

    {"wanted": {"store2:text": [[0, true, null], ...]}, "start": ["run"], ...}
"""

import json
import os

import gdb      # pylint: disable=import-error  # gdb brings it

HITS = {}
INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long"}


class Probe(gdb.Breakpoint):
    """At a probe: reads its arguments and goes on."""

    def __init__(self, probe, expressions):
        super().__init__("-probe-stap " + probe)
        self.probe = probe
        self.expressions = expressions

    def stop(self):
        HITS.setdefault(self.probe, []).append(
            [value(*one) for one in self.expressions])
        return False


def value(index, string, member):
    """A number or a string; None if gdb cannot read it."""
    try:
        found = number(gdb.parse_and_eval("$_probe_arg%d" % index))
        if member:
            found = number(of_record(found, *member))
        if string:
            text = gdb.lookup_type("char").pointer()
            return gdb.Value(found).cast(text).string()
        return found
    except gdb.error:
        return None


def number(found):
    return int(found.cast(gdb.lookup_type("long long")))


def of_record(address, record, name, offset, size, signed):
    try:
        return gdb.parse_and_eval("((struct %s *)%#x)->%s" % (
            record, address % 2**64, name))
    except gdb.error:       # no debug information
        return gdb.parse_and_eval("*(%s %s *)%#x" % (
            "signed" if signed else "unsigned", INTEGERS[size],
            address % 2**64 + offset))


def main():
    with open(os.environ["GDB_JOBS"]) as file:
        jobs = json.load(file)
    for command in ["set pagination off", "set confirm off",
                    "set breakpoint pending on", *jobs["start"]]:
        gdb.execute(command)
    for probe, expressions in jobs["wanted"].items():
        try:
            Probe(probe, expressions)
        except gdb.error:
            pass        # no such probe: no hits
    gdb.execute("continue")
    with open(jobs["hits"], "w") as file:
        json.dump(HITS, file)


main()
