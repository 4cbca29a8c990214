# SPDX-License-Identifier: BSD-2-Clause
"""The table of sites: it agrees with the descriptions of the probes, and with
the rules for lines that cost nothing."""

import json
import re
import subprocess
import sys

import pytest

from samba_tool import SAMBA, SOURCE

import sites

TABLE = sites.read((SAMBA / "sites.txt").read_text())
BLOCKS = [(site, point.lines) for site in TABLE for point in site.points]
# what vfs_probes.h makes of the macros of Samba's profiling
VFS = {"PROBES_OP_START": 3, "PROBES_OP_DONE": 2, "PROBES_ASYNC_START": 3,
       "PROBES_ASYNC_IDLE": 1, "PROBES_ASYNC_BUSY": 1, "PROBES_ASYNC_DONE": 1,
       "PROBES_LIMIT_START": 5, "PROBES_LIMIT_DONE": 2}


@pytest.fixture(scope="module")
def arguments():
    """{macro: number of arguments} of all probes."""
    counts = {}
    for path in sorted((SOURCE / "providers").glob("*/*.d")):
        done = subprocess.run(
            [sys.executable, str(SOURCE / "probegen"), "--emit", "json",
             str(path), "-o", "-"], stdout=subprocess.PIPE, check=True)
        for provider in json.loads(done.stdout)["providers"]:
            for probe in provider["probes"]:
                counts[probe["macro"]] = len(probe["args"])
    return counts


def calls(text, name):
    """The numbers of arguments of the calls of a macro."""
    for match in re.finditer(r"\b%s\(" % name, text):
        depth, count, at = 1, 1, match.end()
        while depth:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[at], 0)
            count += depth == 1 and text[at] == ","
            at += 1
        yield count


def test_each_use_has_the_arguments_that_are_declared(arguments):
    for _, lines in BLOCKS:
        text = "\n".join(lines)
        for name in re.findall(
                r"\b((?:CTDB|SMB2|SMBD|SMBLOCK|SMBNET|TEVENT|WINBIND)_\w+)\(",
                text):
            if name.endswith("_ENABLED"):
                assert name[:-len("_ENABLED")] in arguments
            elif not name.startswith("SMBD_SMB2_"):
                assert set(calls(text, name)) == {arguments[name]}, name
        for name, count in VFS.items():
            assert set(calls(text, name)) <= {count}


def test_each_probe_has_a_place(arguments):
    text = "\n".join(line for _, lines in BLOCKS for line in lines)
    for name in ("vfs", "request"):
        text += (SAMBA / "static_probes" / (name + "_probes.h")).read_text()
    assert [m for m in arguments if not re.search(r"\b%s\(" % m, text)] == []


def test_lines_are_checks_and_nothing_else():
    """A statement begins with a probe, or the test whether one is enabled."""
    start = re.compile(
        r"\s*(#include |(opt|conf|bld)\.RECURSE|PROBES_\w+\("
        r"|(if \()?(CTDB|SMB2|SMBD|SMBLOCK|SMBNET|TEVENT|WINBIND)_\w+\()")
    for site, lines in BLOCKS:
        text = "\n".join(lines)
        if site.path.endswith(".h") or "wscript" in site.path:
            assert all(start.match(line) for line in lines)
            continue
        # at the depth of the block's first statement
        depth = 0
        fresh = True
        for line in lines:
            if fresh and depth == 0 and line.strip() not in ("}", ""):
                assert start.match(line), line
                assert not line.strip().startswith("if") or \
                    "_ENABLED()" in line, line
            depth += sum({"(": 1, "{": 1, ")": -1, "}": -1}.get(c, 0)
                         for c in line)
            fresh = line.rstrip().endswith((";", "}", ">", '"'))
        assert depth == 0, text


def test_lines_fit_in_80_columns():
    assert [line for _, lines in BLOCKS for line in lines
            if len(line.expandtabs(8)) > 80] == []
