# SPDX-License-Identifier: BSD-2-Clause
"""probegen's outputs, and the tracers that tests hand them to."""

import os
import re
import shutil
import subprocess

from probegen_tool import run


def make(form, path, *options):
    """The text of a format."""
    result = run("-Wno-all", "--emit", form, *options, path, "-o", "-")
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def need_bpftrace(unavailable):
    if shutil.which("bpftrace") is None:
        unavailable("bpftrace is not installed")
    if os.geteuid() != 0:
        unavailable("bpftrace needs root")


def bpftrace(script, program):
    return subprocess.run(
        ["timeout", "120", "bpftrace", "-c", program, script, program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def kernel_tree(folder):
    """What stap looks at, to compile a script no further than to pass 2, of
    the headers of a kernel: that it is one, and has uprobes."""
    (folder / "include/config").mkdir(parents=True)
    (folder / "include/generated").mkdir()
    for name in "Makefile", "Module.symvers":
        (folder / name).write_text("")
    (folder / ".config").write_text("".join("CONFIG_%s=y\n" % name for name in (
        "UPROBES", "ARCH_SUPPORTS_UPROBES", "TRACEPOINTS", "UTRACE")))
    (folder / "include/config/kernel.release").write_text("6.1.0\n")
    (folder / "include/generated/utsrelease.h").write_text(
        '#define UTS_RELEASE "6.1.0"\n')
    return folder


def variables_of(tapset):
    """alias -> names of the variables that its body sets"""
    return {found[1]: re.findall(r"^\t(\w+) = ", found[2], re.M)
            for found in re.finditer(r"^probe (\S+) =\n.*\n\{\n((?:\t.*\n)*)\}",
                                     tapset, re.M)}
