# SPDX-License-Identifier: BSD-2-Clause
"""What docs/compilers.md says of compilers, and the compilers that are here;
compilers.py says how there can be more."""

import json
import os
import re

import pytest

import compilers

ANSWERS = {"yes", "compiled", "no option", "no C library", "no linker"}
BETWEEN = re.compile(r"(?<=<!-- compilers.json -->\n).*?(?=<!-- end -->)",
                     re.S)


def table(results):
    forms = list(compilers.FORMS)
    rows = [["compiler", "Debian", *("`%s`" % form for form in forms)],
            ["---"] * (len(forms) + 2)]
    for name, result in results.items():
        rows.append(["%s %s" % (name.split("-")[0], result["version"]),
                     result["system"].split()[-1],
                     *(result["found"][form] for form in forms)])
    return "".join("| %s |\n" % " | ".join(row) for row in rows)


def test_page(source):
    path = source / "docs/compilers.md"
    text = path.read_text()
    expected = table(json.loads(compilers.RESULTS.read_text()))
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        path.write_text(BETWEEN.sub(lambda _: expected, text))
    assert BETWEEN.search(path.read_text())[0] == expected


def test_no_result_is_a_fault():
    results = json.loads(compilers.RESULTS.read_text())
    assert {found for result in results.values()
            for found in result["found"].values()} <= ANSWERS


@pytest.mark.parametrize("compiler", compilers.compilers(),
                         ids=lambda compiler: compiler.name)
def test_compiler(compiler, all_builds):
    found = compilers.run_compiler(compiler, {})
    assert set(found.values()) <= ANSWERS, found
