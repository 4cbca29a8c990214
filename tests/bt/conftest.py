# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of sdtkit bt share: a library of notes by hand, whose scripts
are compared word by word, and a program that fires its probes."""

import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tool"), str(HERE.parent / "consumers"),
                str(HERE.parent / "demo"),
                str(HERE.parent)]

import bpftraces  # noqa: E402

LIMIT = 120


@pytest.fixture(scope="session")
def notes(tmp_path_factory):
    """The path of a library with the probes of notes.s."""
    path = tmp_path_factory.mktemp("notes") / "smb.so"
    subprocess.run(["gcc", "-nostdlib", "-shared", "-Wa,-I," +
                    str(HERE.parent / "tool"), str(HERE / "notes.s"), "-o",
                    str(path)], check=True)
    return path


@pytest.fixture(scope="session")
def shapes(source, tmp_path_factory):
    """The directory with the program ./shape."""
    folder = tmp_path_factory.mktemp("shapes")
    subprocess.run(["/usr/bin/python3", str(source / "probegen"), "-Wno-all",
                    str(HERE / "shape.d"), "-o",
                    str(folder / "shape_probes.h")], check=True)
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-I",
                    str(folder), "-I", str(HERE), "-I",
                    str(source / "include"), str(HERE / "shape.c"), "-o",
                    str(folder / "shape")], check=True)
    return folder


@pytest.fixture
def sdtkit(build):
    """sdtkit(argument...): runs "sdtkit bt"; .returncode, .stdout, .stderr."""
    def run(*arguments, **options):
        environment = dict(os.environ, **options.pop("variables", {}))
        return subprocess.run(
            ["timeout", str(LIMIT), str(build / "lib" / "tool" / "sdtkit"),
             "bt", *map(str, arguments)], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, env=environment, **options)
    return run


@pytest.fixture(params=bpftraces.VERSIONS)
def version(request, unavailable):
    """A version of bpftrace that runs here, "installed" or "unstable"."""
    if request.param == "unstable" and not bpftraces.wanted():
        pytest.skip("only ./dev test --all-tracers fetches a newer bpftrace, "
                    "70 MB")
    reason = bpftraces.lacks(request.param)
    if reason:
        unavailable(reason)
    return request.param
