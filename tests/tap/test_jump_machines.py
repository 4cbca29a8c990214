# SPDX-License-Identifier: BSD-2-Clause
"""Jumps on each machine that has them, in an emulator where that is another one:
what a raw tap and another one see, and what the program notices."""

import re
import subprocess
import sys

import pytest

from test_matrix import HERE, SOURCE, arch_tool, library

# machine -> (how it links, what the emulator has to be told, ways that there
# may be)
MACHINES = {
    "x86-64": ("-static-pie", [], "1 jumps, 0 traps"),
    "aarch64": ("-static-pie", ["-cpu", "cortex-a57"], "1 jumps, 0 traps"),
    # Its C library has nothing to start a static program that can be moved.
    "ppc64le": ("-static", [], "1 jumps, 0 traps"),
}
# of x86-64 and of aarch64
VECTOR = re.compile(r"%[xyz]?mm\d|%k\d|%st|\s[vqdsz]\d+[,.\s]")
REFUSED = "0 jumps, 1 traps: SDTKIT_TAP_WAY=trap is in the environment"


def make(name, tmp_path, source="jump_machine.c"):
    machine = arch_tool.MACHINES[name]
    archive = library(name)
    subprocess.run([sys.executable, SOURCE / "probegen", HERE / "taps.d", "-o",
                    tmp_path / "taps_probes.h"], check=True)
    program = tmp_path / "program"
    subprocess.run(
        [machine.triplet + "-gcc", *machine.flags, "-std=c11", "-D_GNU_SOURCE",
         "-O2", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
         MACHINES[name][0], "-fPIE", "-I", tmp_path,
         *("-I%s" % (SOURCE / folder) for folder in (
             "include", "lib/attach", "lib/decode", "lib/text")),
         HERE / source, archive, "-o", program, "-pthread"],
        check=True)
    return program


@pytest.mark.parametrize("way", ["jump", "trap"])
@pytest.mark.parametrize("name", MACHINES)
def test_machine(name, way, tmp_path, unavailable):
    _, options, told = MACHINES[name]
    try:
        program = make(name, tmp_path)
        emulator = ([arch_tool.qemu(name), *options]
                    if name != "x86-64" else [])
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    done = subprocess.run(
        [*emulator, program], text=True, env={"SDTKIT_TAP_WAY": way},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    assert done.stdout == (told if way == "jump" else REFUSED) + "\n"
    assert done.returncode == 0


def test_state_of_ppc64le(tmp_path, unavailable):
    """All registers, and what is below the stack pointer. By jump only: this
    emulator does not restore vscr when a signal's handler returns."""
    try:
        program = make("ppc64le", tmp_path, "jump_state_ppc64.c")
        emulator = arch_tool.qemu("ppc64le")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    done = subprocess.run([emulator, program], text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.stdout == "400 hits, 0 wrong, 2 jumps, 0 traps\n"
    assert done.returncode == 0


def test_general_registers_only(build):
    """At a hit by jump the others have what the program has in them."""
    entry, = (build / "lib/attach").glob("*entry*/jump_entry.c.o")
    code = subprocess.run(["objdump", "-d", entry], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    function = code.split("<sdtkit_tap_on_jump>:")[1]
    assert "ret" in function
    assert VECTOR.search(function) is None
