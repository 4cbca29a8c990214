# SPDX-License-Identifier: BSD-2-Clause
"""The backend over <sys/sdt.h>: semaphores whatever was included before, and
probes of others in the same file as they were."""

import subprocess

import pytest

from opt_in import turns
import probe_tool

ORDERS = {
    "alone": "",
    "after": "#include <sys/sdt.h>\n",
    "after, with semaphores":
        "#define _SDT_HAS_SEMAPHORES 1\n#include <sys/sdt.h>\n"
        "extern unsigned short other_thing_semaphore;\n",
}
PROGRAM = """
#include "site.h"
#include <sys/sdt.h>
int main(int argc, char **argv)
{
	(void)argv;
	T_COUNT(argc);
	T_NONE();
	DTRACE_PROBE1(other, thing, argc);
	return 0;
}
#ifdef _SDT_HAS_SEMAPHORES
__attribute__((section(".probes"))) unsigned short other_thing_semaphore;
#endif
"""


@pytest.mark.parametrize("order, flags, compiler", turns(
    ORDERS, ["-O0", "-O2", "-O2 -flto"], ["gcc", "clang"]))
def test_order_of_includes(compiler, flags, order, tmp_path, unavailable):
    probe_tool.need_backend("systemtap", unavailable)
    probe_tool.generate(tmp_path)
    (tmp_path / "p.c").write_text(ORDERS[order] + PROGRAM)
    program = probe_tool.compile_c(
        tmp_path, compiler, [tmp_path / "p.c"], "p", *flags.split(),
        *probe_tool.BACKENDS["systemtap"], "-Wno-pedantic")
    subprocess.run([program], check=True)
    notes = {note.name: note for note in probe_tool.notes(program)}
    assert {name: note.semaphore for name, note in notes.items()} == {
        name: probe_tool.symbols(program)["t_%s_semaphore" % name][0]
        for name in ("count", "none")}
    (other,) = probe_tool.notes(program, "other")
    assert bool(other.semaphore) == ("with" in order)


@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_alias_shares_the_semaphore(compiler, tmp_path, unavailable):
    """Each name has a nop of its own here."""
    probe_tool.need_backend("systemtap", unavailable)
    probe_tool.generate(tmp_path, "--alias", "t=other")
    program = probe_tool.compile_c(
        tmp_path, compiler, ["values.c", "twice.c"], "p", "-O2",
        *probe_tool.BACKENDS["systemtap"])
    own, other = (probe_tool.notes(program, name) for name in ("t", "other"))
    assert [(note.name, note.semaphore) for note in own] == [
        (note.name, note.semaphore) for note in other]
    assert all(note.semaphore for note in own)
    assert not {note.location for note in own} & {
        note.location for note in other}
