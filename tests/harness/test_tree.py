# SPDX-License-Identifier: BSD-2-Clause
"""The tree has nothing in it that somebody left there by mistake: at the top
is what docs/design.md lists, and no file is large."""

import builtins
import os
import pathlib
import subprocess
import symtable

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


# What a module has that does not say so.
OF_EACH_MODULE = {"__file__", "__name__", "__doc__", "__path__"}


def globals_used(table):
    """Pairs of a global name that a function or class uses, and its line.
    The module symtable takes all names of a function called "top" for global,
    those that are local, too."""
    for symbol in table.get_symbols():
        if (symbol.is_global() and not symbol.is_local() and
                symbol.is_referenced()):
            yield symbol.get_name(), table.get_lineno()
    for inner in table.get_children():
        yield from globals_used(inner)


def globals_defined(table, at_top=True):
    for symbol in table.get_symbols():
        if at_top or symbol.is_declared_global():
            if symbol.is_assigned() or symbol.is_imported():
                yield symbol.get_name()
    for inner in table.get_children():
        yield from globals_defined(inner, False)


def undefined(path):
    text = path.read_text()
    if "import *" in text:
        return []
    table = symtable.symtable(text, str(path), "exec")
    known = OF_EACH_MODULE | set(dir(builtins)) | set(globals_defined(table))
    return ["%s:%d: %s" % (path, line, name)
            for name, line in globals_used(table) if name not in known]


def test_names_are_defined(files):
    """A name that is missing in a line that is rarely run, such as one that
    cleans up after a failure, is found here and not on that day."""
    programs = [SOURCE / name for name in files if name.endswith(".py")]
    assert len(programs) > 100
    assert sum(map(undefined, programs), []) == []


def test_a_name_that_is_not(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import os\n\n\ndef one():\n    return os, two\n")
    assert undefined(path) == ["%s:4: two" % path]
