# SPDX-License-Identifier: BSD-2-Clause
"""Where there is no ELF or no GNU C, probes compile to nothing, with their
types still checked."""

import subprocess

import pytest

from opt_in import turns
import probe_tool

# compilers and targets; none has to have a C library
TARGETS = {
    "windows": "clang --target=x86_64-pc-windows-msvc -ffreestanding",
    "windows-c++": "clang++ --target=x86_64-pc-windows-msvc -ffreestanding "
                   "-std=c++11",
    "mingw": "clang --target=x86_64-w64-mingw32 -ffreestanding",
    "macos": "clang --target=x86_64-apple-darwin -ffreestanding",
    "macos-arm": "clang --target=arm64-apple-darwin -ffreestanding",
    "wasm": "clang --target=wasm32-unknown-unknown -ffreestanding",
    "gcc-no-elf": "gcc -U__ELF__",
    "gcc-no-gnu": "gcc -U__GNUC__ -std=c99",
    "g++-no-elf": "g++ -U__ELF__",
}
# no header of site.d's types is at hand there
DESCRIPTION = """
provider t {
	probe none();
	probe mixed(unsigned short a, long long b, char *c, double d, void *e);
};
"""
PROGRAM = """
#include "site.h"
int calls;
static int called(void) { return ++calls; }
extern int use(int x);
int use(int x)
{
	T_NONE();
	if (x)
		T_MIXED(1, called(), "text", 0.5, &x);
	else
		T_NONE();
	return T_MIXED_ENABLED();
}
%s
"""
WRONG = {
    "few": "int f(void); int f(void) { T_MIXED(1); return 0; }",
    "struct": "struct s { int a; } s; int f(void);\n"
              "int f(void) { T_MIXED(s, 2, 0, 3, 0); return 0; }",
}


def compiles(folder, target, extra=""):
    (folder / "site.d").write_text(DESCRIPTION)
    probe_tool.generate_file(folder / "site.d", "-Wno-all")
    command = TARGETS[target].split()
    return subprocess.run(
        [*command, "-Wall", "-Wextra", "-Werror", "-I", folder,
         "-I", probe_tool.SOURCE / "include", "-S", "-o", folder / "out.s",
         "-xc++" if "++" in command[0] else "-xc", "-"], text=True,
        input=PROGRAM % extra, stderr=subprocess.PIPE)


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_left(target, tmp_path):
    run = compiles(tmp_path, target)
    assert run.returncode == 0, run.stderr
    text = (tmp_path / "out.s").read_text()
    assert "stapsdt" not in text and "semaphore" not in text


@pytest.mark.parametrize("target, wrong", turns(
    ["windows", "windows-c++", "macos", "gcc-no-gnu"], WRONG))
def test_types_are_checked(target, wrong, tmp_path):
    assert compiles(tmp_path, target, WRONG[wrong]).returncode != 0


def test_tinycc(tmp_path):
    """A compiler of plain C that says it makes ELF."""
    if not probe_tool.have("tcc"):
        pytest.skip("needs tcc")
    probe_tool.generate(tmp_path)
    subprocess.run(["tcc", "-Wall", "-Werror", "-I", tmp_path, "-I",
                    probe_tool.SOURCE / "include", "-o", tmp_path / "p",
                    probe_tool.HERE / "evaluate.c", "-DSDTKIT_DISABLE"],
                   check=True)
    subprocess.run([tmp_path / "p"], check=True)
    subprocess.run(["tcc", "-Wall", "-Werror", "-I", tmp_path, "-I",
                    probe_tool.SOURCE / "include", "-c", "-o",
                    tmp_path / "o.o", probe_tool.HERE / "off.c"], check=True)
    assert not probe_tool.notes(tmp_path / "o.o")


def test_tinycc_compiles_a_test(source, build, tmp_path):
    """One that expects events of a program that another compiler made."""
    if not probe_tool.have("tcc"):
        pytest.skip("needs tcc")
    example = source / "examples" / "tap"
    subprocess.run(["/usr/bin/env", "python3", source / "probegen",
                    example / "shop_probes.d", "-o",
                    tmp_path / "shop_probes.h"], check=True)
    include = ["-I", tmp_path, "-I", source / "include"]
    subprocess.run(["tcc", "-Wall", "-Werror", *include, "-c",
                    example / "plain.c", "-o", tmp_path / "plain.o"],
                   check=True)
    subprocess.run(["gcc", "-O2", *include, tmp_path / "plain.o",
                    example / "shop.c",
                    build / "lib" / "tap" / "libsdtkit-tap.a", "-pthread",
                    "-o", tmp_path / "shop"], check=True)
    said = subprocess.run([tmp_path / "shop"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    assert said == 'shop:order(id=9, item="tea", price=2.5)\n'
