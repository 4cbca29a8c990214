# SPDX-License-Identifier: BSD-2-Clause
"""What the path of a hit is compiled to: general registers only, no call of
anything else, no locked instruction on the way of a usual hit."""

import platform
import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def objects(build):
    if platform.machine() != "x86_64":
        pytest.skip("instructions of x86-64")
    return sorted((build / "lib" / "record").glob(
        "libsdtkit-record-hit.a.p/*.o"))


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def test_calls_nothing_else(objects):
    assert len(objects) == 6
    undefined, defined = set(), set()
    for path in objects:
        for line in run("nm", str(path)).splitlines():
            kind, name = line.split()[-2:]
            (undefined if kind == "U" else defined).add(name)
    assert undefined - defined == {"_GLOBAL_OFFSET_TABLE_",
                                   "sdtkit_record_on_fault"}


def test_general_registers_only(objects):
    for path in objects:
        code = run("objdump", "-d", "--no-show-raw-insn", str(path))
        assert not re.search(r"%[xyz]?mm\d|%st|%k[0-7]", code)


def test_no_locked_instruction(objects):
    """Only where a hit is lost in a handler that is nested too deep. System
    calls are for memory that may be missing, and for a hit within a hit."""
    hit, = [path for path in objects if path.name == "hit.c.o"]
    code = run("objdump", "-d", "--no-show-raw-insn", str(hit))
    assert len(re.findall(r"\block\b|\bxchg\b.*\(", code)) <= 1
    assert "syscall" not in re.sub(
        r"(?s)<(load_bytes|copy_carefully|find_level)[^>]*>:.*?\n\n", "", code)
