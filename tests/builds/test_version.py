# SPDX-License-Identifier: BSD-2-Clause
"""The version stands in include/sdtkit/probe.h only, and all that is built,
installed or copied says the same."""

import re
import shutil
import sys

import pytest

from build_tool import run
from opt_in import rarely


@pytest.fixture(scope="module")
def version(source):
    header = (source / "include/sdtkit/probe.h").read_text()
    return re.search(r'^#define SDTKIT_VERSION "(\d+\.\d+\.\d+)"$', header,
                     re.M)[1]


def test_nowhere_else(source, version):
    for pattern in "**/meson.build", "probegen/**/*", "lib/**/*", \
            "examples/**/*.[ch]":
        for path in source.glob(pattern):
            if path.is_file() and path.suffix != ".pyc":
                assert not re.search(r"[\"']%s[\"']" % re.escape(version),
                                     path.read_text()), path


@pytest.mark.parametrize("options", rarely(
    ["", "-Dincludedir=include/of-its-own"], [""]))
def test_installed(installed, version, options):
    root, _, files = it = installed(*options.split())
    for command in "probegen", "sdtkit":
        said = run(it.usr / "bin" / command, "--version")
        assert said.splitlines()[0].split()[-1] == version
    pkgconfig = [path for path in files if path.endswith(".pc")]
    assert pkgconfig
    for path in pkgconfig:
        assert "\nVersion: %s\n" % version in (root / path[1:]).read_text()


def test_copied(source, version, tmp_path):
    """As a project carries it: include and probegen."""
    for name in "include", "probegen":
        shutil.copytree(source / name, tmp_path / name)
    said = run(sys.executable, tmp_path / "probegen", "--version")
    assert said == "probegen (sdtkit) %s\n" % version
    shutil.rmtree(tmp_path / "include")
    said = run(sys.executable, tmp_path / "probegen", "--version")
    assert "unknown" in said
