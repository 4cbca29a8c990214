# SPDX-License-Identifier: BSD-2-Clause
"""A hostile file: what it has a hundred thousand of is not searched for in
lists, or the command would take many minutes."""

import subprocess

import pytest

from top_run import LIMIT

COUNT = 60000
# two probes, or one more site of each, and a span of them
SOURCE = """
	.globl _start
_start:	nop
	.macro note name, type
	.pushsection .note.\\name,"","note"
	.balign 4
	.4byte 992f-991f, 994f-993f, \\type
991:	.asciz "\\name"
992:	.balign 4
993:
	.endm
	.macro probe name
990:	nop
	note stapsdt, 3
	.8byte 990b, 0, 0
	.asciz "p", "\\name", "8@%%rdi"
994:	.balign 4
	.popsection
	.endm
	.macro span name, start
	note sdtkit, 5
	.asciz "p", "\\name", "", "start", "\\start", "end", "\\start\\()_end"
	.asciz "key", "%(key)s"
994:	.balign 4
	.popsection
	.endm
	.macro both
	probe %(probe)s
	probe %(probe)s_end
	span s\\@, %(probe)s
	.endm
	.rept %(count)d
	both
	.endr
"""


@pytest.fixture
def hostile(tmp_path):
    """hostile(probe): the file, with probes of this name."""
    def build(probe, count=COUNT, key="tid"):
        path = tmp_path / "hostile"
        (tmp_path / "x.s").write_text(SOURCE % {
            "probe": probe, "count": count, "key": key})
        subprocess.run(["as", "x.s", "-o", "x.o"], check=True, cwd=tmp_path)
        subprocess.run(["ld", "x.o", "-o", path], check=True, cwd=tmp_path)
        return path
    return build


def refused(sdtkit, *args):
    done = subprocess.run([sdtkit, "top", *args], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, universal_newlines=True,
                          timeout=LIMIT)
    assert done.returncode == 2
    return done.stderr


@pytest.mark.thorough
def test_many_probes_and_spans(sdtkit, hostile, privileged):
    path = hostile("q\\@")
    assert refused(sdtkit, path) == (
        "sdtkit top: %d spans: the limit is 64; name those to be traced\n" %
        COUNT)
    done = subprocess.run([sdtkit, "top", path, "s%d" % 7, "-w", "0.1"],
                          timeout=LIMIT, stderr=subprocess.PIPE)
    assert b"limit" not in done.stderr


@pytest.mark.thorough
def test_many_sites_of_a_probe(sdtkit, hostile, privileged):
    path = hostile("q")
    done = subprocess.run([sdtkit, "top", path, "p:q", "-w", "0.1"],
                          timeout=LIMIT, stdout=subprocess.PIPE)
    assert done.returncode == 1 and b"p:q" in done.stdout


@pytest.mark.thorough
def test_as_many_spans_as_are_allowed(sdtkit, hostile, privileged):
    """Linux 6.1 has memory ready for a few of their rows at a time."""
    path = hostile("q\\@", 64, "arg0")
    done = subprocess.run([sdtkit, "top", path, "-w", "0.1"], timeout=LIMIT,
                          capture_output=True, text=True)
    assert done.stdout == "no span has ended\n", done.stderr
