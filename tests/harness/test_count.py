# SPDX-License-Identifier: BSD-2-Clause
"""tests/count.py: what a run of meson comes to, from its JUnit file."""

import os
import pathlib
import subprocess
import sys
import xml.sax.saxutils

import pytest

import opt_in
import programs

TESTS = pathlib.Path(__file__).resolve().parent.parent
OPT_IN = "packaging"        # one of those that the ordinary run leaves out
ROOMS = sorted({path.parent.name for path in [
    *TESTS.glob("*/test_*.py"), *TESTS.glob("*/meson.build")]} -
    set(opt_in.ROOMS))


def suite(room, cases, said=""):
    """cases: {name: what is inside of its element}"""
    return '<testsuite name="sdtkit.sdtkit:%s / pytest">%s%s</testsuite>' % (
        room, "".join("<testcase name=%s>%s</testcase>" % (
            xml.sax.saxutils.quoteattr(name), inside)
            for name, inside in cases.items()),
        "<system-out>%s</system-out>" % said)


@pytest.fixture
def count(tmp_path):
    """count(suite...): exit status, lines"""
    def run(*suites, **more):
        file = tmp_path / "junit.xml"
        file.write_text("<testsuites>%s</testsuites>" % "".join(suites))
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith("SDTKIT_")}
        done = subprocess.run([sys.executable, TESTS / "count.py", file],
                              env=dict(clean, **more),
                              stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout.splitlines()
    return run


def every_room(but=None, **others):
    return [others.get(room) or suite(room, {"1 - good": ""})
            for room in ROOMS if room != but]


def test_all_is_well(count):
    everything = dict.fromkeys(
        ["SDTKIT_ALL", "SDTKIT_ALL_TRACERS", "SDTKIT_REQUIRE_SERVICES"], "1")
    status, lines = count(*every_room(), **everything)
    assert status == 0
    assert lines[-1] == "%d passed, 0 failed, 0 skipped" % len(ROOMS)
    assert [line.split()[0] for line in lines if line.startswith("  ")] == [
        "--packaging", "--kernels"]


def test_what_did_not_run(count):
    """Left out tests are in no element of the file; withheld ones skip."""
    said = ("# left out: 12\nok 1 - a # SKIP only with ./dev test --all: tcc\n"
            "ok 2 - b # SKIP needs root\nok 3 - c\n")
    _, lines = count(*every_room(tool=suite("tool", {
        "1 - a": "<skipped/>", "2 - b": "<skipped/>", "3 - c": ""}, said)))
    assert [line.split()[0] for line in lines if line.startswith("  ")] == [
        "--all", "--services", "--packaging", "--kernels", "--all-tracers"]
    assert "12 tests more, and 1 that need programs" in "\n".join(lines)
    assert [line for line in lines if line.startswith("skipped: ")] == [
        "skipped: needs root (1 tests; b)"]
    assert lines[-1] == "%d passed, 0 failed, 2 skipped" % len(ROOMS)


def test_failure(count):
    status, lines = count(*every_room(
        tool=suite("tool", {"1 - bad": "<failure/>", "2 - good": ""})))
    assert status == 1
    assert lines[-2] == "failed: sdtkit.sdtkit:tool / pytest 1 - bad"
    assert lines[-1] == "%d passed, 1 failed, 0 skipped" % len(ROOMS)


def test_how_it_failed(count):
    """All of it, last, so that the end of a log is enough."""
    said = ("ok 1 - a # SKIP needs root\nnot ok 2 - b\n#     assert 1 == 2\n"
            "# E   assert 1 == 2\n# b.py:7: AssertionError\nok 3 - c\n"
            "not ok 4 - d\n# no line is marked\n# in this one\n")
    _, lines = count(*every_room(tool=suite("tool", {
        "1 - a": "<skipped/>", "2 - b": "<failure/>", "3 - c": "",
        "4 - d": "<failure/>"}, said)))
    assert lines[0] == "skipped: needs root (1 tests; a)"
    assert lines[-8:-1] == [
        "failed: sdtkit.sdtkit:tool / pytest 2 - b",
        "#     assert 1 == 2", "# E   assert 1 == 2",
        "# b.py:7: AssertionError",
        "failed: sdtkit.sdtkit:tool / pytest 4 - d",
        "# no line is marked", "# in this one"]


def test_room_that_is_missing(count):
    status, lines = count(*every_room(but="tool"))
    assert status == 1
    assert "failed: the room tests/tool ran no test" in lines


def test_room_that_only_skips_and_why(count):
    said = "ok 1 - some/test.py::test_a # SKIP needs root\nok 2 - b # SKIP\n"
    status, lines = count(*every_room(tool=suite(
        "tool", {"1 - some/test.py::test_a": "<skipped/>",
                 "2 - b": "<skipped/>"}, said)))
    assert status == 1
    assert "skipped: needs root (1 tests; some/test.py::test_a)" in lines
    assert "skipped: no reason given (1 tests; b)" in lines
    assert "failed: the room tests/tool ran no test" in lines
    assert lines[-1] == "%d passed, 1 failed, 2 skipped" % (len(ROOMS) - 1)


def test_room_that_was_asked_for(count):
    """It must run then; one with two suites of meson counts by the first."""
    asked = dict.fromkeys(map(programs.required_by, opt_in.ROOMS.values()), "1")
    status, lines = count(*every_room(), **asked)
    assert status == 1
    assert "failed: the room tests/%s ran no test" % OPT_IN in lines
    others = [suite(room + "+option", {"1 - good": ""})
              for room in opt_in.ROOMS]
    assert count(*every_room(), *others, **asked)[0] == 0
