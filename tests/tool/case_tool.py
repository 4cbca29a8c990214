# SPDX-License-Identifier: BSD-2-Clause
"""Cases of `sdtkit check` and `sdtkit diff`. A case is a text file, whose
parts are files to be written, the commands to be run on them, and the expected
output.

    What the case is about.
    -- smb.d --
    provider smb { probe start(int a); };
    -- commands --
    probegen smb.d -o smb.h
    sdtkit check program --description smb.d
    -- expect --
    program:ADDRESS1: error ...
    exit 1

Hexadecimal numbers become ADDRESS1, ADDRESS2... in the order in which they
appear, so that one can see which are equal. If the first line of the commands
is like "needs ld.lld", it names programs without which the case cannot run.
SDTKIT_REGENERATE=1 writes the last part again: read the difference. A new case
needs an empty last part, or else the part before it would be overwritten."""

import os
import re
import subprocess

from programs import which

PART = re.compile(r"^-- (\S+) --\n", re.M)


def parts_of(path):
    """Splits a case into [name, text, name, text...]; the first name is ""."""
    parts = [""] + PART.split(path.read_text())
    if parts[-2] != "expect":
        raise ValueError("%s: the last part is not '-- expect --': add that "
                         "line, SDTKIT_REGENERATE=1 writes what follows"
                         % path)
    return parts


def as_dict(parts):
    return dict(zip(parts[::2], parts[1::2]))


def canonical(text):
    numbers = {}
    return re.sub(r"\b0x[0-9a-f]+\b", lambda match: numbers.setdefault(
        match.group(), "ADDRESS%d" % (len(numbers) + 1)), text)


def run_case(path, directory, build, source, unavailable):
    """Returns what the commands of the case print, and their exit status."""
    parts = as_dict(parts_of(path))
    commands = parts.pop("commands")
    needs = re.match(r"needs (.*)\n", commands)
    if needs:
        commands = commands[needs.end():]
        for program in needs.group(1).split():
            if not which(program):
                unavailable(program + " is missing")
    for name, text in parts.items():
        if name not in ("", "expect"):
            (directory / name).write_text(text)
    done = subprocess.run(
        ["sh", "-ec", commands], cwd=str(directory), universal_newlines=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        env=dict(os.environ, LC_ALL="C",
                 PATH="%s:%s" % (build / "lib" / "tool", os.environ["PATH"]),
                 CPATH="%s:%s" % (source / "include", directory),
                 NOTES=str(path.parent.parent / "notes.inc")))
    return canonical(done.stdout) + "exit %d\n" % done.returncode


def expected(path, got):
    """Returns the output that the case expects. With SDTKIT_REGENERATE=1,
    writes what it got into the case and returns that."""
    parts = parts_of(path)
    if os.environ.get("SDTKIT_REGENERATE") != "1":
        return parts[-1]
    parts[-1] = got
    pairs = list(zip(parts[::2], parts[1::2]))
    path.write_text(pairs[0][1] + "".join(
        "-- %s --\n%s" % pair for pair in pairs[1:]))
    return got


def cases(directory):
    return sorted(directory.glob("*.txt"))
