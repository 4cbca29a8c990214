# SPDX-License-Identifier: BSD-2-Clause
"""Makes probegen's outputs, and runs tracers with them."""

import os
import re
import subprocess

from probegen_tool import run
from programs import which


def make(form, path, *options):
    """Returns the text of a format."""
    result = run("-Wno-all", "--emit", form, *options, path, "-o", "-")
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def need_bpftrace(unavailable):
    """Skips the test if bpftrace cannot run."""
    if which("bpftrace") is None:
        unavailable("bpftrace is not installed")
    if os.geteuid() != 0:
        unavailable("bpftrace needs root")


def bpftrace(script, program):
    """Runs a script with a program, and returns what bpftrace prints."""
    return subprocess.run(
        ["timeout", "300", "bpftrace", "-c", program, script, program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def kernel_tree(folder):
    """Makes the headers of a kernel, as far as stap looks at them for pass 2:
    it checks that they are a kernel's, and that it has uprobes."""
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
    """Returns a dict: alias of a tapset -> names of the variables that it
    sets."""
    return {found[1]: re.findall(r"^\t(\w+) = ", found[2], re.M)
            for found in re.finditer(r"^probe (\S+) =\n.*\n\{\n((?:\t.*\n)*)\}",
                                     tapset, re.M)}
