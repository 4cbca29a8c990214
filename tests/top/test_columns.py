# SPDX-License-Identifier: BSD-2-Clause
"""The schema and the page have the numbers of tables.def. With
SDTKIT_REGENERATE=1 these tests write the members of the schema and the table of
the columns."""

import json
import re

import pytest

import described
from described import REGENERATE, members

# objects of the schema, and the groups of their members
OBJECTS = {
    "row": ["SPANS_COUNT", "SPANS_ERRORS", "SPANS_TIMES", "SPANS_RATE",
            "SPANS_LIMITS", "SPANS_RUNNING", "SPANS_SELF"],
    "probe": ["PROBE_HITS"],
    "total": ["TOTAL_THERE", "TOTAL_LOST"],
    "report": ["LOST_LINES"],
    "slow": ["SLOW_TIMES"],
}
# those that not all spans have
OPTIONAL = ["SPANS_ERRORS", "SPANS_RUNNING", "SPANS_SELF"]


@pytest.fixture(scope="module")
def columns(source, tmp_path_factory):
    return described.columns(source / "lib" / "tool" / "top" / "tables.def",
                             tmp_path_factory.mktemp("columns"))


def test_the_schema_has_them(columns, source):
    schema = described.Schema(source / "docs" / "top.schema.json",
                              {"NS": "decimal", "RATE": "decimal"})
    for name, groups in OBJECTS.items():
        schema.put(name, members(columns, groups), OPTIONAL)
    schema.compare()


def test_the_schema_has_no_other_numbers(columns, source):
    schema = json.loads((source / "docs" / "top.schema.json").read_text())
    for name, groups in OBJECTS.items():
        numbers = {key for key, member in
                   schema["definitions"][name]["properties"].items()
                   if re.search("definitions/(number|decimal)",
                                json.dumps(member))}
        known = {column.key for column in members(columns, groups)}
        assert numbers - {"elapsed_us", "sums", "slots"} == known


def row_of(column):
    doc = re.sub(r"\b(error|ok)=", r"`\1=`", column.doc)
    return "| `%s` | `%s` | %s |" % (column.title, column.key, doc)


def test_the_page_has_the_columns(columns, source):
    path = source / "docs" / "top.md"
    before = path.read_text()
    begin = before.index("| column | key in JSON | meaning |\n")
    begin = before.index("\n", before.index("| --- |", begin)) + 1
    end = before.index("| `SUMS` | `sums` |", begin)
    rows = [row_of(column) for column in members(columns, OBJECTS["row"])]
    after = before[:begin] + "\n".join(rows) + "\n" + before[end:]
    if REGENERATE:
        path.write_text(after)
    else:
        assert before == after


def test_the_page_explains_what_is_said_at_the_end(columns, source):
    page = (source / "docs" / "top.md").read_text()
    page = page.partition("| at the end it says | because |")[2]
    rows = re.findall(r"^\| ([^|]+) \| ", page, re.MULTILINE)
    said = [column.title for column in columns
            if column.group in OBJECTS["total"] and column.title]
    assert len(said) == 8
    for title in said:
        assert any(row in title for row in rows[1:]), title
