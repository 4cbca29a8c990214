# SPDX-License-Identifier: BSD-2-Clause
"""`#pragma sdtkit group`: the probes of a group have one semaphore in each
linked object, whatever makes the sites, compiles and links them."""

import subprocess
import sys

import pytest

from opt_in import rarely, turns
import probe_tool
from hot_path import check_hot_path, hot_path
from test_single import arch_tool

CALL = ["none", "pair", "count"]
GROUP = "#pragma sdtkit group call %s\n" % " ".join(CALL)
SOURCES = ["group.c", "group_other.c"]
COMPILERS = ["gcc", "clang", "g++", "clang++"]
SHAPES = {
    "O0": ["-O0"],
    "O2": ["-O2", "-fPIE", "-pie"],
    "no-pie": ["-O2", "-fno-pie", "-no-pie"],
    "static": ["-O2", "-static"],
    "lto": ["-O3", "-flto"],
    "gc": ["-O2", "-ffunction-sections", "-Wl,--gc-sections"],
}
# what makes the sites: options of probegen, options of the compiler
WAYS = {
    "native": ([], []),
    "single": (["single"], []),
    "systemtap": ([], probe_tool.BACKENDS["systemtap"]),
    "dropin": (["-h"], ["-Wno-pedantic"]),
    "standalone": (["--emit", "standalone"], []),
}
# each shape in each way, while the compilers take turns
BUILDS = [(COMPILERS[(i + j) % 4], way, shape) for i, way in enumerate(WAYS)
          for j, shape in enumerate(SHAPES)]


def generate(folder, *options, pragmas=GROUP):
    single = probe_tool.PROBES if "single" in options else ()
    probe_tool.generate(folder, *(option for option in options
                                  if option != "single"),
                        single=single, pragmas=pragmas)


def build(folder, compiler, way, *flags, sources=SOURCES, output="p"):
    return probe_tool.compile_c(folder, compiler, sources, output,
                                *WAYS[way][1], *flags)


def check_notes(program, provider="t"):
    """The group's probes have one semaphore, a__b has another one."""
    found = {}
    for note in probe_tool.notes(program, provider):
        found.setdefault(note.name, set()).add(note.semaphore)
    assert set(found) == set(CALL) | {"a__b"}
    addresses = set().union(*(found[name] for name in CALL))
    assert len(addresses) == len(found["a__b"]) == 1
    assert 0 not in addresses and not addresses & found["a__b"]
    return addresses.pop()


def run(program, *args):
    subprocess.run([program, *args], check=True)


def need(way, unavailable):
    probe_tool.need_backend("systemtap" if way == "dropin" else way,
                            unavailable)


OFTEN = [("native", "O0"), ("native", "lto"), ("native", "gc"),
         ("single", "O2"), ("standalone", "no-pie")]


@pytest.mark.parametrize("compiler,way,shape", rarely(BUILDS, [
    build for build in BUILDS if build[1:] in OFTEN]))
def test_one_semaphore(compiler, way, shape, tmp_path, unavailable):
    need(way, unavailable)
    generate(tmp_path, *WAYS[way][0])
    program = build(tmp_path, compiler, way, *SHAPES[shape])
    run(program)
    symbols = probe_tool.symbols(program)
    assert {name for name in symbols if name.endswith("_semaphore")} == {
        "t_call_traced_semaphore", "t_a__b_semaphore"}
    assert check_notes(program) == symbols["t_call_traced_semaphore"][0]


@pytest.mark.parametrize("way, compiler", turns(WAYS, ["gcc", "clang++"]))
def test_with_an_alias(compiler, way, tmp_path, unavailable):
    need(way, unavailable)
    generate(tmp_path, *WAYS[way][0], "--alias", "t=other")
    program = build(tmp_path, compiler, way, "-O2")
    run(program)
    # the alias of a drop-in header has semaphores of its own
    assert (check_notes(program) == check_notes(program, "other")) == (
        way != "dropin")


@pytest.mark.parametrize("way", ["native", "systemtap", "dropin"])
def test_library(way, tmp_path, unavailable):
    """Each linked object has its own semaphore."""
    need(way, unavailable)
    generate(tmp_path, *WAYS[way][0])
    library = build(tmp_path, "gcc", way, "-O2", "-fPIC", "-shared",
                    sources=["group_other.c"], output="libother.so")
    program = build(tmp_path, "gcc", way, "-O2", "-L", tmp_path,
                    "-Wl,-rpath," + str(tmp_path), "-lother",
                    sources=["group.c", library])
    run(program, "apart")
    for path, names in (library, {"pair"}), (program, {"none", "count"}):
        assert {note.semaphore for note in probe_tool.notes(path)
                if note.name in CALL} == {
            probe_tool.symbols(path)["t_call_traced_semaphore"][0]}
        assert names <= {note.name for note in probe_tool.notes(path)}


@pytest.mark.parametrize("linker", rarely(
    ["bfd", "gold", "lld", "mold"], ["lld", "mold"]))
def test_linkers(linker, tmp_path):
    if not probe_tool.have("ld." + linker):
        pytest.skip("needs ld." + linker)
    generate(tmp_path)
    program = build(tmp_path, "gcc", "native", "-O2", "-fuse-ld=" + linker)
    run(program)
    check_notes(program)


def test_relocatable(tmp_path):
    """Results of `ld -r`, each with the semaphore, make one program."""
    generate(tmp_path)
    parts = []
    for source in SOURCES:
        build(tmp_path, "gcc", "native", "-O2", "-c", sources=[source],
              output=source + ".o")
        parts.append(tmp_path / (source + ".r.o"))
        subprocess.run(["ld", "-r", tmp_path / (source + ".o"), "-o",
                        parts[-1]], check=True)
    subprocess.run(["gcc", *parts, "-o", tmp_path / "p"], check=True)
    run(tmp_path / "p")
    check_notes(tmp_path / "p")


@pytest.mark.parametrize("options", [[], ["-DSTAP_SDT_V2"],
                                     ["-DSTAP_SDT_V1"]], ids=" ".join)
@pytest.mark.parametrize("with_object", [True, False])
def test_older_notes_and_the_object(with_object, options, tmp_path,
                                    unavailable, monkeypatch):
    """The notes of STAP_SDT_V1 find a semaphore by the name of its probe, so
    that probes share none, but the group's guard knows all."""
    need("dropin", unavailable)
    generate(tmp_path, "-h")
    monkeypatch.setenv("CFLAGS", " ".join(options))
    subprocess.run([sys.executable, probe_tool.SOURCE / "probegen", "-G", "-s",
                    tmp_path / "site.d", "-o", tmp_path / "site.o"],
                   check=True)
    program = build(tmp_path, "gcc", "dropin", "-O2", *options,
                    sources=SOURCES + [tmp_path / "site.o"][:with_object])
    if options == ["-DSTAP_SDT_V1"]:
        assert probe_tool.symbols(program)["count_semaphore"]
        return
    run(program)
    check_notes(program)


def test_probe_by_hand(tmp_path, unavailable):
    """A DTRACE_PROBEn of the program uses the group's semaphore too."""
    need("dropin", unavailable)
    generate(tmp_path, "-h")
    (tmp_path / "hand.c").write_text(
        '#include "site.h"\nint main(void)\n{\n'
        "\tDTRACE_PROBE1(t, count, 1);\n\tT_NONE();\n\tT_A_B(1);\n"
        "\tDTRACE_PROBE2(t, pair, 1, 2);\n\treturn 0;\n}\n")
    program = build(tmp_path, "gcc", "dropin", "-O2",
                    sources=[tmp_path / "hand.c"])
    run(program)
    check_notes(program)


NOTHING = {"noop": (["--emit", "noop"], ["-DDISABLED"]),
           "disabled": ([], ["-DSDTKIT_DISABLE"])}


@pytest.mark.parametrize("compiler, way", turns(COMPILERS, NOTHING))
def test_nothing(compiler, way, tmp_path):
    options, flags = NOTHING[way]
    generate(tmp_path, *options)
    program = build(tmp_path, compiler, "native", "-O2", *flags)
    run(program)
    assert not probe_tool.notes(program)
    assert not [name for name in probe_tool.symbols(program)
                if "traced" in name]


@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_machines(name, tmp_path):
    machine = arch_tool.MACHINES[name]
    cross, qemu = machine.triplet + "-gcc", "qemu-%s-static" % machine.qemu
    if not (probe_tool.have(cross) and probe_tool.have(qemu)):
        pytest.skip("needs %s and %s" % (cross, qemu))
    generate(tmp_path)
    program = probe_tool.compile_c(tmp_path, [cross, *machine.flags], SOURCES,
                                   "p", "-O2", "-static")
    subprocess.run([qemu, program], check=True)
    check_notes(program)


@pytest.mark.parametrize("flags, compiler", turns(
    ["-O2", "-O2 -fPIC", "-O3"], ["gcc", "clang"]))
def test_two_instructions(compiler, flags, tmp_path, unavailable):
    """The guard of a group costs what that of one probe does."""
    if subprocess.run(["uname", "-m"], stdout=subprocess.PIPE,
                      text=True).stdout != "x86_64\n":
        unavailable("counts x86-64 instructions")
    generate(tmp_path)
    files = {}
    for name, extra in ("on", []), ("off", ["-DSDTKIT_DISABLE"]):
        files[name] = probe_tool.compile_c(
            tmp_path, compiler, ["off_group.c"], name + ".o", "-c",
            *flags.split(), *extra)
    check_hot_path(hot_path(files["off"], "off_group"),
                   hot_path(files["on"], "off_group"))
