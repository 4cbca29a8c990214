# SPDX-License-Identifier: BSD-2-Clause
"""Compiles the programs of this room with a header made of every.d."""

import functools
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import pytest

from programs import which

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LIMIT = 300     # seconds, for what should take one

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
            "-Wcast-qual", "-Wundef", "-Wmissing-declarations",
            "-Wredundant-decls", "-Werror"]
COMPILERS = ["gcc", "clang", "g++", "clang++"]


def run(*command, **options):
    """The standard output of a command, which must succeed."""
    return subprocess.run(
        [str(word) for word in command], check=True, text=True,
        stdout=subprocess.PIPE, timeout=LIMIT, **options).stdout


def generate(description, output, *options):
    """Has probegen write an output, of a file that is called as the header."""
    output.write_text(_generated(description.read_text(), description.stem,
                                 options))


@functools.lru_cache(maxsize=None)
def _generated(text, stem, options):
    """Many tests want the same."""
    with tempfile.TemporaryDirectory() as folder:
        description = pathlib.Path(folder, stem + ".d")
        description.write_text(text)
        return run(sys.executable, SOURCE / "probegen", "-Wno-all", *options,
                   "-s", description, "-o", "-")


@functools.lru_cache(maxsize=None)
def every_header():
    """What becomes of every.d."""
    return run(sys.executable, SOURCE / "probegen", "-Wno-all", "-s",
               HERE / "every.d", "-o", "-")


@functools.lru_cache(maxsize=None)
def workshop():
    """A directory for what several tests use. Removed when Python exits."""
    workshop.holder = tempfile.TemporaryDirectory(prefix="sdtkit-arg-")
    return pathlib.Path(workshop.holder.name)


def compile_program(folder, compiler, source, *flags):
    """Compiles a program of this room, with the functions in it; the path of a
    copy in ``folder``."""
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    return pathlib.Path(shutil.copy(_compiled(compiler, source, flags),
                                    folder / source.replace(".c", "")))


@functools.lru_cache(maxsize=None)
def _compiled(compiler, source, flags):
    folder = pathlib.Path(tempfile.mkdtemp(dir=workshop()))
    (folder / "every.h").write_text(every_header())
    language = ["-xc++"] if "++" in compiler else []
    program = folder / source.replace(".c", "")
    run(compiler, *flags, "-DSDTKIT_ARG_INLINE", "-I", folder, "-I",
        SOURCE / "include", "-o", program, *language, HERE / source)
    return program


@functools.lru_cache(maxsize=None)
def library(compiler, *flags):
    """The object files of lib/arg."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=workshop()))
    run(compiler, *flags, "-I", SOURCE / "include", "-c",
        *sorted((SOURCE / "lib/arg").glob("*.c")), cwd=folder)
    return sorted(folder.glob("*.o"))


def need_x86_64(unavailable):
    if platform.machine() != "x86_64":
        unavailable("x86-64 only")
