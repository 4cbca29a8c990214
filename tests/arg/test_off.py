# SPDX-License-Identifier: BSD-2-Clause
"""A probe with marshalled arguments that is off executes two instructions more
than no probe, whatever the function around it, and when it is on it changes
nothing of what that function computes."""

import re
import subprocess

import pytest

from opt_in import rarely, turns
from probe.hot_path import check_hot_path, hot_path
from programs import which
import arg_tool

# Beginnings of names of functions in off.c: "leaf" stands for leaf_loop too.
# What they do once, before a loop, may differ by some instructions.
FUNCTIONS = ["leaf", "vector", "calls_loop", "scaled_loop"]
ONCE = 30

COUNTED = [("gcc", "-O2"), ("clang", "-O2"),
           ("gcc", "-O2 -fPIC -fstack-protector-strong"),
           ("g++", "-O2 -fno-omit-frame-pointer -mavx2"),
           ("clang++", "-O2 -fPIC -fstack-protector-strong")]
KEPT = ["-O0", "-O2", "-O3 -mavx2", "-O2 -fPIC -fstack-protector-strong",
        "-O1 -fsanitize=address", "-O2 -masm=intel",
        "-O2 -fno-asynchronous-unwind-tables -fno-exceptions"]


def instructions(program, folder):
    """What the functions of off.c execute, and the probes that are passed."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         *["--toggle-collect=%s*" % name for name in FUNCTIONS], program],
        check=True, text=True, capture_output=True, timeout=arg_tool.LIMIT)
    return (int(re.search(r"Collected : (\d+)", done.stderr)[1]),
            int(done.stdout.split()[0]))


@pytest.mark.parametrize("compiler,flags", COUNTED)
def test_two_instructions(compiler, flags, tmp_path, unavailable):
    arg_tool.need_x86_64(unavailable)
    if not which("valgrind"):
        unavailable("valgrind is not installed")
    counts = []
    for mode in "-DWITH_PROBES", "-DSDTKIT_DISABLE":
        program = arg_tool.compile_program(
            tmp_path, compiler, "off.c", "-g", *flags.split(), mode)
        counts.append(instructions(program, tmp_path))
    (with_probes, probes), (without, _) = counts
    assert without > probes     # the functions were found at all
    assert 0 <= with_probes - without - 2 * probes < ONCE


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_two_instructions_of_a_leaf(compiler, tmp_path, unavailable):
    """As far as a listing shows it."""
    arg_tool.need_x86_64(unavailable)
    without, with_probe = (hot_path(arg_tool.compile_program(
        tmp_path, compiler, "off.c", "-g", "-O2", mode), "leaf")
        for mode in ("-DSDTKIT_DISABLE", "-DWITH_PROBES"))
    check_hot_path(without, with_probe)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_by_hand(compiler, tmp_path, unavailable):
    """The text is in the frame of the function, which had none: two more."""
    arg_tool.need_x86_64(unavailable)
    if not which("valgrind"):
        unavailable("valgrind is not installed")
    counts = []
    for mode in "-DWITH_PROBES", "-DSDTKIT_DISABLE":
        program = arg_tool.compile_program(
            tmp_path, compiler, "off.c", "-g", "-O2", "-DBY_HAND", mode)
        counts.append(instructions(program, tmp_path))
    (with_probes, probes), (without, _) = counts
    assert without > probes
    assert 2 * probes <= with_probes - without <= 4 * probes + ONCE


OFTEN = ["-O0", "-O2", "-O3 -mavx2", "-O1 -fsanitize=address"]


@pytest.mark.parametrize("flags, compiler", rarely(
    turns(KEPT, arg_tool.COMPILERS), [
        row for row in turns(KEPT, arg_tool.COMPILERS, every=False)
        if row[0] in OFTEN]))
def test_keeps_what_is_live(compiler, flags, tmp_path):
    program = arg_tool.compile_program(tmp_path, compiler, "kept.c",
                                       *flags.split())
    off, on = (arg_tool.run(program, state) for state in "01")
    assert off == on and len(on.splitlines()) == 8
