# SPDX-License-Identifier: BSD-2-Clause
"""tests/packages.txt has what the tests ask for: a program that is in no list
is installed by no option of ./dev, and its tests would skip everywhere."""

import ast
import collections
import os
import pathlib
import re
import subprocess

import programs

TESTS = pathlib.Path(__file__).resolve().parents[1]
LEVELS = ["build", "demo", "test", "all", "tracers", "services", "packaging",
          "kernels"]
ASKING = ("which", "need", "asked", "program_path")
CALL = re.compile(r"\b(%s)\(" % "|".join(ASKING))
# rooms that ./dev test does not run
APART = {"bench", "fresh"}
# programs of no list, and why
OTHERS = {
    "setpriv": "util-linux is essential",
    "taskset": "util-linux is essential",
    "dpkg": "is essential",
    "chromium-browser": "what other systems call chromium",
    "bazel": "bazel-bootstrap needs 700 MB with its Java",
}


def asked_for(text):
    """The names that a module asks for, where it has them as literals."""
    if not CALL.search(text):
        return      # parsing takes long
    tree = ast.parse(text)
    own = {node.name for node in ast.walk(tree)
           if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in ASKING and name not in own:
            for word in node.args:
                if isinstance(word, ast.Constant) and isinstance(
                        word.value, str):
                    yield os.path.basename(word.value)


def modules():
    for path in sorted(TESTS.glob("**/*.py")):
        if path.relative_to(TESTS).parts[0] not in APART:
            yield path, path.read_text()


def test_it_finds_names():
    text = "def own(): which('a')\nneed(x, 'b', 'c')\n" \
        "programs.which('/usr/bin/d')\nown('e')\nwhich('f.' + g)\n"
    assert sorted(asked_for(text)) == ["a", "b", "c", "d"]


def test_programs_are_listed():
    found = collections.defaultdict(set)
    for path, text in modules():
        for name in asked_for(text):
            found[name].add(str(path.relative_to(TESTS)))
    packages = {package for _, package, _ in programs.read()}
    lacking = {name: sorted(paths) for name, paths in found.items()
               if name not in programs.PROGRAMS and name not in packages
               and name not in OTHERS}
    assert lacking == {}
    assert set(OTHERS) <= set(found), "an exception that nothing needs"
    assert len(found) > 40


def test_nothing_asks_past_the_list():
    for path, text in modules():
        if path.name not in ("programs.py", "test_packages.py"):
            assert "shutil.which(" not in text, path


def test_each_package_is_listed_once():
    rows = [(level, package) for level, package, _ in programs.read()]
    assert sorted(set(rows)) == sorted(rows)
    assert {level for level, _ in rows} == set(LEVELS)
    levels = collections.defaultdict(set)
    for level, package in rows:
        levels[package].add(level)
    ordinary = {"build", "demo", "test", "all"}
    assert [package for package, its in levels.items()
            if len(its & ordinary) > 1 or its & ordinary and its - ordinary
            ] == []


def test_a_package_has_its_programs():
    """Of the packages that this machine has."""
    try:
        said = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\\n"],
            stdout=subprocess.PIPE, text=True, check=True).stdout
    except FileNotFoundError:
        return      # another system has other packages
    installed = {line.split()[0] for line in said.splitlines()
                 if line.endswith(" installed")}
    assert [(package, name) for _, package, names in programs.read()
            if package in installed for name in names
            if not programs.program_path(name)] == []
