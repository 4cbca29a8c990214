# SPDX-License-Identifier: BSD-2-Clause
"""The blocks of docs/building.md are lines of the examples, in their order.

A block begins with "# FILE": a file of examples/build.
"""

import re

import pytest

BLOCK = re.compile(r"^```\w+\n# ([\w/.]+)\n(.*?)^```", re.M | re.S)
FILES = ["automake/Makefile.am", "automake/configure.ac",
         "bazel/BUILD", "bazel/WORKSPACE",
         "cmake/CMakeLists.txt", "make/Makefile", "meson/meson.build",
         "optional/CMakeLists.txt", "optional/meson.build", "waf/wscript"]


@pytest.fixture(scope="module")
def blocks(source):
    return dict(BLOCK.findall(
        (source / "docs" / "building.md").read_text()))


def test_each_build_has_a_block(blocks):
    assert sorted(blocks) == FILES


@pytest.mark.parametrize("name", FILES)
def test_lines(name, blocks, source):
    lines = iter((source / "examples" / "build" / name).read_text().split(
        "\n"))
    for line in filter(None, blocks[name].split("\n")):
        assert line in lines, line      # searches from the last one on


@pytest.mark.parametrize("name", FILES)
def test_blocks_are_whole(name, blocks):
    """A reader copies a block: no call in it may end in the middle."""
    block = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "", blocks[name])
    for opening, closing in "()", "[]", "{}":
        assert block.count(opening) == block.count(closing), opening
