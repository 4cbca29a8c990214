# SPDX-License-Identifier: BSD-2-Clause
"""`alias`: each site has a second note under another provider's name, for the
same place and with the same semaphore."""

import os
import subprocess

import pytest

from opt_in import rarely
import probe_tool


@pytest.mark.parametrize("compiler", rarely(
    ["gcc", "clang", "g++", "clang++"], ["clang", "g++"]))
def test_alias(compiler, tmp_path):
    probe_tool.generate(tmp_path, "--alias", "t=other")
    program = probe_tool.compile_c(tmp_path, compiler, ["evaluate.c"], "p",
                                   "-O2")
    subprocess.run([program], check=True)
    own = probe_tool.notes(program)
    other = probe_tool.notes(program, "other")
    assert own and sorted(own) == sorted(other)
    names = probe_tool.symbols(program)
    assert not any(name.startswith("other_") for name in names)


def test_alias_in_the_drop_in_header(tmp_path):
    """There each name has a nop and a semaphore of its own."""
    probe_tool.generate(tmp_path, "-h", "--alias", "t=other")
    program = probe_tool.compile_c(
        tmp_path, "gcc", ["dropin.c"], "p", "-O2", "-Wno-pedantic", "-I",
        str(probe_tool.SOURCE / "include" / "sdtkit" / "sdt"))
    subprocess.run([program], check=True)
    own = probe_tool.notes(program)
    other = probe_tool.notes(program, "other")
    assert [note.name for note in own] == [note.name for note in other]
    assert all(note.semaphore for note in own + other)
    assert not {note.semaphore for note in own} & {
        note.semaphore for note in other}


def test_alias_in_bpftrace(tmp_path, unavailable):
    if not probe_tool.have("bpftrace"):
        unavailable("bpftrace is not installed")
    if os.geteuid() != 0:
        unavailable("bpftrace needs root")
    probe_tool.generate(tmp_path, "--alias", "t=other")
    program = probe_tool.compile_c(tmp_path, "gcc", ["values.c"], "p", "-O2")
    run = subprocess.run(
        ["timeout", "300", "bpftrace", "-e",
         "usdt:%s:other:count { @ = sum(arg0); }" % program, "-c",
         "%s 4" % program], capture_output=True, text=True)
    assert "@: 10" in run.stdout, run.stdout + run.stderr
