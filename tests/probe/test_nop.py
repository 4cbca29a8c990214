# SPDX-License-Identifier: BSD-2-Clause
"""-DSDTKIT_NOP: what is at the site, and what is refused."""

import re
import subprocess

import pytest

import probe_tool

SITES = {
    "": ["90"],
    "-DSDTKIT_NOP=nop": ["90"],
    "-DSDTKIT_NOP=nop10": ["90", "66 2e 0f 1f 84 00 00 00 00 00"],
}


@pytest.mark.parametrize("option", SITES)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_site(compiler, option, tmp_path):
    probe_tool.generate(tmp_path)
    program = probe_tool.compile_c(tmp_path, compiler, ["values.c"], "p",
                                   "-O2", *option.split())
    listing = subprocess.run(["objdump", "-dw", program], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    for note in probe_tool.notes(program):
        found = re.search(r"^ +%x:\t(.*(?:\n.*)?)" % note.location, listing,
                          re.M)
        lines = [line.split("\t")[-2].strip()
                 for line in found[1].split("\n")][:len(SITES[option])]
        first = re.match(r"(?:[0-9a-f]{2} )+", found[1])[0].strip()
        assert [first] + lines[1:] == SITES[option]


@pytest.mark.parametrize("value,reason", [
    ("nop5", "overwrites the red zone"), ("nop11", "SDTKIT_NOP is nop"),
    ("5", "SDTKIT_NOP is nop")])
@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_refused(compiler, value, reason, tmp_path):
    probe_tool.generate(tmp_path)
    run = subprocess.run(
        [compiler, "-fsyntax-only", "-DSDTKIT_NOP=" + value, "-I", tmp_path,
         "-I", probe_tool.SOURCE / "include",
         "-xc++" if "++" in compiler else "-xc", probe_tool.HERE / "off.c"],
        stderr=subprocess.PIPE, text=True)
    assert run.returncode != 0 and reason in run.stderr
