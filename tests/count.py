#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""count.py JUNIT-FILE: adds up a run of `meson test`.

Reads meson's JUnit file, prints for each reason to skip how many tests had it
and the first of them, then each test that failed and how, and ends with `N
passed, N failed, N skipped`. A room, which is a directory beside this file with
tests in it, that ran none of them is a failure: what should have run was not
built, or was not found. Exit status 1 if a test failed or a room ran none."""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

import opt_in

HERE = pathlib.Path(__file__).resolve().parent
REASON = re.compile(r"^ok (\d+) - .*? # SKIP ?(.*)$", re.M)
FAILURE = re.compile(r"^not ok (\d+) .*\n((?:#.*\n)*)", re.M)
LINES = 40      # of what a failed test says


def rooms():
    """The directories with tests that meson runs, if they were asked for."""
    return {path.parent.name for path in [*HERE.glob("*/test_*.py"),
                                          *HERE.glob("*/meson.build")]
            } - opt_in.left_out()


def said_by(suite):
    """What the suite printed: meson leaves reasons and errors out of the JUnit
    file's own elements."""
    return "\n".join(element.text or "" for element in
                     suite.iter("system-out"))


def reasons(said):
    """{number of a test: why it skipped}"""
    return {int(number): reason for number, reason in REASON.findall(said)}


def failures(said):
    """{number of a test: the last lines of its error}, of pytest only those
    that it marks with an E"""
    found = {}
    for number, text in FAILURE.findall(said):
        lines = text.splitlines()
        marked = [line for line in lines if line.startswith("# E ")]
        found[int(number)] = (marked or lines)[-LINES:]
    return found


def main(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    skips = collections.defaultdict(list)
    failed = []
    ran = set()
    if not pathlib.Path(path).exists():
        sys.exit("count.py: meson has written no " + path)
    for suite in xml.etree.ElementTree.parse(path).iter("testsuite"):
        said = said_by(suite)
        why, how = reasons(said), failures(said)
        for case in suite.iter("testcase"):
            name = case.get("name", "")
            number = re.match(r"\d+", name)
            number = int(number[0]) if number else None
            if case.find("skipped") is not None:
                skips[why.get(number) or "no reason given"].append(name)
                counts["skipped"] += 1
                continue
            # sdtkit.sdtkit:ROOM / PROGRAM, or sdtkit:ROOM+OPTION / PROGRAM
            ran.add(re.split("[ +]", suite.get("name").split(":")[-1])[0])
            if case.find("failure") is None and case.find("error") is None:
                counts["passed"] += 1
                continue
            counts["failed"] += 1
            failed += ["failed: %s %s" % (suite.get("name"), name),
                       *how.get(number, [])]
    for reason, names in sorted(skips.items(), key=lambda item: len(item[1])):
        print("skipped: %s (%d tests; %s)" % (
            reason, len(names), re.sub(r"^\d+ - ", "", names[0])))
    for room in sorted(rooms() - ran):
        counts["failed"] += 1
        failed.append("failed: the room tests/%s ran no test" % room)
    for line in failed:
        print(line)
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
