#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""count.py JUNIT-FILE: adds up a run of `meson test`.

Reads meson's JUnit file, prints each test that failed, and for each reason to
skip how many tests had it and the first of them, and ends with `N passed, N
failed, N skipped`. A room, which is a directory beside this file with tests in
it, that ran none of them is a failure: what should have run was not built, or
was not found. Exit status 1 if a test failed or a room ran none."""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

import opt_in

HERE = pathlib.Path(__file__).resolve().parent
REASON = re.compile(r"^ok (\d+) - .*? # SKIP ?(.*)$", re.M)


def rooms():
    """The directories with tests that meson runs, if they were asked for."""
    return {path.parent.name for path in [*HERE.glob("*/test_*.py"),
                                          *HERE.glob("*/meson.build")]
            } - opt_in.left_out()


def reasons(suite):
    """{number of a test: why it skipped}, from what the suite printed: meson
    leaves it out of the JUnit file's own elements."""
    said = "\n".join(element.text or "" for element in
                     suite.iter("system-out"))
    return {int(number): reason for number, reason in REASON.findall(said)}


def main(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    skips = collections.defaultdict(list)
    ran = set()
    if not pathlib.Path(path).exists():
        sys.exit("count.py: meson has written no " + path)
    for suite in xml.etree.ElementTree.parse(path).iter("testsuite"):
        why = reasons(suite)
        for case in suite.iter("testcase"):
            name = case.get("name", "")
            if case.find("skipped") is not None:
                number = re.match(r"\d+", name)
                reason = why.get(int(number[0])) if number else None
                skips[reason or "no reason given"].append(name)
                counts["skipped"] += 1
                continue
            # sdtkit.sdtkit:ROOM / PROGRAM, or sdtkit:ROOM+OPTION / PROGRAM
            ran.add(re.split("[ +]", suite.get("name").split(":")[-1])[0])
            failed = (case.find("failure") is not None
                      or case.find("error") is not None)
            counts["failed" if failed else "passed"] += 1
            if failed:
                print("failed: %s %s" % (suite.get("name"), name))
    for reason, names in sorted(skips.items(), key=lambda item: len(item[1])):
        print("skipped: %s (%d tests; %s)" % (
            reason, len(names), re.sub(r"^\d+ - ", "", names[0])))
    for room in sorted(rooms() - ran):
        counts["failed"] += 1
        print("failed: the room tests/%s ran no test" % room)
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
