# SPDX-License-Identifier: BSD-2-Clause
"""libbpf: a program of its own, inside/libbpf.c, with a skeleton by bpftool.

    bpf_program__attach_usdt(prog, -1, "./main", "store2", "text", NULL)

It attaches by file, and bpf_usdt_arg() reads up to 12 arguments. There is no
call that lists the probes of a file.
"""

import atexit
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import Beyond, KINDS, must_have_run, root_lacks, run
from programs import once

NAME = "libbpf"
IN_KERNEL = True
READS = KINDS
_HERE = pathlib.Path(__file__).parent / "inside"
_HEADER = "/usr/include/bpf/usdt.bpf.h"
_COOKIES = 5, 15    # the kernel that has them
_VALUE = re.compile(r" (?:<(.*?)>|(-?\d+)|-)(?= |$)")


@once
def lacks():
    missing = root_lacks("bpftool", "clang", "gcc")
    if missing:
        return missing
    if not os.path.exists(_HEADER):
        return _HEADER + " is missing (package libbpf-dev)"
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    if release < _COOKIES:
        return Beyond("libbpf attaches to a file on Linux %d.%d and later "
                      "only, which have cookies of perf events" % _COOKIES)
    return None


@functools.lru_cache(maxsize=None)
def version():
    return run(["pkg-config", "--modversion", "libbpf"])[1].strip()


def most():
    return 12


def listed(_):
    return None


def read(program, wanted):
    words = []
    for probe, expressions in wanted.items():
        words.append(probe)
        words += ["%d,%d,%d,%d" % (one.index, *_where(one.member), one.string)
                  for one in expressions]
    with subprocess.Popen([_tracer(), program.probes, *words],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          universal_newlines=True) as tracer:
        said = tracer.stdout.readline()
        while said and not said.endswith("attached\n"):
            line = tracer.stdout.readline()
            assert line, said
            said += line
        run(program.command)
        said += tracer.communicate()[0]
    must_have_run(program, said)
    hits = {}
    for probe, rest in re.findall(r"^=(\w+:\w+)(.*)$", said, re.M):
        hits.setdefault(probe, []).append(
            [int(number) if number else text
             for text, number in _VALUE.findall(rest)])
    return hits


def _where(member):
    """Offset and size in the record; 0, 0 is the argument itself."""
    if member is None:
        return 0, 0
    return member.offset, -member.size if member.signed else member.size


# A machine -> what libbpf calls it.
TARGETS = {"x86_64": "x86", "aarch64": "arm64", "powerpc64le": "powerpc",
           "riscv64": "riscv", "s390x": "s390"}


@functools.lru_cache(maxsize=None)
def _tracer():
    """The program, built once."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sdtkit-libbpf-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    multiarch = run(["gcc", "-print-multiarch"])[1].strip()
    machine = TARGETS[multiarch.split("-")[0]]
    steps = (["clang", "-g", "-O2", "-target", "bpf", "-c",
              "-D__TARGET_ARCH_" + machine, "-I/usr/include/" + multiarch,
              _HERE / "libbpf.bpf.c", "-o", "libbpf.bpf.o"],
             ["sh", "-c", "bpftool gen skeleton libbpf.bpf.o name libbpf_bpf "
              ">libbpf.skel.h"],
             ["gcc", "-O2", "-Wall", "-Wextra",
              "-Wno-unused-parameter", "-Werror", "-I.",
              _HERE / "libbpf.c", "-lbpf", "-o", "libbpf"])
    for step in steps:
        status, said = run(step, cwd=folder)
        assert status == 0, said
    return folder / "libbpf"
