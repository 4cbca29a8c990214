# SPDX-License-Identifier: BSD-2-Clause
"""Pages keep a protection that only some machines have: on aarch64 code that was
built for it says where branches may land, and the loader has that checked."""

import subprocess
import sys

from test_matrix import HERE, SOURCE, arch_tool, library


def build(folder):
    """The program; the library that it is linked to lies beside it."""
    gcc = [arch_tool.MACHINES["aarch64"].triplet + "-gcc", "-O1", "-Wall",
           "-Wextra", "-Werror", "-I", folder, "-I", SOURCE / "include"]
    subprocess.run([sys.executable, SOURCE / "probegen",
                    HERE / "plug.d", "-o", folder / "plug_probes.h"],
                   check=True)
    subprocess.run([*gcc, "-fPIC", "-mbranch-protection=bti", "-shared",
                    "-nostartfiles", "-Wl,-z,force-bti", HERE / "guarded.c",
                    "-o", folder / "libguarded.so"], check=True)
    subprocess.run([*gcc, HERE / "guard.c", library("aarch64"), "-L", folder,
                    "-lguarded", "-Wl,-rpath," + str(folder), "-pthread",
                    "-o", folder / "guard"], check=True)
    return folder / "guard"


def test_code_stays_guarded(tmp_path, unavailable):
    try:
        program = build(tmp_path)
        qemu = arch_tool.qemu("aarch64")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    done = subprocess.run([qemu, "-cpu", "max", "-L", "/usr/aarch64-linux-gnu",
                           program], stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines()
    if lines and lines[0] == "before 0 0":
        unavailable("this qemu or loader does not guard pages")
    assert lines == ["before 0 4", "open 0 4", "hits 1", "closed 0 4"]
