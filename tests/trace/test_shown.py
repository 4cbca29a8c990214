# SPDX-License-Identifier: BSD-2-Clause
"""What README.md shows of the demo server is what the commands print: the
lines of sdtkit list, and those of sdtkit trace except for their numbers."""

import re
import shlex
import subprocess

import pytest

from test_demo import Demo, folder  # noqa: F401  (a fixture)


@pytest.fixture(scope="module")
def shown(source):
    """Returns {"list": (words of the command, lines after it), "trace":
    ...}."""
    blocks = re.findall(
        r"^\$ sdtkit (list|trace) ([^\n]*demo-server[^\n]*)\n(.*?)^```",
        (source / "README.md").read_text(), re.M | re.S)
    return {name: (shlex.split(words), lines.splitlines())
            for name, words, lines in blocks}


def plain(line):
    return " ".join(re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?", "N", line).split())


def test_list(shown, folder, sdtkit):   # noqa: F811
    (program, *patterns), lines = shown["list"]
    said = subprocess.run([sdtkit, "list", folder / program, *patterns],
                          stdout=subprocess.PIPE, text=True).stdout
    assert len(lines) == 5
    assert said.splitlines() == lines


def test_trace(shown, folder, sdtkit, tmp_path):    # noqa: F811
    words, lines = shown["trace"]
    options = words[:words.index("./demo-server")]
    demo = Demo(folder, [sdtkit, "trace", "-o", tmp_path / "hits", *options,
                         "--"])
    demo.drive()
    demo.stop()
    text = (tmp_path / "hits").read_text()
    said = {plain(line) for line in text.splitlines()}
    assert len(lines) >= 4
    for line in lines:
        assert plain(line) in said, said
