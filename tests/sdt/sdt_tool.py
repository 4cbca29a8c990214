# SPDX-License-Identifier: BSD-2-Clause
"""Compiles with our own <sys/sdt.h>, or with SystemTap's, and reads notes."""

import os
import pathlib
import subprocess

from arch import arch_tool
from programs import has_sys_sdt

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("SDTKIT_SOURCE", HERE.parent.parent))
SDT = SOURCE / "include" / "sdtkit" / "sdt"     # what -I names
OURS = ["-I", str(SDT)]
THEIRS = []
HEADERS = {"ours": OURS, "theirs": THEIRS}
SIZES = {"1", "2", "4", "-4", "8", "-8"}    # before an @

notes = arch_tool.notes


def need_theirs(unavailable):
    """Ends the test where SystemTap's header is missing."""
    if not has_sys_sdt():
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")


def run(command, folder, **options):
    """(exit status, what was said)"""
    done = subprocess.run([str(word) for word in command], cwd=folder,
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    return done.returncode, done.stdout


def must(command, folder, **options):
    status, said = run(command, folder, **options)
    assert status == 0, said
    return said


def source(folder, text, name="p.c"):
    """Writes a source file."""
    (folder / name).write_text(text)
    return name


def compiled(folder, text, *command, header="ours", name="p.c"):
    """Compiles a text to folder/p.o: {probe: its first note}, all notes."""
    must([*command, *HEADERS[header], "-c", source(folder, text, name), "-o",
          "p.o"], folder)
    found = notes(folder / "p.o")
    return {note.name: note for note in found}, found


def check(build, path):
    """What `sdtkit check` says of the operands."""
    return run([build / "lib" / "tool" / "sdtkit", "check", path], path.parent)
