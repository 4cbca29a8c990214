# SPDX-License-Identifier: BSD-2-Clause
"""The patches of examples/servers: they have our lines only, and use each
probe of the description, with as many arguments as it has."""

import json
import re
import subprocess
import sys

import placing
import pytest


@pytest.fixture
def text(server):
    return (server.HERE / "probes.patch").read_text()


@pytest.fixture
def manifest(server, source, tmp_path):
    path = tmp_path / "manifest.json"
    subprocess.run(
        [sys.executable, source / "probegen", "--emit", "json",
         server.HERE / server.DESCRIPTION, "-o", path], check=True)
    return json.loads(path.read_text())


def test_only_lines_that_are_added(text):
    for line in text.split("\n")[:-1]:
        assert re.match(r"\+|--- a/|@@ -\d+,0 \+\d+,\d+ @@ [0-9a-f]{8}$",
                        line), line
    files = placing.read(text)
    assert files and all(files.values())
    for hunks in files.values():
        places = [hunk.after for hunk in hunks]
        assert places == sorted(places)


def calls(text, provider):
    """[(macro, number of arguments)] of the added lines."""
    added = "\n".join(line for hunks in placing.read(text).values()
                      for hunk in hunks for line in hunk.lines)
    found = []
    for match in re.finditer(r"\b(%s_[A-Z_]+)\(" % provider.upper(), added):
        depth, commas, at = 1, 0, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(added[at], 0)
            commas += depth == 1 and added[at] == ","
            at += 1
        empty = added[match.end():at - 1].strip() == ""
        found.append((match.group(1), 0 if empty else commas + 1))
    return found


def test_each_probe_has_a_site(text, manifest):
    (provider,) = manifest["providers"]
    declared = {probe["macro"]: len(probe["args"])
                for probe in provider["probes"]}
    used = calls(text, provider["name"])
    assert {name for name, _ in used} == set(declared)
    for name, count in used:
        assert count == declared[name], name


def test_each_probe_and_span_is_documented(manifest):
    (provider,) = manifest["providers"]
    for item in provider["probes"] + provider["spans"]:
        assert item["doc"], item["name"]


@pytest.mark.parametrize("emit", ["header", "noop"])
def test_the_description_compiles(server, source, tmp_path, emit):
    """Both headers, without a word of warning; the second is for builds
    without probes."""
    subprocess.run(
        [sys.executable, source / "probegen", "--emit", emit,
         server.HERE / server.DESCRIPTION, "-o", tmp_path / "probes.h"],
        check=True, stderr=subprocess.PIPE)
    (tmp_path / "a.c").write_text('#include "probes.h"\nint unused;\n')
    subprocess.run(
        ["cc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror",
         "-DSDTKIT_ARG_INLINE", "-I", source / "include", "-c", "a.c"],
        cwd=tmp_path, check=True)


def test_top_counts_spans_and_probes_that_there_are(server, manifest):
    (provider,) = manifest["providers"]
    known = {item["name"] for item in provider["probes"] + provider["spans"]}
    for word in server.TOP:
        assert word.split(":")[1] in known
    assert server.STRICT <= known and set(server.HITS) <= known
