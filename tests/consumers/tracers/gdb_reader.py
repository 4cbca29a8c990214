# SPDX-License-Identifier: BSD-2-Clause
"""Runs inside gdb: stops at the probes that the file $FORM_JOBS names and
writes what it read to $FORM_HITS, both JSON."""

import json
import os

import gdb      # pylint: disable=import-error  # gdb brings it

HITS = {}


class Probe(gdb.Breakpoint):
    """At a probe: reads its arguments and goes on."""

    def __init__(self, provider, probe, kinds):
        super().__init__("-probe-stap %s:%s" % (provider, probe))
        self.probe = probe
        self.kinds = kinds

    def stop(self):
        HITS.setdefault(self.probe, []).append(
            [argument(index, kind) for index, kind in enumerate(self.kinds)])
        return False


def argument(index, kind):
    """A number or a string; None if gdb cannot read it."""
    try:
        value = gdb.parse_and_eval("$_probe_arg%d" % index)
        number = int(value.cast(gdb.lookup_type("long")))
        if kind == "z":
            text = gdb.lookup_type("char").pointer()
            return gdb.Value(number).cast(text).string()
        return number
    except gdb.error:
        return None


def main():
    with open(os.environ["FORM_JOBS"]) as file:
        jobs = json.load(file)
    for command in ("set pagination off", "set confirm off",
                    "tbreak main", "run"):      # libraries are there then
        gdb.execute(command)
    for probe, kinds in jobs["wanted"].items():
        try:
            Probe(jobs["provider"], probe, kinds)
        except gdb.error:
            pass        # no such probe: no hits
    gdb.execute("continue")
    with open(os.environ["FORM_HITS"], "w") as file:
        json.dump(HITS, file)


main()
