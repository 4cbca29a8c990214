# SPDX-License-Identifier: BSD-2-Clause
"""columns.def against the page and the schema, which list the columns too."""

import json
import re


def columns(source):
    text = (source / "lib" / "tool" / "top" / "columns.def").read_text()
    found = re.findall(r'^COLUMN\((\w+), "([^"]+)",.*?,\n {7}"([^"]+)"\)',
                       text, re.MULTILINE)
    assert len(found) == text.count("\nCOLUMN(")
    return found


def test_the_page_has_them(source):
    page = (source / "docs" / "top.md").read_text()
    rows = re.findall(r"^\| `([^`]+)` \| `(\w+)` \| (.*) \|$", page, re.M)
    expected = [(title, key, doc.replace("error=", "`error=`").replace(
        "ok=", "`ok=`")) for key, title, doc in columns(source)]
    assert rows[:-1] == expected
    assert rows[-1][:2] == ("SUMS", "sums")


def test_the_schema_has_them(source):
    schema = json.loads((source / "docs" / "top.schema.json").read_text())
    row = schema["definitions"]["row"]["properties"]
    for key, _, doc in columns(source):
        assert row[key]["description"] == doc
