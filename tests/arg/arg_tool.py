# SPDX-License-Identifier: BSD-2-Clause
"""Compiles the programs of this room with a header made of every.d."""

import functools
import pathlib
import platform
import subprocess
import sys

import pytest

from programs import which

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LIMIT = 120     # seconds, for what should take one

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
    """Runs probegen; its messages."""
    done = subprocess.run(
        [sys.executable, SOURCE / "probegen", "-Wno-all", *options, "-s",
         description, "-o", output], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@functools.lru_cache(maxsize=None)
def every_header():
    """What becomes of every.d."""
    return run(sys.executable, SOURCE / "probegen", "-Wno-all", "-s",
               HERE / "every.d", "-o", "-")


def compile_program(folder, compiler, source, *flags):
    """Compiles a program of this room, with the functions in it; its path."""
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    (folder / "every.h").write_text(every_header())
    language = ["-xc++"] if "++" in compiler else []
    program = folder / source.replace(".c", "")
    run(compiler, *flags, "-DSDTKIT_ARG_INLINE", "-I", folder, "-I",
        SOURCE / "include", "-o", program, *language, HERE / source)
    return program


def need_x86_64(unavailable):
    if platform.machine() != "x86_64":
        unavailable("x86-64 only")
