# SPDX-License-Identifier: BSD-2-Clause
"""The drop-in header does in a build what that of systemtap's `dtrace -h`
does, without a `-G` object, and with one."""

import re
import subprocess

import pytest

from opt_in import turns
from programs import has_sys_sdt
import probe_tool

SYSTEMTAP = "/usr/bin/dtrace"


@pytest.fixture
def site(tmp_path, unavailable):
    if not has_sys_sdt():
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")
    probe_tool.generate(tmp_path, "-h")
    return tmp_path


@pytest.mark.parametrize("flags, compiler", turns(
    ["-O0", "-O2", "-O3 -flto", "-O2 -fPIC", "-O2 -DSDT_FIRST"],
    ["gcc -std=gnu99", "clang", "g++ -std=c++11", "clang++"]))
def test_guard(site, compiler, flags):
    program = probe_tool.compile_c(site, compiler, ["dropin.c"], "p",
                                   "-Wno-pedantic", *flags.split())
    subprocess.run([program], check=True)
    notes = {note.name: note for note in probe_tool.notes(program)}
    assert set(notes) == {"count", "none"}
    assert all(bool(note.semaphore) == ("-DSDT_FIRST" not in flags)
               for note in notes.values())


def test_systemtap_object_takes_precedence(site, unavailable):
    if not probe_tool.have(SYSTEMTAP):
        unavailable("systemtap's dtrace is missing (systemtap-sdt-dev)")
    subprocess.run([SYSTEMTAP, "-G", "-s", probe_tool.HERE / "site.d", "-o",
                    site / "semaphores.o"], check=True, cwd=site)
    program = probe_tool.compile_c(
        site, "gcc", ["dropin.c", site / "semaphores.o"], "p", "-O2",
        "-Wno-pedantic")
    subprocess.run([program], check=True)
    symbols = probe_tool.symbols(program)
    assert symbols["t_count_semaphore"][1] in "dDbB"    # no longer weak


def test_same_macros_as_systemtap(site, unavailable):
    """Each `#define` line of systemtap's header stands in ours."""
    if not probe_tool.have(SYSTEMTAP):
        unavailable("systemtap's dtrace is missing (systemtap-sdt-dev)")
    theirs = site / "theirs.h"
    for path in [probe_tool.HERE / "site.d"] + sorted(
            (probe_tool.SOURCE / "providers").glob("*/*.d")):
        subprocess.run([SYSTEMTAP, "-h", "-s", path, "-o", theirs],
                       check=True, cwd=site)
        subprocess.run(["/usr/bin/python3",
                        probe_tool.SOURCE / "probegen", "-h", "-s", path,
                        "-o", site / "ours.h"], check=True)
        names = [defined(header.read_text())
                 for header in (theirs, site / "ours.h")]
        assert names[0] and names[0] <= names[1]


def defined(text):
    """The macros of a header with their parameters."""
    return set(re.findall(r"^#define ([A-Z]\w+\([^)]*\))", text, re.M))
