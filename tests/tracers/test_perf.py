# SPDX-License-Identifier: BSD-2-Clause
"""What perf calls its events: sdt_PROVIDER:PROBE, the whole machine over; and
the second of a name, whosever it is, NAME_1, where it is forced to take it."""

import re

from . import expect, perf

FIRST, SECOND = (name + ":idle" for name in (expect.PROVIDER, expect.ALIAS))


def test_names(programs, need):
    need(perf)
    program = programs.copy("executable")
    cache = program.folder / "cache"

    def add(*words):
        status, said = perf.run(["perf", "--buildid-dir", cache, "probe",
                                 *words])
        names = re.findall(r"^p:(\S+)", "".join(perf.left(program.folder)),
                           re.M)
        return status, said, names

    perf.run(["perf", "--buildid-dir", cache, "buildid-cache", "--add",
              program.probes])
    with perf.events(cache, [expect.PROVIDER, expect.ALIAS]):
        status, said, names = add("--add=sdt_" + FIRST)
        assert (status, names) == (0, ["sdt_store2/idle"]), said
        status, said, names = add("--add=sdt_" + SECOND)
        assert status != 0 and 'event "idle" already exists' in said
        assert names == ["sdt_store2/idle"]
        status, said, names = add("--force", "--add=sdt_" + SECOND)
        assert (status, names) == (0, ["sdt_store2/idle",
                                       "sdt_store/idle_1"]), said
    assert not perf.left(program.folder)
