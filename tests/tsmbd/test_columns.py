# SPDX-License-Identifier: BSD-2-Clause
"""The schema and the manual page have the numbers of tables.def.

With SDTKIT_REGENERATE=1 these tests write what they would compare: the
members of each object in docs/tsmbd.schema.json, and the lists of members in
docs/tsmbd.1, each of which follows a comment that says what is in it.
"""

import json
import re
import textwrap

import pytest

import described
from described import REGENERATE, members

# objects of the schema by their path, and the groups of their members
OBJECTS = {
    "report": ["SERVER_PROCESSES", "SERVER_SUM", "SERVER_TRAFFIC",
               "SERVER_CALL_TIME"],
    "report/phases_us": ["SERVER_PHASES"],
    "report/lost": ["SERVER_LOST"],
    "now": ["SERVER_NOW"],
    "operation": ["OPERATION_REQUESTS", "OPERATION_TIMES", "OPERATION_LIMITS",
                  "OPERATION_KEPT", "OPERATION_SIZES"],
    "error": ["error"],
    "syscall": ["call"],
    "disk": ["disk"],
    "sizes": ["size"],
    "top": ["NAME_REQUESTS", "NAME_LIMITS", "NAME_KEPT"],
    "wait": ["wait"],
    "slow": ["SLOW_TIMES", "SLOW_LIMITS"],
}

# members that depend on options, or are there only if they are not 0
OPTIONAL = ["SERVER_CALL_TIME", "OPERATION_LIMITS", "OPERATION_KEPT",
            "NAME_LIMITS", "NAME_KEPT", "SLOW_LIMITS"]

# whose titles are lines of the report, which the manual page explains
LINES = ["SERVER_PROCESSES", "SERVER_NOW", "SERVER_PHASES", "SERVER_SUM",
         "SERVER_CALL_TIME", "SERVER_TRAFFIC"]
GROUPS = [group for groups in OBJECTS.values() for group in groups]


@pytest.fixture(scope="module")
def columns(source, tmp_path_factory):
    return described.columns(source / "lib" / "tsmbd" / "tables.def",
                             tmp_path_factory.mktemp("columns"))


def test_the_schema_has_each_number(columns, source):
    schema = described.Schema(source / "docs" / "tsmbd.schema.json",
                              {"NS": "us", "US": "us"})
    for path, groups in OBJECTS.items():
        schema.put(path, members(columns, groups), OPTIONAL,
                   path != "report/lost")
    schema.compare()


def is_number(schema, member):
    member = schema["definitions"].get(
        member.get("$ref", "").rpartition("/")[2], member)
    return member.get("type") == "integer"


def test_the_schema_has_no_other_numbers(columns, source):
    schema = json.loads((source / "docs" / "tsmbd.schema.json").read_text())
    others = {"opcode", "status", "pid", "vnn", "holder_vnn", "elapsed_us"}
    for path, groups in OBJECTS.items():
        found = schema["definitions"][path.partition("/")[0]]
        for name in path.split("/")[1:]:
            found = found["properties"][name]
        numbers = {name for name, member in found.get("properties", {}).items()
                   if is_number(schema, member)}
        known = {column.key for column in members(columns, groups)}
        assert numbers - others <= known, path
        assert all(column.doc for column in members(columns, groups)
                   if column.group != "SERVER_LOST"), path


def list_of_members(words, columns, request, end):
    """The lines for what a comment says, which is a list of groups and keys:

    .\\" members: opcode name REQUESTS
    .Cm opcode , name , count ,
    .Cm total_us :
    """
    keys = []
    for word in words:
        keys += ([column.key for column in members(columns, [word])]
                 if word in GROUPS else [word])
    text = " , ".join(keys) + " " + end
    if request == ".It Cm ":
        return [request + text.rstrip()]
    lines = textwrap.wrap(text, 80 - len(request), break_on_hyphens=False,
                          break_long_words=False)
    # a mark at the beginning of a line would be a word of its own
    for at, line in enumerate(lines[1:]):
        if line[0] in ",.;:":
            lines[at] += " " + line[0]
            lines[at + 1] = line[1:].lstrip()
    return [request + line for line in lines if line]


def test_the_manual_page_has_each_member(columns, source):
    path = source / "docs" / "tsmbd.1"
    before = path.read_text().splitlines()
    after = []
    lines = iter(before + [""])
    line = next(lines)
    found = set()
    for line in lines:
        after.append(line)
        match = re.match(r'\.\\" members: (.*)', line)
        if not match:
            continue
        found |= set(match.group(1).split())
        old = next(lines)
        request = re.match(r"(\.It )?\.?Cm ", old).group()
        while old.startswith(request):
            last, old = old, next(lines)
        end = last[-1] if last[-2] == " " else ""
        after += list_of_members(match.group(1).split(), columns, request, end)
        after.append(old)
    after = before[:1] + after[:-1]
    groups = {column.group for column in columns if column.key is not None}
    assert groups - found == {"SERVER_SUM", "SERVER_CALL_TIME", "call", "disk",
                              "SERVER_LOST", "SERVER_NODE", "SLOW_TIMES",
                              "SLOW_LIMITS", "NAME_LIMITS", "NAME_KEPT"}
    if REGENERATE:
        path.write_text("\n".join(after) + "\n")
    else:
        assert before == after


def tags(text, section):
    """Returns the tags of the lists in a section."""
    text = text.partition("\n.Sh " + section)[2].partition("\n.Sh ")[0]
    return re.findall(r"^\.It (.*)$", text, re.MULTILINE)


def explains(tag, title):
    """'Time ...' is about all titles that begin with Time."""
    for one in tag.split(", "):
        if (one.endswith(" ...") and title.startswith(one[:-3]) or
                title == one or title.endswith(" " + one)):
            return True
    return False


def test_the_manual_page_explains_each_line(columns, source):
    found = tags((source / "docs" / "tsmbd.1").read_text(), "THE REPORT")
    for column in columns:
        if column.group in LINES and column.unit != "PART" and column.title:
            assert any(explains(tag, column.title) for tag in found), column


def test_the_manual_page_explains_lines_of_slow(columns, source):
    found = " ".join(tags((source / "docs" / "tsmbd.1").read_text(),
                          "LINES OF --slow AND --errors"))
    titles = [column.title for column in columns if column.group == "SLOW_TIMES"]
    assert " ".join(titles) in found
