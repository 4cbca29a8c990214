# SPDX-License-Identifier: BSD-2-Clause
"""Semaphores with our own <sys/sdt.h>: those that a program defines, those of
`dtrace -h` and `-G` (SystemTap's and probegen's), and files that include the
header before they ask for any."""

import os
import subprocess
import sys

import pytest

import sdt_tool
from arch import arch_tool
from opt_in import turns
from programs import which

DTRACE = "/usr/bin/dtrace"
PROBEGEN = [sys.executable, sdt_tool.SOURCE / "probegen"]
LEVELS = ["-O0", "-O2 -flto"]
PROVIDER = "provider shop { probe order__placed(int, char *); probe idle(); };"

OWN = """
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short shop_order_semaphore __attribute__((section(".probes")));
int main(int argc, char **argv)
{
	(void)argv;
	DTRACE_PROBE1(shop, order, argc);
	return DTRACE_PROBE_ENABLED(shop, order);
}
"""


@pytest.mark.parametrize("compiler, flags", turns(
    ["gcc", "clang", "g++", "clang++"], LEVELS))
def test_defined_by_the_program(compiler, flags, tmp_path):
    name = sdt_tool.source(tmp_path, OWN, "p.cc" if "++" in compiler
                           else "p.c")
    sdt_tool.must([compiler, *flags.split(), "-Wall", "-Wextra", "-Werror",
                   *sdt_tool.OURS, name, "-o", "p"], tmp_path)
    sdt_tool.must(["./p"], tmp_path)
    (note,) = sdt_tool.notes(tmp_path / "p")
    symbols = arch_tool.symbols(tmp_path / "p")
    assert note.semaphore == symbols["shop_order_semaphore"] != 0


USER = """
#include "shop_probes.h"
int evaluated;
int next(void);
int next(void) { return ++evaluated; }
int main(int argc, char **argv)
{
	(void)argc;
	if (SHOP_ORDER_PLACED_ENABLED())
		SHOP_ORDER_PLACED(next(), argv[0]);
	SHOP_IDLE();
	return evaluated;
}
"""


def write_header(folder, by):
    """The header of shop, and with SystemTap's the object of semaphores, which
    is compiled with our header. CFLAGS could not have a path with a blank."""
    (folder / "shop.d").write_text(PROVIDER)
    command = [DTRACE] if by == "dtrace" else PROBEGEN
    for form, output in ("-h", "shop_probes.h"), ("-G", "shop.o"):
        sdt_tool.must([*command, form, "-s", "shop.d", "-o", output], folder,
                      env=dict(os.environ, CPATH=str(sdt_tool.SDT)))


@pytest.mark.parametrize("command", [
    "gcc -O0", "gcc -O2 -flto", "clang -O2 -fPIC", "g++ -O2"])
@pytest.mark.parametrize("by", ["dtrace", "probegen"])
def test_header_of_dtrace(by, command, tmp_path, unavailable):
    compiler, *flags = command.split()
    if by == "dtrace" and not which(DTRACE):
        unavailable("systemtap's dtrace is missing (systemtap-sdt-dev)")
    write_header(tmp_path, by)
    objects = ["shop.o"] if by == "dtrace" or "-O2" in flags else []
    name = sdt_tool.source(tmp_path, USER, "p.cc" if "++" in compiler
                           else "p.c")
    sdt_tool.must([compiler, *flags, *sdt_tool.OURS, "-I.", name, *objects,
                   "-o", "p"], tmp_path)
    sdt_tool.must(["./p"], tmp_path)
    found = {note.name: note for note in sdt_tool.notes(tmp_path / "p")}
    assert set(found) == {"order__placed", "idle"}
    assert all(note.semaphore for note in found.values())
    assert read(tmp_path / "p") == ["read 1"]


def read(program):
    """What gdb, which raises the semaphore, reads of order__placed."""
    said = subprocess.run(
        ["timeout", "300", "gdb", "-nx", "-batch", "-ex",
         "break -probe-stap shop:order__placed", "-ex", "run", "-ex",
         r'printf "read %d\n", $_probe_arg0', program], text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT).stdout
    return [line for line in said.split("\n") if line.startswith("read ")]


FIRST = """
#include <sys/sdt.h>
void before(void) __attribute__((used));
void before(void)
{
	DTRACE_PROBE1(other, before, 1);
}
"""
AFTER = """
void after(void) __attribute__((used));
void after(void)
{
	DTRACE_PROBE1(other, after, 1);
}
"""


@pytest.mark.parametrize("flags", LEVELS)
@pytest.mark.parametrize("by", ["dtrace", "probegen"])
def test_included_before_without_semaphores(by, flags, tmp_path, unavailable):
    """SystemTap's has 0 in these notes, and guarded probes never fire. Probes
    of providers that have no semaphore compile before and behind."""
    if by == "dtrace" and not which(DTRACE):
        unavailable("systemtap's dtrace is missing (systemtap-sdt-dev)")
    write_header(tmp_path, by)
    name = sdt_tool.source(tmp_path, FIRST + USER + AFTER)
    sdt_tool.must(["gcc", *flags.split(), *sdt_tool.OURS, "-I.", name,
                   "shop.o", "-o", "p"], tmp_path)
    semaphores = {note.name: note.semaphore
                  for note in sdt_tool.notes(tmp_path / "p")}
    assert semaphores.pop("before") == semaphores.pop("after") == 0
    assert all(semaphores.values())
    assert read(tmp_path / "p") == ["read 1"]


NATIVE = """
#define SDTKIT_USE_SYS_SDT
#include "shop_native.h"
void native(void);
void native(void)
{
	STORE_SOLD(5);
}
"""


@pytest.mark.parametrize("order, compiler", turns(
    ["first", "second", "alone"], ["gcc", "clang++"]))
def test_under_the_native_header(order, compiler, tmp_path):
    """-DSDTKIT_USE_SYS_SDT needs no systemtap-sdt-dev either."""
    write_header(tmp_path, "probegen")
    (tmp_path / "store.d").write_text("provider store { probe sold(int n); };")
    sdt_tool.must([*PROBEGEN, "-s", "store.d", "-o", "shop_native.h"],
                  tmp_path)
    text = {"first": NATIVE + USER, "second": FIRST + USER + NATIVE,
            "alone": NATIVE + "int main(void) { return 0; }\n"}[order]
    name = sdt_tool.source(tmp_path, text, "p.cc" if "++" in compiler
                           else "p.c")
    sdt_tool.must([compiler, "-O2", *sdt_tool.OURS, "-I.", "-I",
                   sdt_tool.SOURCE / "include", name, "-o", "p"], tmp_path)
    sdt_tool.must(["./p"], tmp_path)
    found = {note.name: note for note in sdt_tool.notes(tmp_path / "p")}
    assert found["sold"].semaphore != 0
    assert found["sold"].args[0].startswith("-")
