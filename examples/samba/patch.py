# SPDX-License-Identifier: BSD-2-Clause
"""Adds the lines of the table to a text, or removes them.

sites.py gives the table, finder.py finds the points; apply.py reads and writes
files. Adding to a tree first takes out what is there of ours, so that a second
run, and one with a newer table, end in the same text as the first.

    strip(patched) == pristine, insert(pristine) == patched

Invariant: a line of Samba's is never changed, only lines are added.
"""

import re
from collections import namedtuple

import finder

# A site without a point, and for each alternative the reason.
Missing = namedtuple("Missing", "site reasons")

Change = namedtuple("Change", "path old new")


def _kept(lines, sites):
    """Returns [(number from 1, line)] of the lines that are not a block of the
    table; a block that was edited is not one."""
    blocks = sorted({tuple(p.lines) for s in sites for p in s.points},
                    key=len, reverse=True)
    kept = []
    at = 0
    while at < len(lines):
        block = next((b for b in blocks
                      if tuple(lines[at:at + len(b)]) == b), None)
        if block:
            at += len(block)
        else:
            kept.append((at + 1, lines[at]))
            at += 1
    return kept


def strip(lines, sites):
    """Returns the lines without those of the table."""
    return [line for _, line in _kept(lines, sites)]


def _points(source, wanted):
    """Returns where lines may be added, in the first function that fits."""
    if not wanted.before and not wanted.after:
        return [source.includes()]
    failed = None
    for function in wanted.functions:
        try:
            return source.find(function, wanted.before, wanted.after,
                               wanted.is_each)
        except finder.NotFound as error:
            # the one whose function exists tells more
            if failed is None or function in source.functions:
                failed = error
    raise failed


def _is_absent(source, site):
    """Whether this is a `maybe` site and this Samba lacks its function."""
    functions = [f for p in site.points for f in p.functions]
    return site.is_maybe and ("*" in functions or not any(
        f in source.functions for f in functions))


def insert(text, sites):
    """Returns the text with the lines of sites, [Missing], and the `maybe`
    sites that this Samba does not have."""
    source = finder.Source("\n".join(strip(text.split("\n"), sites)))
    added = {}
    missing, absent = [], []
    for site in sites:
        reasons = []
        for wanted in site.points:
            try:
                points = _points(source, wanted)
            except finder.NotFound as error:
                reasons.append((wanted, error))
                continue
            for point in points:
                added.setdefault(point, []).extend(wanted.lines)
            break
        else:
            if _is_absent(source, site):
                absent.append(site)
            else:
                missing.append(Missing(site, reasons))
    lines = []
    for number, line in enumerate(source.lines):
        lines += added.get(number, []) + [line]
    lines += added.get(len(source.lines), [])
    return "\n".join(lines), missing, absent


def remove(text, sites):
    """Returns the text without the lines of the table."""
    return "\n".join(strip(text.split("\n"), sites))


def leftovers(text, sites):
    """Returns [(number, line)] of lines that use a probe and are not in the
    table, for example because they were edited."""
    ours = {line for s in sites for p in s.points for line in p.lines}
    words = set()
    for line in ours:
        words.update(re.findall(r"\b[A-Z]\w+(?=\()", line))
    words = {w for w in words if re.match(
        "(CTDB|PROBES|SMB2|SMBD|SMBLOCK|SMBNET|TEVENT|VFS)_", w)
        and w not in _SAMBAS}
    return [(number, line) for number, line in _kept(text.split("\n"), sites)
            if any(re.search(r"\b%s\(" % w, line) for w in words)]


# macros of Samba that the lines of the table use
_SAMBAS = {"SMBD_SMB2_IN_HDR_PTR", "SMBD_SMB2_IN_BODY_LEN",
           "SMBD_SMB2_IN_BODY_PTR",
           "SMBD_SMB2_IN_DYN_LEN", "SMBD_SMB2_OUT_BODY_LEN",
           "SMBD_SMB2_OUT_DYN_LEN"}


def blank(old, new):
    """Returns new with each added line empty, so that the line numbers are the
    same and no probe is left."""
    rest = iter(old.split("\n") + [None])
    expected = next(rest)
    lines = []
    for line in new.split("\n"):
        if line == expected:
            expected = next(rest)
            lines.append(line)
        else:
            lines.append("\\" if line.endswith("\\") else "")
    return "\n".join(lines)


def zero_context(change):
    """Returns a unified diff without context: added lines only."""
    hunks = []
    old = change.old.split("\n")
    new = change.new.split("\n")
    at = start = 0
    while start < len(new):
        if at < len(old) and new[start] == old[at]:
            at += 1
            start += 1
            continue
        end = start
        while end < len(new) and not (at < len(old) and new[end] == old[at]):
            end += 1
        hunks.append("@@ -%d,0 +%d,%d @@\n%s\n" % (
            at, start + 1, end - start,
            "\n".join("+" + line for line in new[start:end])))
        start = end
    return "--- a/%s\n+++ b/%s\n%s" % (change.path, change.path,
                                       "".join(hunks))
