# SPDX-License-Identifier: BSD-2-Clause
"""The recipes of docs/CONTRIBUTING.md: each lists the files that one case is
in, and names an existing case and the pattern that finds it.

All files of a recipe must have its case, in their text or in their name. And
in the rooms of the recipe no other file may have it, but tests of its own.
"""

import collections
import pathlib
import re

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs" / "CONTRIBUTING.md"
TEXT = PAGE.read_text()

# names: what stands for the words in capitals; rooms: where no other file may
# have the case; others: files that may, and why
Case = collections.namedtuple("Case", "names rooms others")
CASES = {
    "An output format": Case(
        {"NAME": "bpftrace_structs", "expectSUFFIX": "expect-structs.h"},
        ["probegen", "include", "lib"], {}),
    "An error of probegen": Case(
        {"STAGE": "declarations", "CODE": "TOO_DEEP", "slug": "stars"},
        ["probegen", "include", "lib", "docs"], {}),
    "A warning of probegen": Case(
        {"STAGE": "resolve", "NAME": "perf-name", "slug": "modifiers"},
        ["probegen", "include", "lib", "docs"], {}),
    "A rule of `sdtkit check`": Case(
        {"SUBJECT": "file", "CODE": "SHORT_BUILD_ID", "slug": "fast"},
        ["probegen", "include", "lib", "docs"], {}),
    "A marshaller": Case(
        {"PART": "id"}, ["probegen", "include", "lib", "docs"], {
            "lib/tool/trace/ctf": "a trace has a uuid of its own"}),
    "A tracer in the tests": Case(
        {"NAME": "valgrind"}, ["tests/tracers"], {}),
    "A column of tsmbd's report": Case(
        {}, ["lib"], {}),
    "A number that tsmbd counts": Case(
        {}, ["lib/tsmbd"], {}),
    "A table of tsmbd's report": Case(
        {}, ["lib"], {}),
    "An output of reports": Case(
        {"ROOM": "incident"}, ["lib"], {
            "lib/tsmbd/options": "it has all options, and checks them",
            "lib/service/check": "it checks those of all outputs",
            "lib/tool/serve/": "the other program with outputs",
            "lib/incident/": "the other files of the room"}),
    "A provider": Case(
        {"NAME": "smblock"}, ["providers"], {
            "providers/smb2/": "it speaks of the other"}),
}


def recipes():
    """{title: (paths of its files, pattern of its example)}, of those whose
    list is on this page."""
    found = {}
    for title, text in re.findall(r"^### (.*?)\n(.*?)(?=^##|\Z)", TEXT,
                                  re.M | re.S):
        example = re.search(r"^Example: `git grep -lE '(.*?)'[^`]*`.*?\n\n?",
                            text, re.M | re.S)
        if not example:
            assert "](" in text, title
            continue
        # files without the word in them are named behind the command
        pattern = "|".join([example[1]] + [re.escape(name) for name in
                           re.findall(r", and\s`(.*?)`", example[0])])
        found[title] = re.findall(r"^\| `([^`]+)` \|", text, re.M), pattern
    return found


RECIPES = recipes()


def has(path, pattern):
    name = str(path.relative_to(SOURCE))
    return re.search(pattern, name) or re.search(
        pattern, path.read_text(errors="replace"))


def files_below(rooms):
    for room in rooms:
        for path in (SOURCE / room).glob("**/*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def test_every_recipe_has_a_case():
    assert set(RECIPES) == set(CASES)


def named(title):
    paths = RECIPES[title][0]
    for word, name in CASES[title].names.items():
        paths = [re.sub(r"(?<![A-Za-z])%s(?![A-Za-z])" % word, name, path)
                 for path in paths]
    return paths


@pytest.mark.parametrize("title", sorted(CASES))
def test_all_files_of_a_recipe_have_its_case(title):
    pattern = RECIPES[title][1]
    assert named(title)
    for name in named(title):
        assert (SOURCE / name).is_file(), name
        assert has(SOURCE / name, pattern), name


@pytest.mark.parametrize("title", sorted(CASES))
def test_no_other_file_has_it(title):
    case, pattern = CASES[title], RECIPES[title][1]
    for path in files_below(case.rooms):
        name = str(path.relative_to(SOURCE))
        if name in named(title) or path.name.startswith("test_") or any(
                part in "/" + name for part in case.others):
            continue
        if name == "docs/CONTRIBUTING.md":
            continue
        assert not has(path, pattern), name


def test_rooms_exist():
    """Every room of the map is there, and so are its doors."""
    table = re.search(r"^## The rooms\n(.*?)^## ", TEXT, re.M | re.S)[1]
    for room, doors in re.findall(r"^\| `([\w/]+)`.*?\|[^|]*\| (.*) \|$",
                                  table, re.M):
        assert (SOURCE / room).is_dir(), room
        for door in re.findall(r"`([\w/.-]+\.(?:h|py|def|build))`", doors):
            assert any((SOURCE / folder / door).exists() for folder in
                       (room, "include", "include/sdtkit", ".")), door
