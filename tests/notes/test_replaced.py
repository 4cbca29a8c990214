# SPDX-License-Identifier: BSD-2-Clause
"""A file that is replaced while it is read: all that is said of it is of one
build."""

import os
import pathlib
import subprocess

import pytest

from programs import which

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture
def library(tmp_path):
    """library(name, *flags): traced.c as a shared library."""
    if not which("gcc"):
        pytest.skip("gcc is not installed")

    def compile_it(name, *flags):
        subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "-O2",
                        HERE / "traced.c", "-o", tmp_path / name, *flags],
                       check=True)
        return tmp_path / name
    return compile_it


def check(build, path, **environment):
    run = subprocess.run(
        [build / "lib/tool/sdtkit", "check", "--for=perf", path], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=dict(os.environ, **environment))
    return run.stdout


def test_check_reads_one_build(build, library, tmp_path):
    """The first build has a build ID, the second, which takes its name, has
    none and would be reported for that."""
    preloaded = tmp_path / "replace.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", HERE / "replace.c",
                    "-o", preloaded], check=True)
    first = library("libtraced.so", "-Wl,--build-id=sha1")
    second = library("second.so", "-Wl,--build-id=none")
    before = check(build, first)
    assert "build-id" not in before
    assert "build-id" in check(build, second)
    during = check(build, first, LD_PRELOAD=str(preloaded),
                   REPLACE_OLD=str(first), REPLACE_NEW=str(second))
    assert not second.exists()
    assert during == before
