# SPDX-License-Identifier: BSD-2-Clause
"""Runs probegen on several descriptions in one process, for this tree's own
build: to start Python and load probegen takes ten times as long as to make a
header.

    python3 probegen/batch.py FORMAT[,FORMAT] DIRECTORY FILE.d...

For each FILE.d, writes DIRECTORY/FILE_probes.h (format header), FILE_off.h
(noop), FILE_on.h (standalone), FILE.md (markdown) and FILE.json (json).
"""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

from probegen import cli    # noqa: E402  (after the path is right)

SUFFIXES = {"header": "_probes.h", "noop": "_off.h", "standalone": "_on.h",
            "markdown": ".md", "json": ".json"}


def main(formats, directory, *scripts):
    status = 0
    for script in scripts:
        name = os.path.splitext(os.path.basename(script))[0]
        for form in formats.split(","):
            output = os.path.join(directory, name + SUFFIXES[form])
            if cli.main(["probegen", "--emit", form, script, "-o", output]):
                status = 1
                break       # each format would say the same
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
