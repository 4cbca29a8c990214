# SPDX-License-Identifier: BSD-2-Clause
"""docs/consumers.md says what was measured. SDTKIT_REGENERATE=1 writes it."""

import os

import builds
import expect
import matrix
import table


def test_docs(measured, unavailable, source):
    """Runs last: whatever this run measured is compared with the document."""
    path = source / "docs" / "consumers.md"
    before, middle, after = table.split(path.read_text())
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        for cell in matrix.cells():
            reason = cell.tracer.lacks() or builds.lacks(cell.header)
            if reason:
                unavailable("the table needs all: " + reason)
            measured.result(cell)
        middle = table.written(measured.results)
        path.write_text(before + table.BEGIN + middle + table.END + after)
    stated, figures = table.read(middle)
    here = table.versions()
    for where, figure in table.figures(measured.results).items():
        column = where[2]
        if column == "sdtkit" or all(stated.get(name) == here[name]
                                     for name in column):
            assert figures[where] == figure, where


def test_every_form_has_a_row(source):
    _, middle, _ = table.split((source / "docs" / "consumers.md").read_text())
    _, figures = table.read(middle)
    assert {probe for _, probe, _ in figures} == set(expect.ROWS)
