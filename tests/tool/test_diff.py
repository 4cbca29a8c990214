# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit diff` reports the changes that would break scripts: tests/tool/diff
has a case for each kind of change, named by its code."""

import json
import pathlib
import re

import pytest

import case_tool

CASES = case_tool.cases(pathlib.Path(__file__).parent / "diff")


def code_of(path):
    return path.stem.split("-")[0]


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_tells(path, tmp_path, build, source, unavailable):
    got = case_tool.run_case(path, tmp_path, build, source, unavailable)
    if code_of(path).isupper():
        assert re.search(r"(breaking|harmless|unknown) %s:" % code_of(path), got)
    assert got == case_tool.expected(path, got)


def test_every_kind_has_a_case(source):
    schema = json.loads((source / "docs/diff.schema.json").read_text())
    codes = schema["definitions"]["change"]["properties"]["code"]["enum"]
    assert set(codes) == {code_of(path) for path in CASES
                          if code_of(path).isupper()}


def test_json(sdtkit, tmp_path, valid):
    old, new = tmp_path / "old.d", tmp_path / "new.d"
    old.write_text("provider smb { probe start(int a, int b); "
                   "probe end(int a); };")
    new.write_text("provider smb { probe start(int b, int a); "
                   "probe ends(int a); probe idle(); };")
    done = sdtkit("diff", "--json", old, new)
    changes = valid("diff", done.stdout)["changes"]
    assert [(c["code"], c["breaking"], c["probe"], c["argument"],
             c["new_probe"]) for c in changes] == [
        ("RENAMED", True, "end", None, "ends"),
        ("ARGUMENT_MOVED", True, "start", 0, None),
        ("ARGUMENT_MOVED", True, "start", 1, None),
        ("ADDED", False, "idle", None, None)]
    assert done.returncode == 1
    done = sdtkit("diff", "--json", "--quiet", old, new)
    assert len(valid("diff", done.stdout)["changes"]) == 3


def test_json_of_members(sdtkit, tmp_path, valid):
    old, new = tmp_path / "old.d", tmp_path / "new.d"
    text = ("typedef struct { int port; } info_t;"
            "translator info_t < struct conn *C > { port = C->port; };"
            "provider net { probe open(struct conn *c) : (info_t *c); };")
    old.write_text(text)
    new.write_text(text.replace("int port", "uint64_t port"))
    done = sdtkit("diff", "--json", old, new)
    changes = valid("diff", done.stdout)["changes"]
    assert [(c["code"], c["breaking"], c["argument"], c["member"])
            for c in changes] == [("MEMBER_TYPE", True, 0, "port")]
    assert done.returncode == 1
    old.write_text("provider net { probe open(int a); };")
    done = sdtkit("diff", "--json", old, old)
    assert valid("diff", done.stdout)["changes"] == []


BAD_RECORDS = [
    [{"name": "r", "size": 8}],
    [{"name": "r", "members": [{"name": "a"}]}],
    [{"name": "r", "members": [member]} for member in [
        {"name": "a", "type": "int", "wire": "s4", "offset": 5000, "size": 4,
         "array": None, "record": None}]],
    # records that contain themselves, an unknown one, or a later one
    [{"name": "r", "members": [
        {"name": "a", "type": "r", "wire": "", "offset": 0, "size": 4,
         "array": None, "record": "r"}]}],
    # records that contain two others each: 2 ** 40 members in all
    [{"name": "r%d" % i if i < 40 else "r", "members": [
        {"name": name, "type": "r", "wire": "", "offset": 0, "size": 4,
         "array": None, "record": "r%d" % (i - 1)} for name in "ab"]
      if i > 0 else []} for i in range(41)],
]


@pytest.mark.parametrize("records", BAD_RECORDS)
def test_bad_records_of_a_manifest(sdtkit, tmp_path, records):
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"manifest": 1, "records": records, "providers": [
        {"name": "net", "alias": None, "probes": [{"name": "open", "args": [
            {"name": "c", "type": "r *", "kind": "pointer", "wire": "p",
             "record": "r"}]}]}]}))
    done = sdtkit("diff", path, path)
    assert done.returncode == 2
    assert "not a manifest of probegen: " in done.stderr
