# SPDX-License-Identifier: BSD-2-Clause
"""The list of files that adding a machine touches, in docs/architectures.md,
against the machine that was added last."""

import re
import subprocess

import pytest

import arch_tool
from programs import which

LAST = "loongarch64"
GUIDE = arch_tool.SOURCE / "docs" / "architectures.md"
# of the guide, but not for each machine
OPTIONAL = {"dev", "tests/arch/bare_NAME.c", "lib/uprobe/registers.c",
            "lib/tsmbd/meson.build", "include/sdtkit/machine-entry.h"}
# what says which machine was the last
ABOUT = {"tests/arch/test_guide.py"}


def guide():
    """The files of the table, and those that the text below it names."""
    section = GUIDE.read_text().split("## Adding a machine\n")[1]
    section = section.split("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \|", section, re.M)
    return rows, set(re.findall(r"`([^` ]+)`", section)) - {"NAME"}


def spelled(path, name):
    return path.replace("NAME", name)


def mentioning():
    """The files of the tree that name the machine. Other pages may, and do
    not have to."""
    if not which("git") or not (arch_tool.SOURCE / ".git").exists():
        pytest.skip("not a checkout")
    run = subprocess.run(
        ["git", "-C", arch_tool.SOURCE, "grep", "-lEi", "loongarch|loong64"],
        text=True, stdout=subprocess.PIPE)
    return {path for path in run.stdout.split()
            if not path.endswith(".md") or path == "docs/architectures.md"}


def test_guide_is_short():
    rows, _ = guide()
    assert len(rows) <= 8


def test_guide_names_what_is_there():
    rows, named = guide()
    for path in rows:
        assert (arch_tool.SOURCE / spelled(path, LAST)).is_file(), path
    assert OPTIONAL <= named


def test_guide_is_complete():
    rows, _ = guide()
    listed = {spelled(path, LAST) for path in [*rows, *OPTIONAL]} | ABOUT
    found = mentioning()
    assert found - listed == set()
    # each step has left something
    assert {spelled(path, LAST) for path in rows} <= found
