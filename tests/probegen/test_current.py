# SPDX-License-Identifier: BSD-2-Clause
"""--check-current, for headers that are committed, and what --depfile names."""

import os
import shutil
import subprocess
import sys

import pytest

from probegen_tool import GOOD, PROBEGEN, SOURCE, run

MAKE = ["--emit", "standalone", "good.d", "-o", "my probes.h"]


def state(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in folder.iterdir() if path.is_file()}


def test_current(good, tmp_path):
    assert run(*MAKE, cwd=tmp_path).returncode == 0
    before = state(tmp_path)
    result = run("--check-current", *MAKE, cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert state(tmp_path) == before


@pytest.mark.parametrize("edit, says", [
    (lambda path: path.write_text(path.read_text() + "\n"),
     "this file is not what probegen makes from good.d"),
    (lambda path: path.unlink(), "there is no such file")])
def test_not_current(edit, says, good, tmp_path):
    """The message names the file and the command, which helps."""
    run(*MAKE, cwd=tmp_path)
    edit(tmp_path / "my probes.h")
    before = state(tmp_path)
    result = run(*MAKE[:-2], "--check-current", *MAKE[-2:], cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr == (
        "my probes.h: error NOT_CURRENT: %s\n"
        "hint: run this, and commit the file: probegen --emit standalone "
        "good.d -o 'my probes.h'\n" % says)
    assert state(tmp_path) == before
    run(*MAKE, cwd=tmp_path)
    assert run("--check-current", *MAKE, cwd=tmp_path).returncode == 0


def test_a_changed_description(good, tmp_path):
    run(*MAKE, cwd=tmp_path)
    good.write_text(GOOD.replace("provider", "/* New. */ provider", 1))
    assert run("--check-current", *MAKE, cwd=tmp_path).returncode == 1


def test_the_rule_is_compared_too(good, tmp_path):
    command = [*MAKE, "--depfile", "rule.dep"]
    run(*command, cwd=tmp_path)
    (tmp_path / "rule.dep").write_text("")
    result = run("--check-current", *command, cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("rule.dep: error NOT_CURRENT: ")
    assert result.stderr.count("error") == 1


@pytest.mark.parametrize("args, says", [
    (["--check-current", "-o", "-"], "--check-current needs an output file"),
    (["--depend-on-probegen"], "--depend-on-probegen needs --depfile")])
def test_usage(args, says, good, tmp_path):
    result = run("good.d", *args, cwd=tmp_path)
    assert result.returncode == 2 and says in result.stderr


@pytest.mark.parametrize("form", ["header", "standalone"])
def test_depend_on_probegen(form, tmp_path):
    """What makes the header again if probegen was replaced: its files and
    their directories, and those of headers that the output contains."""
    package = tmp_path / "my sdtkit" / "probegen"
    shutil.copytree(PROBEGEN, package,
                    ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(SOURCE / "include", package.parent / "include")
    (tmp_path / "good.d").write_text(GOOD)
    subprocess.run(
        [sys.executable, "-B", package, "--emit", form, "good.d", "-o", "x.h",
         "--depfile", "x.dep", "--depend-on-probegen"], cwd=tmp_path,
        check=True)
    words = (tmp_path / "x.dep").read_text().replace("\\\n", "").replace(
        "\\ ", "@").split()
    assert words[:2] == ["x.h:", "good.d"]
    names = {os.path.relpath(word.replace("@", " "), package)
             for word in words[2:]}
    assert {".", "emit", "cli.py", "emit/header.py"} <= names
    assert ("../include/sdtkit/probe.h" in names) == (form == "standalone")
    assert not any("pycache" in name for name in names)
