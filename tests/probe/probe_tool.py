# SPDX-License-Identifier: BSD-2-Clause
"""Compiles the programs of this directory and reads their notes."""

import functools
import pathlib
import re
import subprocess
import sys
from collections import namedtuple

from programs import has_sys_sdt, which

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
            "-Wcast-qual", "-Wundef", "-Wmissing-declarations",
            "-Wredundant-decls", "-Werror"]

# what makes the probes of a header -> the compiler's options
BACKENDS = {
    "native": [],
    "systemtap": ["-DSDTKIT_USE_SYS_SDT"],
    "none": ["-DSDTKIT_DISABLE"],
}
PROBES = "none pair ints text count a__b".split()     # of site.d

Note = namedtuple("Note", "name location base semaphore args")


def generate(folder, *options, single=(), pragmas=""):
    """Makes folder/site.h from site.d and more lines, ``pragmas``; ``single``
    probes have one site."""
    text = (HERE / "site.d").read_text() + pragmas
    for name in single:
        text += "#pragma sdtkit single_site %s\n" % name
    (folder / "site.d").write_text(text)
    (folder / "site.h").write_text(_header(text, options))


def generate_file(description, *options):
    """Makes the header of any description, beside it."""
    header = description.with_suffix(".h")
    header.write_text(_header(description.read_text(), options))


@functools.lru_cache(maxsize=None)
def _header(text, options):
    """Hundreds of tests want the same few ones."""
    return subprocess.run([sys.executable, SOURCE / "probegen", *options, "-s",
                           "-", "-o", "-"], input=text, text=True, check=True,
                          stdout=subprocess.PIPE).stdout


def need_backend(backend, unavailable):
    """Ends the test where the backend's header is missing."""
    if backend == "systemtap" and not has_sys_sdt():
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")


def compile_c(folder, compiler, sources, output, *flags):
    """Compiles and links ``sources`` with folder/site.h; the program's path."""
    command = compiler.split() if isinstance(compiler, str) else compiler
    language = ["-xc++"] if "++" in command[0] else []
    subprocess.run([*command, *WARNINGS, *flags, "-I", folder, "-I",
                    SOURCE / "include", "-o", folder / output, *language,
                    *[HERE / source for source in sources]],
                   check=True, cwd=folder)     # --coverage writes files here
    return folder / output


_NOTE = re.compile(
    r"Provider: (\S+)\s+Name: (\S+)\s+Location: (0x\w+), Base: (0x\w+), "
    r"Semaphore: (0x\w+)\s+Arguments:([^\n]*)")


def notes(path, provider="t"):
    """The notes of a provider, as readelf prints them."""
    text = subprocess.run(["readelf", "-nW", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return [Note(found[2], int(found[3], 16), int(found[4], 16),
                 int(found[5], 16), found[6].split())
            for found in _NOTE.finditer(text) if found[1] == provider]


def symbols(path):
    """name -> (address, type letter) of a file's symbols."""
    text = subprocess.run(["nm", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    rows = (line.split() for line in text.split("\n"))
    return {row[2]: (int(row[0], 16), row[1]) for row in rows if len(row) == 3}


def have(program):
    return which(program) is not None
