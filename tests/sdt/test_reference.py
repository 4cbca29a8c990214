# SPDX-License-Identifier: BSD-2-Clause
"""Beside SystemTap's header: the same probes with as many arguments, and types
that hold the same values. tests/consumers compares what tracers read."""

import re
import subprocess

import pytest

import sdt_tool
from opt_in import turns

TYPE = re.compile(r"(-?)(\d+)f?$")


def split(operand):
    """(is signed, bytes)"""
    found = TYPE.match(operand.split("@")[0])
    return bool(found[1]), int(found[2])


def holds(ours, theirs):
    """Whether every value of their type is one of ours. Floating point is
    handed over as bits, and of more than 8 bytes as 8."""
    if theirs[1] > 8:
        return ours[1] == 8
    if ours[0] == theirs[0]:
        return ours[1] >= theirs[1]
    return ours[0] and ours[1] > theirs[1]


@pytest.mark.parametrize("compiler, flags", turns(
    ["gcc", "clang", "g++", "clang++"], ["-O0", "-O2", "-O2 -fPIC"]))
def test_notes(compiler, flags, tmp_path, unavailable):
    sdt_tool.need_theirs(unavailable)
    # gcc has no operand of 32 bytes
    text = (sdt_tool.HERE / "values.c").read_text().replace("*large, ",
                                                            "large, ")
    name = "p.cc" if "++" in compiler else "p.c"
    ours, theirs = (sdt_tool.compiled(tmp_path, text, compiler, *flags.split(),
                                      "-w", header=header, name=name)[0]
                    for header in ("ours", "theirs"))
    assert set(ours) == set(theirs)
    for probe in ours:
        assert ours[probe].provider == theirs[probe].provider
        assert ours[probe].semaphore == theirs[probe].semaphore == 0
        assert len(ours[probe].args) == len(theirs[probe].args)
        for operands in zip(ours[probe].args, theirs[probe].args):
            types = [split(operand) for operand in operands]
            # in C++, an enum has no sign in SystemTap's
            if "++" in compiler and types == [(True, 4), (False, 4)]:
                assert probe == "others"
                continue
            assert holds(*types), (probe, operands)


EVALUATED = """
#include <sys/sdt.h>
static int n[4];
static int next(int which) { return n[which] = ++n[0]; }
static volatile int off;
int main(void)
{
	DTRACE_PROBE3(t, order, next(1), next(2), next(3));
	if (off)
		DTRACE_PROBE1(t, guarded, next(1));
	return !(n[0] == 3 && n[1] == 1 && n[2] == 2 && n[3] == 3);
}
"""


@pytest.mark.parametrize("header", ["ours", "theirs"])
def test_arguments_are_evaluated_once_in_order(header, tmp_path, unavailable):
    if header == "theirs":
        sdt_tool.need_theirs(unavailable)
    for compiler in "gcc", "clang", "g++":
        for level in "-O0", "-O2":
            sdt_tool.must([compiler, level, *sdt_tool.HEADERS[header],
                           sdt_tool.source(tmp_path, EVALUATED, "p.cc" if
                                           "++" in compiler else "p.c"),
                           "-o", "p"], tmp_path)
            assert subprocess.run([tmp_path / "p"]).returncode == 0


STORES = """
#include <sys/sdt.h>
int main(int argc, char **argv)
{
	char text[16];
	int i;

	(void)argv;
	for (i = 0; i < 8; i++)
		text[i] = (char)('a' + i * argc);
	text[8] = 0;
	DTRACE_PROBE1(t, stores, text);
	return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_stores_are_made(compiler, tmp_path, unavailable):
    """What only a tracer will read is written before the site."""
    sdt_tool.must([compiler, "-O2", *sdt_tool.OURS,
                   sdt_tool.source(tmp_path, STORES), "-o", "p"], tmp_path)
    status, said = sdt_tool.run(
        ["timeout", "300", "gdb", "-nx", "-batch", "-ex",
         "break -probe-stap t:stores", "-ex", "run", "-ex",
         r'printf "read %s\n", (char *)$_probe_arg0', "p"], tmp_path,
        stdin=subprocess.DEVNULL)
    assert "read abcdefgh\n" in said
