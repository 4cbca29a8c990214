# SPDX-License-Identifier: BSD-2-Clause
"""docs/format.md shows two notes in hex, of a site and of its description, and
what sdtkit lists for the first: all of it is true."""

import re
import subprocess

import pytest

ROW = re.compile(r"^([0-9a-f]{8}): ((?:[0-9a-f]{2} )+) ", re.M)


@pytest.fixture
def text(source):
    return (source / "docs" / "format.md").read_text()


@pytest.fixture
def library(text, tmp_path):
    """With the notes of the document: each begins at 00000000."""
    notes = []
    for place, row in ROW.findall(text):
        if int(place, 16) == 0:
            notes.append(b"")
        assert len(notes[-1]) == int(place, 16)
        notes[-1] += bytes.fromhex(row)
    assembler = tmp_path / "notes.s"
    assembler.write_text("".join(
        '.section %s, "", "note"\n.byte %s\n' % (name, ",".join(map(str, note)))
        for name, note in zip([".note.stapsdt", ".note.sdtkit"], notes)))
    out = tmp_path / "notes.so"
    subprocess.run(["gcc", "-nostdlib", "-shared", str(assembler), "-o",
                    str(out)], check=True)
    return out


def test_the_site(sdtkit, text, library):
    done = sdtkit("list", "-v", library)
    assert done.returncode == 0
    # The library has no code there, so there is no offset in it.
    shown = re.search(r"^PROBE +ADDRESS.*\n(.*)\n", text, re.M).group(1)
    name, address, _, semaphore, operands = shown.split(None, 4)
    assert done.stdout.splitlines()[1].split(None, 4) == [
        name, address, "-", semaphore, operands]


def test_the_description(sdtkit, library):
    lines = sdtkit("list", "--summary", library).stdout.splitlines()
    assert lines[1].split(None, 2)[2] == (
        "smb2:end(uint64_t mid, uint32_t status)")
    assert lines[2].strip() == "A request ends"
