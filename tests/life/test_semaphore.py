# SPDX-License-Identifier: BSD-2-Clause
"""However a program is linked and treated, its semaphores work: there is one
per linked object, nobody outside sees it, and a tracer that comes before the
program or in the middle of one of its loops sees every hit.

The default is most treatments; with ./dev test --all it is each treatment with
each linker. SDTKIT_LIFE=all takes the whole product of the tables in
life_build.py (a quarter of an hour).
"""

import re
import subprocess

import pytest

import life_build
import life_sites
from life_run import Program, Tracer, complete, total
from programs import ALL

CASES = (life_build.all_cases() if life_build.EVERYTHING else
         life_build.some_cases() if ALL else life_build.few_cases())

pytestmark = pytest.mark.parametrize(
    "case", CASES, ids=lambda case: " ".join(case))


def readelf(path, option):
    return subprocess.run(["readelf", "-W", option, path], check=True,
                          text=True, stdout=subprocess.PIPE).stdout


def semaphore_symbols(path, option):
    """(size, binding, visibility) of each in a symbol table."""
    rows = [line.split() for line in readelf(path, option).split("\n")]
    return [(int(row[2]), row[4], row[5]) for row in rows
            if len(row) == 8 and row[7] == "life_round_semaphore"]


def sections(path):
    """name -> (address, size)"""
    rows = re.findall(r"\] (\S+) +\w+ +([0-9a-f]+) \w+ (\w+)",
                      readelf(path, "-S"))
    return {name: (int(start, 16), int(size, 16))
            for name, start, size in rows}


def number_of_sites(path):
    return len(life_sites.sites(path))


def test_one_and_hidden(case, built):
    for path in built(case):
        notes = life_sites.notes(path)
        assert len(notes) >= 2
        [semaphore] = {semaphore for _, semaphore, _ in notes}
        start, size = sections(path)[".probes"]
        assert start <= semaphore < start + size
        assert size == 2
        assert semaphore_symbols(path, "--dyn-syms") == []
        if case.treatment not in ("stripped", "objcopied"):
            [(size, binding, visibility)] = semaphore_symbols(path, "-s")
            assert size == 2
            assert "LOCAL" in binding or visibility == "HIDDEN"


def test_traced_from_the_start(case, built, tools):
    program, library = built(case)
    with Tracer(tools, program, library) as tracer:
        with Program(program) as target:
            assert target.ask("batch 20") == (20, number_of_sites(program))
            if not case.kind.startswith("static"):
                target.ask("open %s" % library)
                assert target.ask("guest 11") == (
                    11, number_of_sites(library))
                target.ask("close")
            rows = tracer.detach()
            assert total(rows, 0) == 20
            assert total(rows, 1) in (0, 11)
            assert total(rows, 1) == 11 or case.kind.startswith("static")
            assert target.ask("batch 20") == (0, 0)


def test_traced_in_mid_loop(case, built, tools):
    program, _ = built(case)
    with Program(program) as target:
        assert target.ask("batch 6") == (0, 0)
        target.spin()
        with Tracer(tools, program) as tracer:
            rows = tracer.detach_later()
        seen, semaphore = target.stop()
        assert semaphore == 0
        # the tracer may come between a round's look and its probe
        assert 0 < total(rows) <= seen + 1
        assert [row.thread for row in rows] == [target.pid]
        assert complete(rows)
