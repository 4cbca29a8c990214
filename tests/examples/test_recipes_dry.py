# SPDX-License-Identifier: BSD-2-Clause
"""Recipes of docs/CONTRIBUTING.md, followed in a copy of the tree: with all of
the files the tests of the room pass, and without any one of them they fail."""

import os
import shutil
import subprocess
import sys

import pytest

from test_recipes import RECIPES, SOURCE

MODULE = '''# SPDX-License-Identifier: BSD-2-Clause
"""The names of the providers, one a line."""


def emit(model):
    return "".join("%s\\n" % each.name for each in model.providers)
'''
STAGE = '''

_without_example = resolve


def resolve(trees, diag, *others, **named):
    if trees and trees[0].source.text.startswith("/* example */"):
        diag.error("EXAMPLE", trees[0].source, 0, 13, "this is an example")
    return _without_example(trees, diag, *others, **named)
'''
STDERR = """EXAMPLE-slug.d:1:1: error EXAMPLE: this is an example
    1 | /* example */ provider p { probe q(); };
      | ^~~~~~~~~~~~~
"""
# what is written behind each file of the recipe, and the tests that look
FORMAT = {
    "probegen/emit/NAME.py": MODULE,
    "probegen/emit/__init__.py":
        '\nFORMATS["example"] = Format("example", ".example")\n',
    "probegen/meson.build":
        "\nprobegen_emit_files += files('emit/example.py')\n",
    "tests/probegen/ok/smb2/expectSUFFIX": "smb2\n",
    "docs/outputs.md": "\n## example\nThe format `example`.\n",
    "docs/probegen.1": ".It Cm example Ta Pa server_probes.example Ta x\n",
}
DIAGNOSTIC = {
    "probegen/diag.py": '\nCODES["EXAMPLE"] = "an example"\n',
    "probegen/STAGE.py": STAGE,
    "tests/probegen/err/CODE-slug.d":
        "/* example */ provider p { probe q(); };\n",
    "tests/probegen/err/CODE-slug.stderr": STDERR,
}
WARNING = {
    "probegen/diag.py": '\nWARNINGS["example"] = "an example"\n',
    "probegen/STAGE.py": STAGE.replace('error("EXAMPLE"', 'warn("example"'),
    "docs/language.md": "| `example` | an example |\n",
    "tests/probegen/warn/NAME-slug.d":
        "/* example */ provider p { probe q(); };\n",
    "tests/probegen/warn/NAME-slug.stderr": STDERR.replace(
        "error EXAMPLE: this is an example",
        "warning example: this is an example [-Wexample]").replace(
            "EXAMPLE-slug", "example-slug"),
    "tests/probegen/err/BAD_PRAGMA-stability.stderr": lambda text:
        text.replace("enum-names, ", "enum-names, example, "),
}
NAMES = {"NAME": "example", "expectSUFFIX": "expect.example",
         "STAGE": "resolve", "CODE": "EXAMPLE"}
DRY = {
    "An output format": (FORMAT, [
        "test_emit.py", "test_cli.py", "test_goldens.py", "-k",
        "every_format or every_module or each_default_output or "
        "fits_a_screen or example"]),
    "An error of probegen": (DIAGNOSTIC, [
        "test_errors.py", "-k", "every_code or no_golden or EXAMPLE"]),
    "A warning of probegen": (WARNING, [
        "test_errors.py", "test_cli.py", "-k", "every_warning or no_golden or "
        "fits_a_screen or example or BAD_PRAGMA"]),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tree")
    for name in "probegen", "include", "docs", "providers", "tests/probegen":
        shutil.copytree(SOURCE / name, folder / name, symlinks=True,
                        ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "cost.py", "opt_in.py", "programs.py",
                 "packages.txt"):
        shutil.copy(SOURCE / "tests" / name, folder / "tests")
    return folder


def look(tree, words):
    """The exit status of the tests of a tree, and what they say."""
    environment = dict(os.environ, SDTKIT_SOURCE=str(tree), SDTKIT_BUILD="",
                       PYTHONDONTWRITEBYTECODE="1")
    environment.pop("SDTKIT_TAP", None)
    environment.pop("SDTKIT_PROGRESS", None)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         *words], cwd=tree / "tests" / "probegen", env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def follow(tree, steps):
    """Writes the files; those that were there before get their text again
    when the caller is done with it."""
    before = {}
    for name, text in steps.items():
        for word, value in NAMES.items():
            name = name.replace(word, value)
        path = tree / name
        before[path] = path.read_text() if path.exists() else None
        path.write_text(text(before[path]) if callable(text) else
                        (before[path] or "") + text)
    return before


def undo(before):
    for path, text in before.items():
        if text is None:
            path.unlink()
        else:
            path.write_text(text)


@pytest.mark.parametrize("title", sorted(DRY))
def test_recipe(title, tree):
    steps, words = DRY[title]
    assert set(RECIPES[title][0]) == set(steps)
    for left_out in [None, *steps]:
        before = follow(tree, {name: text for name, text in steps.items()
                               if name != left_out})
        status, said = look(tree, words)
        undo(before)
        assert status == (1 if left_out else 0), (left_out, said)
