# SPDX-License-Identifier: BSD-2-Clause
"""The functions call nothing, use no vector register and compile everywhere.
All of that makes them fit for signal handlers, and for being called without
the caller noticing."""

import re
import subprocess
import sys

import pytest

import arg_tool
from arg_tool import HERE, SOURCE

sys.path.insert(0, str(SOURCE / "tests" / "arch"))

import arch_tool                                       # noqa: E402
from opt_in import rarely, turns                       # noqa: E402
from programs import which                             # noqa: E402

PARTS = sorted(path.stem for path in (SOURCE / "lib/arg").glob("*.c"))
STANDARDS = {"gcc": ("c99", "c11", "gnu2x"), "clang": ("c99", "c11", "c2x"),
             "g++": ("c++11", "c++20"), "clang++": ("c++11", "c++20")}

USE = """
#include <sys/socket.h>
#include <sdtkit/arg.h>
void use(const char *text, const struct sockaddr_storage *address, size_t n);
void check(const char *text);
void use(const char *text, const struct sockaddr_storage *address, size_t n)
{
	check(sdtkit_arg_str(text));
	check(sdtkit_arg_sockaddr(address));
	check(sdtkit_arg_sockaddr_len(address, n));
	check(sdtkit_arg_counted(text, n));
	check(sdtkit_arg_errno(2));
	check(sdtkit_arg_milli(1.5) > 1 ? "more" : "less");
}
"""

DECLARED = """
#include "every.h"
void check(const char *text)
{
	const struct sockaddr *nobody = NULL;

	EVERY_PEER(nobody, nobody, 0, text, text, text, 4);
}
"""


@pytest.mark.parametrize("compiler, flags", rarely(
    [(compiler, flags) for compiler in ("gcc", "clang")
     for flags in ("-O0", "-O2", "-O3", "-Os")],
    [("gcc", "-O2"), ("clang", "-O3")]))
def test_calls_nothing(compiler, flags, tmp_path, unavailable):
    arg_tool.need_x86_64(unavailable)
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    assert len(PARTS) == 6
    files = arg_tool.library(compiler, *arg_tool.WARNINGS, flags, "-fPIC",
                             "-march=x86-64-v3")
    assert len(files) == len(PARTS)
    for file in files:
        assert arg_tool.run("nm", "-u", file) == ""
        code = arg_tool.run("objdump", "-d", "--no-show-raw-insn", file)
        assert re.search(r"%r[bd][xip]", code)
        assert not re.search(r"%[xyz]mm|%st|%k[0-7]", code)


@pytest.mark.parametrize("compiler", arg_tool.COMPILERS)
def test_compiles_without_a_warning(compiler, tmp_path):
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    file = tmp_path / ("use.cc" if "++" in compiler else "use.c")
    file.write_text(USE)
    cast = ["-Wold-style-cast"] if "++" in compiler else []
    for extra, standard in turns(
            ["", "-O2", "-DSDTKIT_DISABLE", "-O2 -DSDTKIT_ARG_INLINE"],
            STANDARDS[compiler]):
        subprocess.run([compiler, "-std=" + standard, *arg_tool.WARNINGS,
                        *cast, *extra.split(), "-I", SOURCE / "include", "-c",
                        file, "-o", tmp_path / "use.o"], check=True)


# what a site must not pass, and what compilers say of it
WRONG = {
    "sdtkit_arg_sockaddr(text)": "sockaddr",
    "sdtkit_arg_sockaddr(n)": "sockaddr",
    "sdtkit_arg_counted(n, n)": "const void",
    "sdtkit_arg_hex(text)": "argument",
}


@pytest.mark.parametrize("compiler, wrong", turns(arg_tool.COMPILERS,
                                                  sorted(WRONG)))
def test_wrong_types_are_errors(compiler, wrong, tmp_path):
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    file = tmp_path / ("use.cc" if "++" in compiler else "use.c")
    file.write_text(USE.replace("sdtkit_arg_errno(2)", wrong))
    done = subprocess.run(
        [compiler, *arg_tool.WARNINGS, "-I", SOURCE / "include", "-c", file,
         "-o", tmp_path / "use.o"], text=True, stderr=subprocess.PIPE)
    assert done.returncode != 0
    assert "error" in done.stderr and WRONG[wrong] in done.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_linker_says_what_is_missing(compiler, tmp_path):
    """And is content with the library, of a shared object too."""
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    arg_tool.generate(HERE / "every.d", tmp_path / "every.h")
    (tmp_path / "use.c").write_text(USE + DECLARED)
    language = ["-xc++"] if "++" in compiler else []
    command = [compiler, "-O2", "-fPIC", "-I", SOURCE / "include", "-I",
               tmp_path, *language, tmp_path / "use.c", "-shared",
               "-Wl,-z,defs", "-o", tmp_path / "use.so"]
    done = subprocess.run(command, text=True, stderr=subprocess.PIPE)
    assert done.returncode != 0
    for name in "sockaddr_pushed", "sid_to":
        assert "sdtkit_arg_%s_needs_libsdtkit" % name in done.stderr.replace(
            "sockaddr_text", "sockaddr_pushed")   # on other machines
    subprocess.run([*command, "-xnone", *arg_tool.library(
        "gcc", "-O2", "-fPIC")], check=True)


# Users whose functions keep registers; a library made as gcc 10 makes it.
CLOCKS = """
#include <stdio.h>
#include <sdtkit/arg.h>
int main(void)
{
	const unsigned char sid[] = { 1, 1, 0, 0, 0, 0, 0, 5, 32, 0, 0, 0 };
	char text[64];

	puts(sdtkit_arg_sid_to(text, sizeof(text), sid, sizeof(sid)));
	return sdtkit_arg_monotonic() == 0;
}
"""
PLAIN = "-DSDTKIT_ARG_SANITIZE"     # on x86-64, the compilers before are so


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_registers_that_a_library_does_not_keep(compiler, tmp_path,
                                                unavailable):
    """A program that expects them to be kept is refused by the linker; one
    that does not links with either library."""
    arg_tool.need_x86_64(unavailable)
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    (tmp_path / "use.c").write_text(CLOCKS)
    for library, user, links in (([PLAIN], [], False), ([PLAIN], [PLAIN], True),
                                 ([], [PLAIN], True), ([], [], True)):
        objects = arg_tool.library(compiler, "-O2", *library)
        done = subprocess.run(
            [compiler, "-O2", *user, "-I", SOURCE / "include",
             tmp_path / "use.c", *objects, "-o", tmp_path / "use"], text=True,
            stderr=subprocess.PIPE)
        if not links:
            assert done.returncode != 0
            for name in "sid_to", "monotonic":
                assert "sdtkit_arg_%s_needs_libsdtkit" % name in done.stderr
            continue
        assert done.returncode == 0, done.stderr
        assert arg_tool.run(tmp_path / "use") == "S-1-5-32\n"


def test_valgrind_finds_nothing(build, unavailable):
    if not which("valgrind"):
        unavailable("valgrind is not installed")
    arg_tool.run("valgrind", "-q", "--error-exitcode=1", "--leak-check=full",
                 build / "tests" / "arg" / "test-arg")


@pytest.mark.parametrize("name", [name for name in arch_tool.MACHINES
                                  if name not in ("x86-64", "thumb")])
def test_other_machines_make_the_same_text(name, tmp_path):
    """With the byte order and the word size of each: kept.c, which fires all
    kinds of text, computes the same with its probes on and off; texts.c prints
    what it does here."""
    machine = arch_tool.MACHINES[name]
    compiler = machine.triplet + "-gcc"
    if not which(compiler):
        pytest.skip(compiler + " is not installed")
    arg_tool.generate(HERE / "every.d", tmp_path / "every.h")
    # the 387 has more digits in its registers than fit what it stores
    flags = ["-msse2", "-mfpmath=sse"] if name == "i386" else []
    arg_tool.run(compiler, "-O2", *flags, "-DSDTKIT_ARG_INLINE", "-I",
                 tmp_path, "-I", SOURCE / "include", HERE / "kept.c",
                 "-static", "-o", tmp_path / "kept")
    runner = ["qemu-%s-static" % machine.qemu]
    if not which(runner[0]):
        pytest.skip(runner[0] + " is not installed")
    off, on = (arg_tool.run(*runner, tmp_path / "kept", state)
               for state in "01")
    assert off == on
    assert texts(compiler, tmp_path, runner) == texts("gcc", tmp_path)


def texts(compiler, folder, runner=()):
    """What texts.c prints when it was compiled for a machine."""
    program = folder / ("texts-" + compiler)
    arg_tool.run(compiler, "-O2", "-DSDTKIT_ARG_INLINE", "-I",
                 SOURCE / "include", HERE / "texts.c", "-static", "-o",
                 program)
    return arg_tool.run(*runner, program)
