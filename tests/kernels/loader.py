# SPDX-License-Identifier: BSD-2-Clause
"""Compiles usdt.c on the host, with a libbpf that Debian 12 does not have, and
nops.c, which it traces. They need no library that a guest lacks."""

from tracers.vm import debian


def build(source, folder):
    """Puts usdt, usdt.bpf.o and nops into the folder."""
    here = source / "tests" / "kernels"
    libbpf = debian.libbpf()
    folder.mkdir(parents=True, exist_ok=True)
    multiarch = debian.said(["gcc", "-print-multiarch"]).strip()
    for command in (
            ["clang", "-target", "bpf", "-g", "-O2", "-D__TARGET_ARCH_x86",
             "-I", libbpf, "-idirafter", "/usr/include/" + multiarch, "-c",
             here / "usdt.bpf.c", "-o", "usdt.bpf.o"],
            ["gcc", "-O2", "-I", libbpf, here / "usdt.c",
             libbpf / "libbpf.a", "-lelf", "-lz", "-o", "usdt"],
            ["gcc", "-O2", "-pthread", here / "nops.c", "-o", "nops"]):
        debian.said(command, cwd=str(folder))
