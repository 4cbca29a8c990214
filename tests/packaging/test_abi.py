# SPDX-License-Identifier: BSD-2-Clause
"""The binary interfaces of the shared libraries are those of the last release,
which LIBRARY.abi has, as abidw tells it. docs/versions.md says what to do when
one changes; then SDTKIT_REGENERATE=1 writes the file again."""

import os
import pathlib
import platform
import re
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = {"notes": "libsdtkit-notes", "record": "libsdtkit-recorder"}
INCOMPATIBLE = 8        # a bit of abidiff's exit status

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the files are those of x86-64")


@pytest.fixture(params=sorted(LIBRARIES))
def abi(request, need, build, source, tmp_path):
    """The file of the last release, and one of this build."""
    name = LIBRARIES[request.param]
    library = build / "lib" / request.param / (name + ".so")
    if not library.exists():
        pytest.skip("the shared libraries are not built")
    now = tmp_path / (name + ".abi")
    # what private headers declare is opaque to programs
    subprocess.run(
        [need("abidw"), "--headers-dir", source / "include" / "sdtkit",
         "--drop-private-types", "--exported-interfaces-only",
         "--no-architecture", "--no-comp-dir-path", "--no-corpus-path",
         "--no-elf-needed", "--no-show-locs", "--no-parameter-names",
         "--type-id-style", "hash", "--out-file", now, library], check=True)
    return HERE / (name + ".abi"), now


def compare(need, before, now):
    done = subprocess.run([need("abidiff"), before, now],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    return done.returncode, done.stdout


def test_is_that_of_the_last_release(need, abi):
    before, now = abi
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        before.write_bytes(now.read_bytes())
    status, said = compare(need, before, now)
    assert status == 0, said + (
        "an incompatible change: the soname has to grow"
        if status & INCOMPATIBLE else "the minor number has to grow")


def test_a_function_that_went_is_found(need, abi, tmp_path):
    """The comparison compares something."""
    before, now = abi
    lines = now.read_text().splitlines(keepends=True)
    gone = next(line for line in lines if "<elf-symbol name='sdtkit_" in line)
    now.write_text("".join(line for line in lines if line != gone))
    status, said = compare(need, before, now)
    assert status & INCOMPATIBLE and "1 Removed" in said


@pytest.mark.parametrize("room, prefix, version", [
    ("notes", "sdtkit_", "SDTKIT_NOTES"),
    ("record", "sdtkit_recorder_", "SDTKIT_RECORDER"),
])
def test_versions(build, room, prefix, version):
    """Each function of a public header has one, and the newest is that of the
    file's name. Functions that stand for libc's must have none."""
    name = LIBRARIES[room] + ".so"
    library = build / "lib" / room / name
    if not library.exists():
        pytest.skip("the shared libraries are not built")
    said = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    symbols = [line.split()[2].split("@@") for line in said.splitlines()
               if " A " not in line]
    nodes = {tuple(map(int, symbol[1][len(version) + 1:].split(".")))
             for symbol in symbols if symbol[0].startswith(prefix)}
    assert all(len(symbol) == 1 for symbol in symbols
               if not symbol[0].startswith(prefix))
    assert re.fullmatch(re.escape(name) + r"\.%d\.%d\.\d+" % max(nodes),
                        library.resolve().name)
