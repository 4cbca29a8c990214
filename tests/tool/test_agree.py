# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit list` and `readelf -n` print the same sites, for programs that are
made here in many forms, for some libraries, and with --all for all files with
notes on this machine."""

import os
import mmap
import re
import struct
import subprocess

import pytest

import elftext
from conftest import FORMS
from programs import which

DIRECTORIES = ["/usr/bin", "/usr/lib"]
# of libc6, g++ and python3; the others are looked for with --all
FILES = ["libstdc++.so.6", "libstdc++.a", "libsupc++.a", "libc.so.6",
         "libm.so.6", "libgcc_s.so.1", "libgcc.a", "/usr/bin/python3"]

# The bytes at the offset of a site: the nop of each machine.
NOPS = {0x03: b"\x90", 0x3e: b"\x90", 0xb7: b"\x1f\x20\x03\xd5"}


def disagreement(sdtkit, path):
    """Returns what readelf and sdtkit print if they differ, or None, and the
    sites."""
    expected = elftext.by_readelf(path)
    verbose, short = sdtkit("list", "-v", path), sdtkit("list", path)
    status = 0 if expected else 1
    found = elftext.by_sdtkit(verbose.stdout)
    lines = [line.split(None, 2) for line in short.stdout.splitlines()[1:]]
    if (verbose.returncode, short.returncode) != (status, status):
        return (verbose.stderr, short.stderr), expected
    if found != expected:
        different = [pair for pair in zip(found, expected)
                     if pair[0] != pair[1]]
        return (len(found), len(expected), different[:3]), expected
    if lines != elftext.summary(expected):
        return (lines, elftext.summary(expected)), expected
    return None, expected


def assert_sites_are_nops(path, sites):
    data = path.read_bytes()
    order = "big" if data[5] == 2 else "little"
    nop = NOPS[int.from_bytes(data[18:20], order)]
    for site in sites:
        at = int(site.offset, 16)
        assert data[at:at + len(nop)] == nop


@pytest.mark.parametrize("form", FORMS)
def test_agrees_on_a_program(sdtkit, compiled, form):
    path = compiled(form)
    different, sites = disagreement(sdtkit, path)
    assert different is None
    assert [site.name for site in sites] == [
        "demo:many", "demo:many", "demo:many", "demo:none", "other:real"]
    if form not in ("object", "debug-file"):
        assert_sites_are_nops(path, sites)


def files_that_mention_notes():
    """Yields the ELF files that have a section with "stapsdt" in its name, and
    the archives that have these bytes: few of many thousand files."""
    for top in DIRECTORIES:
        for directory, _, names in os.walk(top):
            for name in names:
                path = os.path.join(directory, name)
                if not os.path.islink(path) and mentions_notes(path):
                    yield path


def mentions_notes(path):
    try:
        with open(path, "rb") as file:
            magic = file.read(8)
            if not magic.startswith((b"\x7fELF", b"!<arch>\n")):
                return False
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                names = section_names(data) if magic[0] == 0x7f else data
                return names.find(b"stapsdt") >= 0
    except (OSError, struct.error):
        return False


# By the class of an ELF file, 32 or 64 bits: the offsets of e_shoff,
# e_shentsize and e_shstrndx in its header, and of sh_offset and sh_size in the
# header of a section.
OFFSETS = {1: ("I", 0x20, 0x2e, 0x32, 0x10, 0x14),
           2: ("Q", 0x28, 0x3a, 0x3e, 0x18, 0x20)}


def section_names(data):
    """Returns the bytes with the names of an ELF file's sections."""
    word, shoff, entsize, shstrndx, offset, size = OFFSETS[data[4]]
    order = ">" if data[5] == 2 else "<"

    def number(form, at_offset):
        return struct.unpack_from(order + form, data, at_offset)[0]

    at = number(word, shoff) + number("H", entsize) * number("H", shstrndx)
    start = number(word, at + offset)
    return data[start:start + number(word, at + size)]


def files_of_this_machine():
    """Those of FILES, wherever the machine has its libraries."""
    for name in FILES:
        path = name if "/" in name else subprocess.run(
            ["gcc", "-print-file-name=" + name], stdout=subprocess.PIPE,
            text=True, check=True).stdout.strip()
        if os.path.isabs(path):
            yield os.path.realpath(path)


def test_agrees_on_some_files(sdtkit):
    found = {path: disagreement(sdtkit, path)
             for path in files_of_this_machine()}
    assert {path: different for path, (different, _) in found.items()
            if different} == {}
    assert sum(bool(sites) for _, sites in found.values()) >= 4


@pytest.mark.thorough
@pytest.mark.skipif(not which("readelf"), reason="readelf is missing")
def test_agrees_on_this_machine(sdtkit):
    compared, sites, different = [], 0, {}
    for path in files_that_mention_notes():
        difference, expected = disagreement(sdtkit, path)
        if difference:
            different[path] = difference
        if expected:
            compared.append(path)
            sites += len(expected)
    assert different == {}
    assert compared and sites >= len(compared)
    # sdtkit, which searches the directories itself, must find no other files.
    done = sdtkit("list", *DIRECTORIES)
    assert sorted(re.findall(r"^(/.*):$", done.stdout, re.M)) == sorted(
        compared)
    assert done.returncode in (0, 2)
