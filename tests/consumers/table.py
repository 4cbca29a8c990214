# SPDX-License-Identifier: BSD-2-Clause
"""The tables of docs/consumers.md: written from what was measured, read back
to compare.

A table has a row per form and a column per compiler and tracer; the column
"sdtkit" sums up all of those for sdtkit. A figure is how many arguments are
read right; "all" means all that each tracer can read, "-" that the compiler
refuses the form. What <sys/sdt.h> gets right depends on the versions of
everything, so they are part of what is written, and its figures are compared
only where they are the same.
"""

import re

import builds
import expect
import matrix

BEGIN = "<!-- measured: SDTKIT_REGENERATE=1 writes this -->\n"
END = "<!-- end of what was measured -->\n"
PAIRS = (expect.C, expect.CXX)


def columns(compilers):
    return [(compiler, tracer.NAME) for compiler in compilers
            for tracer in matrix.TRACERS]


def figures(results):
    """{(pair, row, column): text} of {cell: Result}; a row is a probe."""
    found = {}
    for pair in PAIRS:
        cells = [(cell, result) for cell, result in results.items()
                 if cell.compiler in pair]
        for probe in expect.wanted(pair[0]):
            ours = [(cell, result) for cell, result in cells
                    if cell.header == "sdtkit"]
            if ours:
                found[pair, probe, "sdtkit"] = _summed(ours, probe)
            for cell, result in cells:
                if cell.header != "sdtkit":
                    where = (cell.compiler, cell.tracer.NAME)
                    found[pair, probe, where] = (
                        "-" if probe in result.left_out
                        else str(result.read[probe]))
    return found


def _summed(ours, probe):
    """ "all", or who missed how many."""
    missed = sorted({"%s %s %d" % (cell.compiler, cell.tracer.NAME,
                                   result.read[probe])
                     for cell, result in ours if result.read[probe]
                     != expect.count(probe, cell.tracer.most())})
    return ", ".join(missed) or "all"


def versions():
    """{program: version} of what is measured with."""
    found = {compiler: builds.run(".", [compiler, "-dumpfullversion",
                                        "-dumpversion"])[1].strip()
             for compiler in builds.FACTORS["compiler"]}
    found.update((tracer.NAME, tracer.version()) for tracer in matrix.TRACERS)
    return found


def written(results):
    """The text between the markers, from a run that measured everything."""
    found = figures(results)
    text = "\nMeasured with %s.\n" % ", ".join(
        "%s %s" % row for row in versions().items())
    for pair in PAIRS:
        heads = ["form", "arguments", "sdtkit"] + [
            "%s %s" % column for column in columns(pair)]
        rows = [[expect.ROWS[probe][0], str(expect.count(probe, 12)),
                 found[pair, probe, "sdtkit"]] +
                [found[pair, probe, column] for column in columns(pair)]
                for probe in expect.wanted(pair[0])]
        rows.append(_totals(rows))
        text += "\n| %s |\n|%s\n" % (" | ".join(heads), " --- |" * len(heads))
        text += "".join("| %s |\n" % " | ".join(row) for row in rows)
    return text + "\n"


def _totals(rows):
    """The row of sums; a form that does not compile counts as 0."""
    right = all(row[2] == "all" for row in rows)
    return ["**all forms**", str(sum(int(row[1]) for row in rows)),
            "**all**" if right else "not all"] + [
                str(sum(int(row[i]) for row in rows if row[i] != "-"))
                for i in range(3, len(rows[0]))]


def split(text):
    """The document before, between and behind the markers."""
    before, rest = text.split(BEGIN)
    middle, after = rest.split(END)
    return before, middle, after


def read(middle):
    """(versions, figures) of what written() made."""
    said = re.search(r"^Measured with (.*)\.$", middle, re.M)[1]
    stated = dict(row.rsplit(" ", 1) for row in said.split(", "))
    names = {row[0]: probe for probe, row in expect.ROWS.items()}
    found, pair, wheres = {}, None, []
    for line in middle.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == "form":
            wheres = ["sdtkit"] + [tuple(cell.split(" ", 1))
                                   for cell in cells[3:]]
            pair = next(pair for pair in PAIRS if pair[0] == wheres[1][0])
        elif cells[0] in names:
            for where, cell in zip(wheres, cells[2:]):
                found[pair, names[cells[0]], where] = cell
    return stated, found
