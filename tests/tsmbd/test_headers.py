# SPDX-License-Identifier: BSD-2-Clause
"""Each header of the programs in the kernel includes what it uses."""

import pathlib
import platform
import subprocess

import pytest

from programs import which

TSMBD = pathlib.Path(__file__).resolve().parents[2] / "lib" / "tsmbd"
LIB = TSMBD.parent

# the directory of <asm/types.h>, which only the compiler of the host knows
HEADERS = pathlib.Path("/usr/include")

# as bpf_tracing.h calls them
MACHINES = {"aarch64": "arm64", "ppc64le": "powerpc", "s390x": "s390",
            "riscv64": "riscv"}


@pytest.mark.thorough
@pytest.mark.parametrize("header", sorted(
    path.name for path in TSMBD.glob("*.bpf.h")))
def test_a_header_compiles_alone(header, program, tmp_path):
    clang = which("clang")
    if clang is None:
        pytest.skip("clang is missing")
    triplet = subprocess.run(["cc", "-print-multiarch"], check=True,
                             stdout=subprocess.PIPE,
                             universal_newlines=True).stdout.strip()
    alone = tmp_path / "alone.c"
    alone.write_text('#include "%s"\n#include "%s"\n' % (header, header))
    subprocess.run(
        [clang, "-target", "bpf", "-g", "-O2", "-Wall", "-Werror",
         "-Wno-unused-function",
         "-D__TARGET_ARCH_" + MACHINES.get(platform.machine(), "x86"),
         "-I", TSMBD, "-I", LIB / "uprobe", "-I", LIB / "slots",
         "-I", LIB / "symbols",
         "-idirafter", HEADERS / triplet, "-c", alone,
         "-o", tmp_path / "alone.o"], check=True)
