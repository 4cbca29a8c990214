# SPDX-License-Identifier: BSD-2-Clause
"""A site is its probe's: linkers that fold identical code (--icf) do not make
one site of those of different probes, whichever header made them."""

import functools
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

import probe_tool
from opt_in import pairs
from test_single import arch_tool

HERE = pathlib.Path(__file__).resolve().parent
SDT = probe_tool.SOURCE / "include" / "sdtkit" / "sdt"
EVERY = {"t:own", "t:other", "t:in_group", "t:in_group_too", "t:single",
         "t:single_too", "hand:probe", "hand:probe_too", "in_asm:probe",
         "in_asm:probe_too", "assembly:probe", "assembly:probe_too"}
FLAGS = ["-O2", "-ffunction-sections"]
NOTE = re.compile(r"Provider: (\S+)\s+Name: (\S+)\s+Location: (0x\w+)")
HOWS = ["plain", "gc", "relocatable"]


@functools.lru_cache(maxsize=None)
def workshop():
    folder = tempfile.TemporaryDirectory(prefix="sdtkit-folding-")
    path = pathlib.Path(folder.name)
    for name, options in ("native", []), ("dropin", ["-h", "-s"]):
        subprocess.run([sys.executable, probe_tool.SOURCE / "probegen",
                        *options, HERE / "folding.d", "-o",
                        path / (name + ".h")], check=True)
    return folder, path


@functools.lru_cache(maxsize=None)
def objects(compiler, *flags):
    """The three object files of the program."""
    folder = workshop()[1]
    made = []
    for i, (source, *extra) in enumerate([
            ("folding.c", "-DNATIVE", "-I", probe_tool.SOURCE / "include"),
            ("folding.c", "-I", SDT), ("folding_assembly.S", "-I", SDT)]):
        made.append(folder / ("%s%d%s.o" % (compiler, i, "".join(flags))))
        subprocess.run([compiler, *FLAGS, *flags, *extra, "-I", folder, "-c",
                        HERE / source, "-o", made[-1]], check=True)
    return made


def probes_by_site(program):
    """{address: names of the probes whose site is there}"""
    text = subprocess.run(["readelf", "-nW", program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    found = {}
    for provider, probe, address in NOTE.findall(text):
        found.setdefault(address, set()).add(provider + ":" + probe)
    return found


def need_linker(name, unavailable):
    if not probe_tool.have("ld." + name):
        unavailable("ld.%s is not installed" % name)


def check_linked(files, compiler, linker, folding, *flags):
    """Links, runs, and looks at the sites."""
    program = workshop()[1] / "program"
    subprocess.run([compiler, "-fuse-ld=" + linker, "-Wl,--icf=" + folding,
                    *flags, *files, "-o", program], check=True)
    subprocess.run([program], check=True)
    found = probes_by_site(program)
    assert [names for names in found.values() if len(names) > 1] == []
    assert set().union(*found.values()) == EVERY


def need_x86_64(unavailable):
    if subprocess.run(["uname", "-m"], stdout=subprocess.PIPE,
                      text=True).stdout != "x86_64\n":
        unavailable("folding_assembly.S is for x86-64")


@functools.lru_cache(maxsize=None)
def relocatable(compiler):
    """bfd refuses notes with and without flag o in one result of -r."""
    path = workshop()[1] / (compiler + "-relocatable.o")
    subprocess.run(["ld.lld", "-r", *objects(compiler), "-o", path],
                   check=True)
    return [path]


@pytest.mark.parametrize("how,compiler,linker,folding", pairs(
    HOWS, ["gcc", "clang"], ["gold", "lld", "mold"], ["safe", "all"]))
def test_folding(how, compiler, linker, folding, unavailable):
    need_x86_64(unavailable)
    for name in {linker, "lld"} if how == "relocatable" else {linker}:
        need_linker(name, unavailable)
    files, flags = objects(compiler), []
    # with gold such a program does not link: test_sections.py
    if how == "gc" and linker != "gold":
        flags = ["-Wl,--gc-sections"]
    if how == "relocatable":
        files = relocatable(compiler)
    check_linked(files, compiler, linker, folding, *flags)


@pytest.mark.parametrize("folding", ["safe", "all"])
@pytest.mark.parametrize("compiler,linker", [
    ("gcc", "gold"), ("gcc", "mold"), ("clang", "lld")])
@pytest.mark.thorough
def test_folding_with_lto(compiler, linker, folding, unavailable):
    need_x86_64(unavailable)
    need_linker(linker, unavailable)
    check_linked(objects(compiler, "-flto"), compiler, linker, folding, *FLAGS,
                 "-flto")


def relocations(path):
    """The symbols of the relocations that keep sites apart."""
    text = subprocess.run(["readelf", "-rW", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return re.findall(r"R_\w+_NONE\b.* sdtkit\.site\.(\S+)", text)


@pytest.mark.parametrize("name", arch_tool.EVERY_MACHINE)
def test_machines(name, unavailable):
    """Each assembler takes the relocation, and makes one at each site."""
    machine = arch_tool.EVERY_MACHINE[name]
    compilers = [[machine.triplet + "-gcc", *machine.flags]]
    if name in arch_tool.BARE:
        compilers = []
    compilers.append([machine.clang, "--target=" + machine.triplet,
                      *machine.flags])
    compilers = [command for command in compilers
                 if probe_tool.have(command[0])]
    if not compilers:
        unavailable("no compiler for " + name)
    folder = workshop()[1]
    for command in compilers:
        subprocess.run([*command, *FLAGS, "-fno-pie", "-DNATIVE", "-I", folder,
                        "-I", probe_tool.SOURCE / "include", "-c",
                        HERE / "folding.c", "-o", folder / "machine.o"],
                       check=True)
        assert sorted(relocations(folder / "machine.o")) == [
            "t.in_group", "t.in_group_too", "t.other", "t.own", "t.own",
            "t.single", "t.single_too"]
