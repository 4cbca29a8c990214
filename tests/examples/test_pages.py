# SPDX-License-Identifier: BSD-2-Clause
"""The pages of docs as a whole: each is in the index, each link of each page
leads to a file and a heading, and no line is longer than a screen."""

import pathlib
import re

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCS = SOURCE / "docs"
PAGES = [SOURCE / "README.md", *sorted(DOCS.glob("*.md"))]
WIDTH = 120


def without_blocks(text):
    return re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)


def anchors(page):
    """What links may name in a page, as git forges derive it of headings."""
    found = []
    for heading in re.findall(r"^#+ (.*)$", without_blocks(page.read_text()),
                              re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.append(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def links(page):
    return re.findall(r"\]\(([^)\s]+)\)", without_blocks(page.read_text()))


def test_index_has_each_page():
    """Pages by links; manual pages and schemas, which are installed elsewhere,
    by name."""
    text = (DOCS / "README.md").read_text()
    listed = {link.split("#")[0] for link in links(DOCS / "README.md")}
    listed |= set(re.findall(r"`([\w.-]+\.(?:[18]|json))`", text))
    there = {path.name for path in DOCS.iterdir()
             if path.suffix in (".md", ".1", ".8", ".json")} - {"README.md"}
    assert listed == there


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links(page):
    for link in links(page):
        if re.match(r"https?:", link):
            continue
        target, _, anchor = link.partition("#")
        path = page.parent / target if target else page
        assert path.exists(), link
        if anchor:
            assert anchor in anchors(path), link


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_lines_fit_a_screen(page):
    """Rows of tables cannot be wrapped, and output is what it is."""
    for line in without_blocks(page.read_text()).split("\n"):
        assert line.startswith("|") or len(line) <= WIDTH, line


def test_glossary_defines_each_word_once():
    words = []
    for names in re.findall(r"^\*\*(.+?)\*\*: ",
                            (DOCS / "glossary.md").read_text(), re.M):
        words += [name.replace("to ", "", 1) for name in names.split(", ")]
    assert len(words) > 40 and len(words) == len(set(words))
