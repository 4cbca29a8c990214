# SPDX-License-Identifier: BSD-2-Clause
"""What the benchmarks share: options, commands, turns, cells of tables."""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
PYTHON = "/usr/bin/python3"     # what Debian's packages are for
LIMIT = 600                     # seconds; more than any command takes


def run(*command, **options):
    """Returns what a command said. It must succeed."""
    return subprocess.run(
        [str(word) for word in command], check=True, universal_newlines=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT,
           "timeout": LIMIT, **options}).stdout


def probegen(description, header):
    run(PYTHON, "-B", SOURCE / "probegen", "-s", description, "-o", header)


def options(document, root=False, more=(), **numbers):
    """Reads the command line: an option with a number for each of ``numbers``,
    --build, and ``more``: (name, what argparse takes)."""
    parser = argparse.ArgumentParser(description=document.split("\n\n")[0])
    for name, number in numbers.items():
        parser.add_argument("--" + name, type=int, default=number)
    parser.add_argument("--build", type=pathlib.Path, action="append")
    for name, kinds in more:
        parser.add_argument(name, **kinds)
    found = parser.parse_args()
    found.builds = [build.resolve() for build in found.build or [
        pathlib.Path(os.environ.get("SDTKIT_BUILD", SOURCE / "build"))]]
    found.build = found.builds[-1]
    if root and os.geteuid() != 0:
        sys.exit("%s needs root: nothing has been measured" % parser.prog)
    return found


def short(document, rounds):
    """The same for those with --short, which tests give."""
    found = options(document, rounds=None, more=[("--short", {
        "action": "store_true",
        "help": "few hits, one round: to see that it works"})])
    found.rounds = found.rounds or (1 if found.short else rounds)
    if not (found.build / "lib" / "tool" / "sdtkit").exists():
        sys.exit("sdtkit is not built in %s: ./dev build" % found.build)
    return found


def turns(rounds, ways, measure):
    """{way: figure of each round}; all ways take turns."""
    figures = {way: [] for way in ways}
    for _ in range(rounds):
        for way, seen in figures.items():
            seen.append(measure(way))
    return figures


def least(figures, form="%.0f"):
    """The least figure, and the median in parentheses."""
    return "%s (%s)" % (form, form) % (min(figures),
                                       statistics.median(figures))


def head(*cells):
    """Prints the head of a table."""
    print("| %s |\n|%s" % (" | ".join(cells), " --- |" * len(cells)))
