# SPDX-License-Identifier: BSD-2-Clause
"""Builds target.c and its library in the many ways that programs are built.

A Case is one row of the product of the tables below. To add a linker, a
treatment, or a kind of program, add a row.
"""

import functools
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
from collections import namedtuple

from programs import has_sys_sdt, which

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent

# SDTKIT_LIFE=all: everything, not only what ./dev test --all takes
EVERYTHING = os.environ.get("SDTKIT_LIFE") == "all"

Case = namedtuple("Case", "linker treatment kind compiler header")

LINKERS = ["bfd", "gold", "lld", "mold"]

# kind: (flags of the compiler, flags of the link)
KINDS = {
    "pie": (["-fPIE"], ["-pie"]),
    "no-pie": (["-fno-pie"], ["-no-pie"]),
    "static": (["-fno-pie"], ["-static"]),
    "static-pie": (["-fPIE"], ["-static-pie"]),
}

# treatment: (flags of the compiler, flags of the link); what else is done
# with the files is in objects() and link(). Only in shared-pages does code
# share pages of the file with data, as lld and mold have it by default: then
# Linux 6.18 leaks a uprobe when a tracer was there before the program.
TREATMENTS = {
    "plain": ([], []),
    "shared-pages": ([], ["-Wl,-z,noseparate-code"]),
    "stripped": ([], ["-s"]),
    "objcopied": (["-g"], []),
    "gc-sections": (["-ffunction-sections", "-fdata-sections"],
                    ["-Wl,--gc-sections"]),
    "lto": (["-flto"], ["-flto"]),
    "ld -r": ([], []),
    "O3": (["-O3"], []),
}

# header: (name of the file, options of the compiler). <sys/sdt.h> chooses
# operands that the tracer of this room does not read; not so when told.
REGISTERS = "-DSTAP_SDT_ARG_CONSTRAINT=r"
HEADERS = {
    "native": ("life.h", []),
    "one-nop": ("life.h", ["-DSDTKIT_NOP=nop"]),
    "sdt-before": ("life.h", ["-DSDT_BEFORE"]),
    "sdt-after": ("life.h", ["-DSDT_AFTER"]),
    "sys-sdt": ("life.h", ["-DSDTKIT_USE_SYS_SDT", REGISTERS]),
    "sys-sdt-before": ("life.h", ["-DSDTKIT_USE_SYS_SDT", "-DSDT_BEFORE",
                                  REGISTERS]),
    "dropin": ("dropin.h", [REGISTERS]),
}

COMPILERS = ["gcc", "clang"]

# What does not work. With the linkers of Debian 12: link-time optimisation
# needs a plugin for the compiler's intermediate code; gold has no static-pie
# and no separate-code. "ld -r" with mold: see mold_links_groups().
EXCLUDED = [
    {"treatment": "lto", "compiler": "gcc", "linker": "lld"},
    {"treatment": "lto", "compiler": "clang", "linker": "bfd"},
    {"treatment": "lto", "compiler": "clang", "linker": "gold"},
    {"treatment": "lto", "compiler": "clang", "linker": "mold"},
    {"kind": "static-pie", "linker": "gold"},
    {"treatment": "shared-pages", "linker": "gold"},
]

PLAIN = Case("bfd", "plain", "pie", "gcc", "native")


# A group whose name is that of its section, as <sys/sdt.h> has for
# .stapsdt.base, and so all of its probes and ours.
GROUP = """
.section .named.as.its.group, "aG", "progbits", .named.as.its.group, comdat
.byte 0
"""


@functools.lru_cache(maxsize=None)
def mold_links_groups():
    """Whether "mold -r" does: that of Debian 12 (1.10) ends with a failed
    assertion. True if there is no mold, which is told elsewhere."""
    if None in (which("ld.mold"), which("gcc")):
        return True
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcc", "-xassembler", "-c", "-", "-o", "group.o"],
                       input=GROUP, text=True, check=True, cwd=folder)
        return relink("mold", ["group.o"], "whole.o", cwd=folder) == 0


def relink(linker, inputs, output, **options):
    """The exit status of "ld -r"."""
    return subprocess.run(["ld." + linker, "-r", *inputs, "-o", output],
                          stderr=subprocess.DEVNULL, **options).returncode


def possible(case):
    if (case.linker, case.treatment) == ("mold", "ld -r"):
        return mold_links_groups()
    return not any(row.items() <= case._asdict().items()
                   for row in EXCLUDED)


def all_cases():
    """The whole product."""
    return [case for case in itertools.starmap(Case, itertools.product(
        LINKERS, TREATMENTS, KINDS, COMPILERS, HEADERS)) if possible(case)]


def few_cases():
    """Most treatments once; the other columns take turns, as far as no other
    package is needed."""
    return [next(filter(possible, (
        Case(LINKERS[(i + turn) % 4], treatment,
             list(KINDS)[(i + turn // 4) % 4],
             COMPILERS[(i // 2 + turn // 16) % 2], list(HEADERS)[i % 2])
        for turn in range(32)))) for i, treatment in enumerate(TREATMENTS)
            if treatment not in ("shared-pages", "objcopied")]


def some_cases():
    """Each treatment with each linker; the other columns take turns."""
    cases = []
    for i, linker in enumerate(LINKERS):
        for j, treatment in enumerate(TREATMENTS):
            turns = (Case(linker, treatment, list(KINDS)[(i + j + turn) % 4],
                          COMPILERS[(i // 2 + j + turn) % 2],
                          list(HEADERS)[(2 * i + j + turn) % len(HEADERS)])
                     for turn in range(4))
            cases += [case for case in turns if possible(case)][:1]
    return cases


def run(*command):
    """Linkers warn of dlopen() in static programs: shown only on failure."""
    result = subprocess.run([str(word) for word in command], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert result.returncode == 0, " ".join(result.args) + result.stdout


def generate(folder):
    """The headers of life.d."""
    run(sys.executable, SOURCE / "probegen", "-s", HERE / "life.d",
        "-o", folder / "life.h")
    run(sys.executable, SOURCE / "probegen", "-h", "-s",
        HERE / "life.d", "-o", folder / "dropin.h")


def objects(case, folder, sources, flags):
    """Compiles each file; their object files."""
    header, options = HEADERS[case.header]
    results = []
    for source in sources:
        result = folder / (source + ".o")
        run(case.compiler, "-O2", "-Wall", "-Wextra", "-Werror", *options,
            *flags, *TREATMENTS[case.treatment][0], "-I", folder.parent, "-I",
            SOURCE / "include", '-DHEADER="%s"' % header, "-c",
            HERE / source, "-o", result)
        results.append(result)
    if case.treatment == "objcopied":
        for result in results:
            run("objcopy", "--strip-debug", result)
    if case.treatment == "ld -r":
        whole = folder / (sources[0] + "-whole.o")
        run("ld." + case.linker, "-r", *results, "-o", whole)
        results = [whole]
    return results


def link(case, output, inputs, flags):
    pages = [] if case.linker == "gold" else ["-Wl,-z,separate-code"]
    run(case.compiler, "-O2", "-fuse-ld=" + case.linker, *flags, *pages,
        *TREATMENTS[case.treatment][1], *inputs, "-o", output)
    if case.treatment == "objcopied":
        run("objcopy", "--only-keep-debug", output, str(output) + ".debug")
        run("objcopy", "--strip-unneeded",
            "--add-gnu-debuglink=%s.debug" % output, output)


def make(case, folder):
    """Returns target.c, linked, and its library."""
    program, library = folder / "program", folder / "library.so"
    compile_flags, flags = KINDS[case.kind]
    link(case, program, objects(case, folder, ["target.c", "work.c"],
                                compile_flags), flags)
    link(case, library, objects(case, folder, ["guest.c", "work.c"],
                                ["-fPIC"]), ["-shared"])
    return program, library


def make_load(case, folder):
    """Returns load.c, linked."""
    program = folder / "load"
    compile_flags, flags = KINDS[case.kind]
    link(case, program, objects(case, folder, ["load.c"], compile_flags),
         [*flags, "-pthread"])
    return program


def missing(case):
    """What of this machine the case needs and lacks, or None."""
    for program in (case.compiler, "ld." + case.linker):
        if which(program) is None:
            return "no " + program
    if case.header not in ("native", "one-nop") and not has_sys_sdt():
        return "no <sys/sdt.h> (systemtap-sdt-dev)"
    return None
