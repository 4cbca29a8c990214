#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Adds up a run of `meson test`: reads meson's JUnit file, prints each test
that failed or was skipped, and ends with `N passed, N failed, N skipped`.
Exit status 1 if a test failed or none ran."""

import sys
import xml.etree.ElementTree


def main(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = "%s %s" % (case.get("classname", ""), case.get("name", ""))
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            verdict = "failed"
        else:
            verdict = "passed" if skipped is None else "skipped"
        counts[verdict] += 1
        if verdict != "passed":
            print("%s: %s" % (verdict, name.strip()))
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % counts)
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
