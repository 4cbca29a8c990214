# SPDX-License-Identifier: BSD-2-Clause
"""Puts a patch without context into a source tree, and makes such a patch.

A patch has only lines that are added, so nothing of the other project is in
it. `patch -p1` takes it for the release that it was made from:

    --- a/src/server.c
    +++ b/src/server.c
    @@ -3442,0 +3443 @@ 5d1c8a90
    +	REDIS_COMMAND_START(c, c->cmd->fullname);

The word behind each @@ is a checksum of the two lines before and the two
behind the place, which `patch` ignores. Where it does not fit, because a
distribution has patched the file too, plan() looks for the one place where it
does. It never guesses: no place, or two of them, is an error.

    pristine tree --plan()--> {path: text} --> the tree that is built
    both trees --make()--> the patch
"""

import pathlib
import re
import sys
import zlib
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "samba"))

import patch    # noqa: E402
import source   # noqa: E402

CONTEXT = 2     # lines of each side that are in the checksum

# after: the number of lines before the place
Hunk = namedtuple("Hunk", "after lines checksum")

HEADER = re.compile(r"@@ -(\d+),0 \+\d+(?:,\d+)? @@ ([0-9a-f]{8})$")


def checksum(lines, after):
    """Returns that of the lines around a place, with the file's ends as
    lines."""
    padded = ["^"] * CONTEXT + lines + ["$"] * CONTEXT
    around = padded[after:after + 2 * CONTEXT]
    return "%08x" % zlib.crc32("\n".join(around).encode(
        errors="surrogateescape"))


def read(text):
    """Returns {path: [Hunk]}; raises Failed if the patch has other lines."""
    files, hunks = {}, None
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        header = HEADER.match(line)
        if header and hunks is not None:
            hunks.append(Hunk(int(header.group(1)), [], header.group(2)))
        elif line.startswith("+++ b/"):
            hunks = files.setdefault(line[6:], [])
        elif line.startswith("+") and hunks:
            hunks[-1].lines.append(line[1:])
        elif not line.startswith("--- a/"):
            raise source.Failed(
                "line %d of the patch is neither a header nor a line that is "
                "added: %s" % (number, line))
    return files


def find(lines, hunk, drift):
    """Returns the place of a hunk; drift is how far the one before it was from
    where the patch has it."""
    expected = hunk.after + drift
    found = [at for at in range(len(lines) + 1)
             if checksum(lines, at) == hunk.checksum]
    if expected in found or len(found) == 1:
        return expected if expected in found else found[0]
    raise source.Failed("%s for '%s', which is after line %d of the release "
                        "that the patch was made for" % (
                            "there are %d places" % len(found) if found
                            else "there is no place",
                            hunk.lines[0].strip(), hunk.after))


def insert(text, hunks):
    """Returns the text with the lines of the hunks."""
    old = text.split("\n")
    new, done, drift = [], 0, 0
    for hunk in hunks:
        at = find(old, hunk, drift)
        if at < done:
            raise source.Failed("'%s' would come before the line above it" %
                                hunk.lines[0].strip())
        drift = at - hunk.after
        new += old[done:at] + hunk.lines
        done = at
    return "\n".join(new + old[done:])


def read_file(path):
    with open(str(path), encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        return file.read()


def plan(tree, text):
    """Returns {path: patched text} for a pristine tree."""
    files = {}
    for name, hunks in read(text).items():
        try:
            files[name] = insert(read_file(tree / name), hunks)
        except (OSError, source.Failed) as error:
            raise source.Failed("%s: %s" % (name, error))
    return files


def make(pristine, patched, names):
    """Returns the patch that makes the files of one tree those of another."""
    text = ""
    for name in names:
        old, new = (read_file(tree / name) for tree in (pristine, patched))
        lines = old.split("\n")
        for line in patch.zero_context(
                patch.Change(name, old, new)).split("\n")[:-1]:
            begin = re.match(r"@@ -(\d+),0 ", line)
            if begin:
                line += " " + checksum(lines, int(begin.group(1)))
            text += line + "\n"
        if insert(old, read(text)[name]) != new:
            raise source.Failed("%s: lines of the other project were changed: "
                                "add lines only" % name)
    return text
