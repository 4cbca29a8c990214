# SPDX-License-Identifier: BSD-2-Clause
"""docs/format.md shows a note in hex and what sdtkit lists for it: both are
true."""

import re
import subprocess


def test_the_note_of_the_document(sdtkit, source, tmp_path):
    text = (source / "docs" / "format.md").read_text()
    rows = re.findall(r"^[0-9a-f]{8}: ((?:[0-9a-f]{2} )+) ", text, re.M)
    data = bytes.fromhex("".join(rows))
    assert len(data) == 0x44
    assembler = tmp_path / "note.s"
    assembler.write_text(
        '.section .note.stapsdt, "", "note"\n.byte %s\n'
        % ", ".join(map(str, data)))
    library = tmp_path / "note.so"
    subprocess.run(["gcc", "-nostdlib", "-shared", str(assembler), "-o",
                    str(library)], check=True)
    done = sdtkit("list", "-v", library)
    assert done.returncode == 0
    # The library has no code there, so there is no offset in it.
    shown = re.search(r"^PROBE +ADDRESS.*\n(.*)\n", text, re.M).group(1)
    name, address, _, semaphore, operands = shown.split(None, 4)
    assert done.stdout.splitlines()[1].split(None, 4) == [
        name, address, "-", semaphore, operands]
