# SPDX-License-Identifier: BSD-2-Clause
"""Descriptions: what .note.sdtkit holds, through compilers, linkers and strip,
and that nobody else notices. The layout: docs/format.md.
"""

import os
import re
import shutil
import struct
import subprocess

import pytest

from emit_tool import kernel_tree
from opt_in import usual
from probegen_tool import SOURCE, run
from programs import which

DESCRIPTION = r"""
provider text {
	/* Says 100% "yes"; a\b, {x|y}, $HOME `id` ??= naïve. More of it. */
	probe odd(char *a[2], struct s *(*f)(int, char **),
		int x[3] /* 9 of 10%: "no"; a\b, {x|y}, $HOME `id` ??= naïve. More. */);
};
#pragma sdtkit alias text other
provider size {
	/*
	 * Every wire type,
	 * in two lines. And more.
	 */
	probe all(bool a, int8_t b, uint16_t c, int d, unsigned long long e,
		long f, size_t g, float h, double i, void *j, const char *k,
		char l);
	probe platform(dev_t a, /* first */ off_t b, /* A sentence
		in two lines.  And more. */
		pid_t c, mode_t d, disk_t e);
	probe none();
	probe never(int used);
	probe never2();
};
typedef dev_t disk_t;
enum kind { SMALL, LARGE = 1 << 3, LOW = -5 };
typedef enum kind kind_t;
#pragma sdtkit names kind code
provider named {
	probe values(enum kind a, kind_t b, int code);
	probe other(enum kind k);
};
#pragma sdtkit alias named akin
/* A deal is 100%
   "done". More of it. */
#pragma sdtkit span named:deal start=other,size:never end=values key=k/code/used
#pragma sdtkit span named:deal error = code ok=SMALL, 0x20
#pragma sdtkit span size:unused start=never end=never2 key=tid
"""
USE = """
#include "x.h"
__attribute__((noinline)) void FUNCTION(void);
void FUNCTION(void)
{
	SIZE_ALL(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, "", 'l');
	SIZE_ALL(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, "", 'm');
	SIZE_NONE();
	NAMED_VALUES(0, 8, -5);
	NAMED_OTHER(0);
}
"""
MAIN = USE + """
void two(void);
int main(void)
{
	one();
	two();
	TEXT_ODD(0, 0, 0);
	SIZE_PLATFORM(1, 2, 3, 4, 5);
	return 0;
}
"""
SUMMARY = 'Says 100% "yes"; a\\b, {x|y}, $HOME `id` ??= na\u00efve'
ODD = [SUMMARY, "p", "char *[2]", "a", "p", "struct s *(*)(int, char **)", "f",
       "p", "int[3]", "x"]
ALL = ["Every wire type, in two lines"] + [
    word for line in """
        u1 bool a|s1 int8_t b|u2 uint16_t c|s4 int d|u8 unsigned long long e
        sw long f|uw size_t g|f4 float h|f8 double i|p void * j
        z const char * k|s1 char l
    """.replace("\n", "|").split("|") if line.strip()
    for word in (line.split()[0], " ".join(line.split()[1:-1]),
                 line.split()[-1])]
PLATFORM = ["", "u8", "dev_t", "a", "s8", "off_t", "b", "s4", "pid_t", "c",
            "u4", "mode_t", "d", "u8", "disk_t", "e"]
NAMED = [[name] + rest for name in ("named", "akin") for rest in (
    ["values", "", "s4", "enum kind", "a", "s4", "kind_t", "b", "s4", "int",
     "code"], ["other", "", "s4", "enum kind", "k"])]
ENUM = ["kind", "3", "enum kind", "", "kind_t", "", "int", "code", "0",
        "SMALL", "8", "LARGE", "-5", "LOW"]
SPAN = ["deal", 'A deal is 100% "done"', "start", "other,size:never", "end",
        "values", "key", "k/code/used", "error", "code", "ok", "0,0x20"]
COMMENT = '9 of 10%: "no"; a\\b, {x|y}, $HOME `id` ??= na\u00efve'
EXPECTED = sorted([["text", "odd"] + ODD, ["other", "odd"] + ODD,
                   [3, "text", "odd", "", "", COMMENT],
                   [3, "other", "odd", "", "", COMMENT],
                   [3, "size", "platform", "first", "A sentence in two lines",
                    "", "", ""],
                   ["size", "all"] + ALL, ["size", "none", ""],
                   ["size", "platform"] + PLATFORM,
                   [4, "named"] + ENUM, [4, "akin"] + ENUM,
                   [5, "named"] + SPAN, [5, "akin"] + SPAN] + NAMED, key=str)

COMPILERS = {
    "gcc": ["gcc"], "gcc-O0": ["gcc", "-O0"], "clang": ["clang"],
    "intel": ["gcc", "-masm=intel"], "c99": ["gcc", "-std=c99", "-pedantic"],
    "g++": ["g++", "-xc++"], "clang++": ["clang++", "-xc++"],
    "gas": ["clang", "-fno-integrated-as"],
}
LINKERS = ["bfd", "gold", "lld", "mold"]
WAYS = {
    "plain": [], "gc": ["-ffunction-sections", "-Wl,--gc-sections"],
    "library": ["-shared", "-fPIC", "-Wl,--gc-sections"],
    "lto": ["-flto"], "relocatable": ["-r"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Returns a directory with x.h, and with one.c and two.c, which use the
    same probes."""
    path = tmp_path_factory.mktemp("describe")
    (path / "x.d").write_text(
        DESCRIPTION, "utf-8")
    result = run("-Wno-all", path / "x.d", "-o", path / "x.h")
    assert (result.returncode, result.stderr) == (0, "")
    (path / "one.c").write_text(MAIN.replace("FUNCTION", "one"))
    (path / "two.c").write_text(USE.replace("FUNCTION", "two"))
    return path


def compile(folder, output, *command):
    """Builds a program, once for each name."""
    if (folder / output).exists():
        return folder / output
    subprocess.run([*command, "-O2" if "-O0" not in command else "-g",
                    "-Wall", "-Wextra", "-Werror", "-I", SOURCE / "include",
                    "-o", output, "one.c", "two.c"], cwd=folder, check=True)
    return folder / output


def descriptions(path, objcopy="objcopy"):
    """Returns the strings of each note in .note.sdtkit; those of type 3, which
    are comments, begin with a 3, those of enums with a 4, and those of spans
    with a 5."""
    dump = str(path) + ".section"
    subprocess.run([objcopy, "--dump-section", ".note.sdtkit=" + dump, path,
                    os.devnull], check=True)
    with open(dump, "rb") as file:
        data = file.read()
    found, at = [], 0
    while at < len(data):
        name_size, size, version = struct.unpack_from("=III", data, at)
        start = at + 12 + (name_size + 3) // 4 * 4
        assert data[at + 12:start] == b"sdtkit\0\0" and version in (
            1, 3, 4, 5)
        desc = data[start:start + size]
        assert desc.endswith(b"\0")
        found.append([version] * (version != 1)
                     + desc.decode("utf-8").split("\0")[:-1])
        at = start + (size + 3) // 4 * 4
    assert at == len(data)
    return sorted(found, key=str)


@pytest.mark.parametrize("name", usual(
    list(COMPILERS), "gcc-O0", "intel", "clang++", "gas"))
def test_what_it_holds(folder, name):
    program = compile(folder, name, *COMPILERS[name])
    assert descriptions(program) == EXPECTED


@pytest.mark.parametrize("way,linker", usual(
    [(way, linker) for way in WAYS for linker in LINKERS],
    ("plain", "mold"), ("gc", "lld"), ("library", "bfd"), ("lto", "lld"),
    ("relocatable", "bfd")))
def test_one_per_object(folder, way, linker):
    """There is one description for each probe and linked object, however many
    sites and files it has, and whichever linker made it."""
    if which("ld." + linker) is None:
        pytest.skip("no linker " + linker)
    if (way, linker) == ("relocatable", "mold"):
        pytest.skip("mold -r fails on any COMDAT note, <sys/sdt.h>'s too")
    program = compile(folder, "%s-%s" % (way, linker), "clang",
                      "-fuse-ld=" + linker, *WAYS[way])
    if way == "relocatable":
        subprocess.run(["gcc", program, "-o", str(program) + "-linked"],
                       check=True)
        program = str(program) + "-linked"
    assert descriptions(program) == EXPECTED


def test_strip_and_separate_debug_info(folder):
    program = compile(folder, "whole", "gcc", "-g")
    for name, command in (
            ("stripped", ["strip"]),
            ("debug", ["objcopy", "--only-keep-debug"]),
            ("light", ["llvm-strip", "--strip-unneeded"])):
        if which(command[0]) is None:
            continue
        output = folder / name
        subprocess.run([*command, program, *(["-o"] if "strip" in command[0]
                                             else []), output], check=True)
        assert descriptions(output) == EXPECTED, name


def test_other_machine(folder):
    """There, char is unsigned, and the assembler has other comments."""
    if which("aarch64-linux-gnu-gcc") is None:
        pytest.skip("no compiler for aarch64")
    for name, command in (("gcc", ["aarch64-linux-gnu-gcc"]),
                          ("clang", ["clang", "--target=aarch64-linux-gnu"])):
        output = folder / (name + ".o")
        subprocess.run([*command, "-c", "-O2", "-I", SOURCE / "include", "-I",
                        folder, "-o", output, folder / "one.c"], check=True)
        found = descriptions(output, "aarch64-linux-gnu-objcopy")
        assert [note[-3:] for note in found if note[1] == "all"] == [
            ["u1", "char", "l"]]


def without(folder):
    return compile(folder, "left", "gcc", "-DSDTKIT_NO_DESCRIBE")


def has_section(program):
    return ".note.sdtkit" in subprocess.run(
        ["readelf", "-SW", program], stdout=subprocess.PIPE, text=True,
        check=True).stdout


def test_can_be_left_out(folder, tmp_path):
    assert not has_section(without(folder))
    for form in "header", "standalone":
        result = run("-Wno-all", "--no-describe", "--emit", form,
                     folder / "x.d", "-o", tmp_path / "x.h")
        assert result.returncode == 0
        for name in "one.c", "two.c":
            shutil.copy(folder / name, tmp_path)
        assert not has_section(compile(tmp_path, "plain", "gcc"))


def test_nothing_of_it_is_loaded(folder):
    """Code and segments are the same with and without descriptions."""
    texts = []
    for program in compile(folder, "full", "gcc"), without(folder):
        code = subprocess.run(["objdump", "-dw", program], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        segments = subprocess.run(["readelf", "-lW", program], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
        texts.append((code.split("\n", 3)[3],
                      re.findall(r"^  LOAD.*", segments, re.M)))
        assert len(texts[-1][1]) > 2
    assert texts[0] == texts[1]


# -------------------------------------------------------------------- readers

def readelf(program, _folder, _unavailable):
    text = subprocess.run(["readelf", "-nW", program], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return text[text.index("notes found in: .note.stapsdt"):].split(
        "\n\nDisplaying")[0].strip()


def gdb(program, _folder, unavailable):
    if which("gdb") is None:
        unavailable("gdb is not installed")
    text = subprocess.run(["gdb", "-batch", "-nx", "-ex", "info probes stap",
                           program], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return text.replace(str(program), "PROGRAM")


def bpftrace(program, _folder, unavailable):
    if which("bpftrace") is None or os.geteuid() != 0:
        unavailable("needs bpftrace and root")
    text = subprocess.run(["timeout", "300", "bpftrace", "-l", "usdt:%s:*"
                           % program], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return text.replace(str(program), "PROGRAM")


def stap(program, folder, unavailable):
    if which("stap") is None:
        unavailable("systemtap is not installed")
    kernel = folder / "kernel"
    if not kernel.exists():
        kernel_tree(kernel)
    text = subprocess.run(
        ["timeout", "300", "stap", "-r", kernel, "-L",
         'process("%s").mark("*")' % program], stdout=subprocess.PIPE,
        text=True, check=True).stdout
    return text.replace(str(program), "PROGRAM")


def perf(program, folder, unavailable):
    if which("perf") is None or os.geteuid() != 0:
        unavailable("needs perf and root")
    cache = folder / (program.name + "-cache")
    prefix = ["timeout", "300", "perf", "--buildid-dir", cache]
    subprocess.run([*prefix, "buildid-cache", "--add", program], check=True)
    with open(next(cache.glob("**/probes"))) as file:
        return file.read().replace(str(program), "PROGRAM")


@pytest.mark.parametrize("reader", [readelf, gdb, bpftrace, stap, perf],
                         ids=lambda reader: reader.__name__)
def test_readers_are_indifferent(folder, reader, unavailable):
    """Other readers list the same probes at the same places with and without
    descriptions."""
    listings = [reader(program, folder, unavailable)
                for program in (compile(folder, "full", "gcc"),
                                without(folder))]
    assert "platform" in listings[0]
    assert listings[0] == listings[1]
