# SPDX-License-Identifier: BSD-2-Clause
"""tests/bench/record.py, with few hits: each way of recording has its row, with
figures or with what it lacks, and nothing is lost on the way. So does
tests/bench/reading.py: each form of output has its row, and reads all hits."""

import platform
import re
import subprocess

import pytest

# it measures, and other programs than the ordinary run has
pytestmark = pytest.mark.thorough
LIMIT = 600
ROWS = ["no probe", "off", "sdtkit's recorder", "sdtkit trace -p PID",
        "LTTng-UST", "bpftrace, count()", "bpftrace, printf()",
        "sdtkit trace --totals, by jump", "sdtkit trace -o FILE, by jump",
        "sdtkit trace -j, by jump", "sdtkit trace --ctf, by jump",
        "sdtkit trace --totals, by trap", "sdtkit trace -o FILE, by trap"]
MET = ["nothing lost", "off unchanged"]	# also with few hits
GOALS = ["sdtkit's recorder, at most 80 ns",
         "sdtkit's recorder, at most 0.6 times LTTng-UST",
         "sdtkit trace --totals, by jump, at most 25 ns",
         *("sdtkit trace %s, by jump, at most %s" % (option, most)
           for option in ("-o FILE", "-j", "--ctf")
           for most in ("60 ns", "0.8 times LTTng-UST")),
         "the first hit of a thread, at most 50000 ns", "nothing lost",
         "off unchanged"]


def tables(text):
    """The rows of each table, by the first cell of its head."""
    found = {}
    for part in re.findall(r"(?:^\|.*\n)+", text, re.M):
        head, *rows = [[cell.strip() for cell in line.split("|")[1:-1]]
                       for line in part.splitlines()]
        found[head[0]] = {row[0]: row[1:] for row in rows[1:]}
    return found


def run_short(source, build, name, unavailable):
    if platform.machine() != "x86_64":
        unavailable("the benchmark counts instructions of x86-64")
    done = subprocess.run(
        ["/usr/bin/python3", "-B", source / "tests" / "bench" / name,
         "--short", "--build", build], text=True, timeout=LIMIT,
        capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def said(source, build, unavailable):
    return run_short(source, build, "record.py", unavailable)


@pytest.fixture(scope="module")
def read(source, build, unavailable):
    return run_short(source, build, "reading.py", unavailable)


@pytest.mark.parametrize("title", ROWS)
def test_each_way_has_a_row(said, title, unavailable):
    row = tables(said)["one thread"][title]
    if row[0].startswith("missing: "):
        assert len(row[0]) > len("missing: ")
        if "not built" not in row[0]:
            unavailable(title + " is " + row[0])
        return
    processor, elapsed, ratio, lost = row
    for spread in (processor, elapsed):
        middle, least, greatest = map(float, re.fullmatch(
            r"([\d.]+) \(([\d.]+) to ([\d.]+)\)", spread).groups())
        assert least <= middle <= greatest
    assert ratio == "-" or float(ratio) >= 0
    if title != "bpftrace, printf()":	# drops what it cannot print in time
        assert lost == "none"


def test_more_threads_lose_nothing(said):
    rows = tables(said)["threads, processor ns"]
    assert "off" in rows
    assert {row[-1] for row in rows.values()} == {"none"}


@pytest.mark.parametrize("goal", GOALS)
def test_each_goal_is_named(said, goal):
    verdict = re.search(r"^goal, %s: (met|missed|not measured)" %
                        re.escape(goal), said, re.M)[1]
    assert verdict != "missed" or goal not in MET


def test_a_patchable_site_costs_no_more_than_another(said, unavailable):
    table = tables(said).get("off, instructions of a call")
    if table is None:
        unavailable("valgrind is missing")
    assert all(plain == patchable for _, plain, patchable in table.values())


@pytest.mark.parametrize("form", ["--totals", "--ctf", "lines", "-j"])
def test_each_form_reads_all_hits(read, form):
    rate, seconds, goal = tables(read)["read by"][form]
    assert float(rate.split()[0]) > 0 and float(seconds) > 0
    assert re.fullmatch(r"-|\d+: (met|missed)", goal)
