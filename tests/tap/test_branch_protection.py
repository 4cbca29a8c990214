# SPDX-License-Identifier: BSD-2-Clause
"""A tap that writes traps into a page keeps the page's branch protection. Only
aarch64 has it here: code that is built for it says where indirect branches may
land, the loader asks for the check, and the processor does it."""

import subprocess
import sys

from test_matrix import HERE, SOURCE, arch_tool, library


def build(folder):
    """The program; the library that it is linked to lies beside it."""
    arch_tool.need(arch_tool.MACHINES["aarch64"].triplet + "-gcc")
    gcc = [arch_tool.MACHINES["aarch64"].triplet + "-gcc", "-O1", "-Wall",
           "-Wextra", "-Wno-unused-parameter", "-Werror", "-I", folder, "-I",
           SOURCE / "include"]
    subprocess.run([sys.executable, SOURCE / "probegen",
                    HERE / "plug.d", "-o", folder / "plug_probes.h"],
                   check=True)
    subprocess.run([*gcc, "-fPIC", "-mbranch-protection=bti", "-shared",
                    "-nostartfiles", "-Wl,-z,force-bti",
                    HERE / "branch_protected.c",
                    "-o", folder / "libprotected.so"], check=True)
    subprocess.run([*gcc, HERE / "branch_protection.c", library("aarch64"),
                    "-L", folder, "-lprotected",
                    "-Wl,-rpath," + str(folder), "-pthread",
                    "-o", folder / "branch_protection"], check=True)
    return folder / "branch_protection"


def test_code_stays_protected(tmp_path, unavailable):
    try:
        program = build(tmp_path)
        qemu = arch_tool.qemu("aarch64")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    done = subprocess.run([qemu, "-cpu", "max", "-L", "/usr/aarch64-linux-gnu",
                           program], stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines()
    if lines and lines[0] == "before 0 0":
        unavailable("this qemu or loader does not check where branches land")
    assert lines == ["before 0 4", "open 0 4", "hits 1", "closed 0 4"]
