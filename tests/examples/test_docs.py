# SPDX-License-Identifier: BSD-2-Clause
"""The examples in README.md and docs/language.md are true."""

import re
import subprocess
import sys

import pytest


def blocks(path):
    return re.findall(r"^```\w*\n(.*?)^```", path.read_text(), re.M | re.S)


@pytest.mark.parametrize("name", ["README.md", "docs/language.md"])
def test_example_compiles(name, source, tmp_path):
    texts = blocks(source / name)
    description = [text for text in texts if re.search(r"^provider smb2? \{", text, re.M)][0]
    included = re.search(r'#include "(\w+_probes\.h)"', "".join(texts))
    header = included[1] if included else "x.h"
    (tmp_path / "x.d").write_text(description)
    subprocess.run([sys.executable, source / "probegen", "-Wno-all",
                    tmp_path / "x.d", "-o", tmp_path / header], check=True)
    code = [text for text in texts if '#include "%s"' % header in text]
    body = code[0] if code else '#include "%s"\n' % header
    subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                    "-I", tmp_path, "-I", source / "include", "-xc", "-"],
                   input=body, text=True, check=True)


# compilers write NAME.d beside NAME.o
C_SUFFIXES = ("c", "cc", "cpp", "cxx")


def test_no_description_has_the_name_of_a_c_file(source):
    for folder in "examples", "providers":
        for path in (source / folder).glob("**/*.d"):
            for suffix in C_SUFFIXES:
                assert not path.with_suffix("." + suffix).exists(), path


def test_no_page_shows_a_description_with_the_name_of_a_c_file(source):
    pages = [source / "README.md",
             *(path for path in (source / "docs").iterdir()
               if path.suffix != ".png"),
             *(source / "examples").glob("*/README.md"),
             *(source / "providers").glob("**/*.md")]
    for page in pages:
        names = re.findall(r"\b(\w+)\.(d|%s)\b" % "|".join(C_SUFFIXES),
                           page.read_text())
        for name, suffix in names:
            both = suffix == "d" and {name} & {
                stem for stem, other in names if other != "d"}
            # the pages that explain the trap call it server.d
            assert not both or name == "server", (page, name)


def test_no_provider_has_more_arguments_than_the_page_says(source):
    sys.path.insert(0, str(source))
    from probegen import diag, lexer, parser, resolve, source as sources
    most = {"smb2:request_start": 11, "smb2:request_end": 12,
            "smb2:request_details": 12}
    for path in (source / "providers").glob("*/*.d"):
        faults = diag.Diagnostics()
        tree = parser.parse(lexer.lex(sources.Source(
            path.name, path.read_text()), faults), faults)
        model = resolve.resolve([tree], faults, path.name)
        assert not faults
        for probe in model.providers[0].probes:
            name = "%s:%s" % (probe.provider, probe.name)
            assert len(probe.args) <= most.get(name, 10), name


def test_every_provider_is_listed(source):
    """In the build, in the table of providers with the number of its probes,
    and in README.md."""
    there = {path.stem: path.read_text()
             for path in (source / "providers").glob("*/*.d")}
    built = re.search(r"^provider_names = \[([^]]*)\]",
                      (source / "providers/meson.build").read_text(), re.M)[1]
    assert sorted(re.findall(r"'(\w+)'", built)) == sorted(there)
    rows = dict(re.findall(r"^\| \[(\w+)\]\(\1/README\.md\) \| (\d+) \|",
                           (source / "providers/README.md").read_text(), re.M))
    assert rows == {name: str(len(re.findall(r"^\s+probe ", text, re.M)))
                    for name, text in there.items()}
    named = re.search(r"^\| \[providers\].*? `([\w ]+)`",
                      (source / "README.md").read_text(), re.M)[1]
    assert sorted(named.split()) == sorted(there)


def test_map_of_the_tree(source):
    """Every link of README.md leads somewhere."""
    for target in re.findall(r"\]\(([^)]+)\)",
                             (source / "README.md").read_text()):
        assert (source / target).exists(), target


def test_every_error_code_of_the_docs_exists(source):
    sys.path.insert(0, str(source))
    from probegen import diag
    for name in "README.md", "docs/language.md", "docs/probegen.1":
        for code in re.findall(r"error ([A-Z_]+):",
                               (source / name).read_text()):
            assert code in diag.CODES or code == "CODE"
