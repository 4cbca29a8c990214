#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""count.py JUNIT-FILE [ROOM...]: adds up a run of `meson test`.

Reads meson's JUnit file and prints, in this order: for each reason to skip how
many tests had it and the first of them; what the run left out, and the command
that runs it; each test that failed, with all that it said; and `N passed, N
failed, N skipped`. A room, which is a directory beside this file with tests in
it, that ran none of them is a failure: what should have run was not built, or
was not found; if rooms are named, only those were to run. Exit status 1 if a
test failed or a room ran none."""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

import opt_in
import programs

HERE = pathlib.Path(__file__).resolve().parent
REASON = re.compile(r"^ok (\d+) - .*? # SKIP ?(.*)$", re.M)
FAILURE = re.compile(r"^not ok (\d+) .*\n((?:#.*\n)*)", re.M)
LEFT_OUT = re.compile(r"^# left out: (\d+)$", re.M)
LINES = 400     # of what a failed test says, the last ones


OPTIONS = (
    ("--services", "tsmbd with Prometheus, Performance Co-Pilot and Chromium"),
    ("--packaging", "Debian and RPM packages, the ABI of the libraries"),
    ("--kernels", "the kernels of Debian's releases, in virtual machines"),
    ("--all-tracers", "SystemTap, LTTng and DTrace, in a virtual machine"),
)


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
    """{number of a test: what it said when it failed}"""
    return {int(number): text.splitlines()[-LINES:]
            for number, text in FAILURE.findall(said)}


def not_run(left_out, withheld):
    """A line for each option of ./dev test that this run did not have."""
    lines = []
    if not programs.ALL:
        lines.append("--all           %d tests more, and %d that need programs"
                     " which it installs" % (left_out, withheld))
    lines += ["%-15s %s" % (option, what) for option, what in OPTIONS
              if not programs.given(option)]
    return ["", "not run; ./dev test has an option for each:",
            *("  " + line for line in lines), ""]


def main(path, *wanted):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    skips = collections.defaultdict(list)
    failed = []
    ran = set()
    left_out = 0
    if not pathlib.Path(path).exists():
        sys.exit("count.py: meson has written no " + path)
    for suite in xml.etree.ElementTree.parse(path).iter("testsuite"):
        said = said_by(suite)
        why, how = reasons(said), failures(said)
        left_out += sum(map(int, LEFT_OUT.findall(said)))
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
    withheld = {reason: names for reason, names in skips.items()
                if reason.startswith(programs.WITHHELD)}
    for reason in withheld:
        del skips[reason]
    for reason, names in sorted(skips.items(), key=lambda item: len(item[1])):
        print("skipped: %s (%d tests; %s)" % (
            reason, len(names), re.sub(r"^\d+ - ", "", names[0])))
    for room in sorted((set(wanted) or rooms()) - ran):
        counts["failed"] += 1
        failed.append("failed: the room tests/%s ran no test" % room)
    if not wanted:
        failed[:0] = not_run(left_out, sum(map(len, withheld.values())))
    for line in failed:
        print(line)
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
