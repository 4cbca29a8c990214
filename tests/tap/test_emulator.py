# SPDX-License-Identifier: BSD-2-Clause
"""Why the programs of one machine are run without an emulator: shown by a
program that has nothing of sdtkit in it."""

import subprocess

from test_matrix import HERE, NATIVE, arch_tool, run


def test_qemu_loses_registers_of_i386(tmp_path, unavailable):
    """At a signal, what the x87 has. The processor itself keeps it."""
    program = tmp_path / "registers"
    try:
        gcc = arch_tool.MACHINES["i386"].triplet + "-gcc"
        arch_tool.need(gcc)
        subprocess.run([gcc, "-static", "-O1", "-Wall", "-Werror",
                        HERE / "registers.c", "-o", program], check=True)
        qemu = arch_tool.qemu("i386")
        assert "i386" in NATIVE
        assert run("i386", program) == (0, ["kept", ""])
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    emulated = subprocess.run([qemu, program], stdout=subprocess.PIPE,
                              text=True)
    if emulated.stdout == "kept\n":
        unavailable("this qemu keeps the registers of the x87")
    assert emulated.stdout == "lost\n"
