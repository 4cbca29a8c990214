# SPDX-License-Identifier: BSD-2-Clause
"""docs/format.md shows six notes in hexadecimal digits, of a site, of its
description, of a record, of comments, of an enum and of a span, and what
sdtkit lists for them. These tests check both."""

import re
import subprocess

import pytest

from conftest import description, note
from programs import which

ROW = re.compile(r"^([0-9a-f]{8}): ((?:[0-9a-f]{2} )+) ", re.M)


@pytest.fixture
def text(source):
    return (source / "docs" / "format.md").read_text()


@pytest.fixture
def library(text, tmp_path):
    """Returns a file with the notes of the document, of which each begins at
    offset 00000000."""
    notes = []
    for offset, row in ROW.findall(text):
        if int(offset, 16) == 0:
            notes.append(b"")
        assert len(notes[-1]) == int(offset, 16)
        notes[-1] += bytes.fromhex(row)
    assembler = tmp_path / "notes.s"
    assembler.write_text("".join(
        '.section %s, "", "note"\n.byte %s\n' % (name, ",".join(map(str, data)))
        for name, data in zip([".note.stapsdt", ".note.sdtkit",
                               ".note.sdtkit", ".note.sdtkit",
                               ".note.sdtkit", ".note.sdtkit"], notes))
        + note("smb2", "done", "8@%rdi")
        + description("smb2", "done", "", ("p", "info_t *", "req")))
    out = tmp_path / "notes.so"
    subprocess.run(["gcc", "-nostdlib", "-shared", str(assembler), "-o",
                    str(out)], check=True)
    return out


def test_the_site(sdtkit, text, library):
    done = sdtkit("list", "-v", library, "smb2:end")
    assert done.returncode == 0
    # The library has no code at that address, so there is no offset.
    shown = re.search(r"^PROBE +ADDRESS.*\n(.*)\n", text, re.M).group(1)
    name, address, _, semaphore, operands = shown.split(None, 4)
    assert done.stdout.splitlines()[1].split(None, 4) == [
        name, address, "-", semaphore, operands]


def test_the_description(sdtkit, library):
    lines = sdtkit("list", "--summary", library, "smb2:end").stdout.splitlines()
    assert lines[1].split(None, 2)[2] == (
        "smb2:end(uint64_t mid, uint32_t status)")
    assert lines[2].strip() == "A request ends"


# type of the section, owner and type of the note, what readelf prints, and
# whether eu-strip keeps the note. A form that readelf does not print and
# eu-strip keeps would be a better format.
FORMS = {
    "as it is": ("%note", "sdtkit", 1, "NT_VERSION (version)", True),
    "type 2": ("%note", "sdtkit", 2, "NT_ARCH (architecture)", True),
    "type 3": ("%note", "sdtkit", 3, "Unknown note type", True),
    "type 256": ("%note", "sdtkit", 256, "OPEN", True),
    "owner GNU": ("%note", "GNU", 83, "Unknown note type", True),
    "no note": ("%progbits", "sdtkit", 1, "", False),
    "of the system": ("%0x6fff4c0a", "sdtkit", 1, "", False),
    "of users": ("%0x80000001", "sdtkit", 1, "", False),
}


@pytest.mark.parametrize("form", FORMS)
def test_no_form_is_quiet_and_kept(tmp_path, form):
    """readelf prints the bytes of every note, and eu-strip keeps only
    notes."""
    kind, owner, number, printed, kept = FORMS[form]
    program = tmp_path / "program"
    subprocess.run(
        ["gcc", "-xc", "-", "-o", program], check=True, text=True, input="""
__asm__(".pushsection .note.sdtkit, \\"\\", %s\\n.balign 4\\n"
	".4byte 2f - 1f, 4f - 3f, %d\\n1: .asciz \\"%s\\"\\n2: .balign 4\\n"
	"3: .asciz \\"probe\\"\\n4: .balign 4\\n.popsection");
int main(void) { return 0; }
""" % (kind, number, owner))

    def output(*command):
        return subprocess.run([*command, program], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    notes = output("readelf", "-nW").partition(".note.sdtkit")[2]
    assert printed in notes
    assert ("data: 70 72 6f 62 65 00" in notes) == (printed != "")
    output("strip")
    assert ".note.sdtkit" in output("readelf", "-SW")
    if not which("eu-strip"):
        pytest.skip("eu-strip is missing")
    output("eu-strip")
    assert (".note.sdtkit" in output("readelf", "-SW")) == kept


def test_the_record(valid, sdtkit, library):
    files = valid("list", sdtkit("list", "--json", library).stdout)["files"]
    argument = files[0]["probes"][0]["arguments"][0]
    assert (argument["type"], argument["size"]) == ("info_t *", 24)
    assert [tuple(member.values()) for member in argument["members"]] == [
        (0, "u8", "uint64_t", "mid", "MessageId of the header"),
        (8, "u2", "uint16_t", "port", "service", [
            {"name": "NETBIOS", "value": 139}, {"name": "SMB", "value": 445}]),
        (10, "a10", "char[10]", "name", "of the client")]


def test_the_comments(sdtkit, library):
    lines = sdtkit("list", "-l", library, "smb2:end").stdout.splitlines()
    assert [line.split(None, 2) for line in lines[3:5]] == [
        ["uint64_t", "mid", "MessageId of the header"],
        ["uint32_t", "status", "NTSTATUS, 0 is success"]]


def test_the_span(sdtkit, library):
    lines = sdtkit("list", "-l", library, "smb2:end").stdout.splitlines()
    assert lines[5:] == [
        "", "SPAN", "smb2:request", "    A request",
        "    start=begin end=end key=mid error=status"]
