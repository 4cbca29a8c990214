# SPDX-License-Identifier: BSD-2-Clause
"""The tree has nothing in it that somebody left there by mistake: at the top
is what docs/design.md lists, and no file is large."""

import os
import pathlib
import subprocess

import pytest

from programs import which

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOP = {".ci", ".gitignore", "LICENSE", "README.md", "dev", "docs", "examples",
       "include", "lib", "meson.build", "meson_options.txt", "probegen",
       "providers", "tests"}
LARGE = 100000      # bytes; a picture of docs has 63,000


@pytest.fixture(scope="module")
def files():
    """What git has; a copy without its history may have more."""
    if not (SOURCE / ".git").exists() or not which("git"):
        pytest.skip("this is no clone, or git is not installed")
    names = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=SOURCE,
        check=True, stdout=subprocess.PIPE).stdout.split(b"\0")[:-1]
    return [os.fsdecode(name) for name in names]


def test_top(files):
    assert {name.split("/")[0] for name in files} == TOP


def test_no_file_is_large(files):
    assert [name for name in files
            if (SOURCE / name).is_file() and
            (SOURCE / name).stat().st_size > LARGE] == []
