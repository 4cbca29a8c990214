# SPDX-License-Identifier: BSD-2-Clause
"""A recorder on other machines, in an emulator: what this machine reads in its
file, by jump and by trap."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "arch"))

import arch_tool                                       # noqa: E402

SOURCE = arch_tool.SOURCE
# machine -> (what the emulator has to be told, what the path of a hit is
# compiled with, and which registers it may not use)
MACHINES = {
    "aarch64": (["-cpu", "cortex-a57"], ["-mgeneral-regs-only"],
                r"\s[vqdsz]\d+[,.]"),
    "ppc64le": ([], ["-mno-vsx", "-mno-altivec", "-msoft-float"],
                r"\t(lf|stf|lv|stv|lx|stx|xx|f)\w*\s+(f|v|vs)\d"),
}
# Without jumps: a word of 64 bits, and one of 32.
BY_TRAP = ["riscv64", "arm"]
HIT = {"advance.c", "claim.c", "hit.c", "memory.c", "jump_entry.c"}
# They are of the library that is preloaded.
PRELOADED = {"preload.c", "replaced.c"}
INCLUDES = ["-I%s" % (SOURCE / folder) for folder in (
    "include", "lib/record", "lib/attach", "lib/decode", "lib/text")]


def sources():
    for room in "record", "attach", "decode", "text":
        for path in sorted((SOURCE / "lib" / room).glob("*.c")):
            if path.name not in PRELOADED:
                yield path
    yield SOURCE / "lib" / "preload" / "disposition.c"


def build_program(name, folder):
    machine = arch_tool.MACHINES[name]
    gcc = machine.triplet + "-gcc"
    arch_tool.need(gcc)
    options = [gcc, *machine.flags, "-O2", "-fPIC", "-Wall", "-Wextra",
               "-Wno-unused-parameter", "-Werror", "-I.", *INCLUDES]
    subprocess.run([sys.executable, SOURCE / "probegen", HERE / "recorded.d",
                    "-o", "recorded_probes.h"], check=True, cwd=folder)
    files = list(sources())
    hit = [path for path in files if path.name in HIT]
    assert len(hit) == len(HIT)
    general_only = MACHINES[name][1] if name in MACHINES else []
    subprocess.run([*options, *general_only, "-D_GNU_SOURCE",
                    "-fno-builtin", "-fno-stack-protector",
                    "-fno-tree-loop-distribute-patterns", "-c", *hit],
                   check=True, cwd=folder)
    subprocess.run([*options, "-c", *(path for path in files
                                      if path not in hit)],
                   check=True, cwd=folder)
    subprocess.run([*options, "-static", HERE / "machine.c",
                    *sorted(folder.glob("*.o")), "-o", "machine", "-pthread"],
                   check=True, cwd=folder)


def make(name, factory, unavailable):
    folder = factory.mktemp(name)
    try:
        arch_tool.qemu(name)
        build_program(name, folder)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    return name, folder


@pytest.fixture(scope="module", params=MACHINES)
def made(request, tmp_path_factory, unavailable):
    """(machine, directory with its program and objects)"""
    return make(request.param, tmp_path_factory, unavailable)


@pytest.fixture(scope="module", params=BY_TRAP)
def made_by_trap(request, tmp_path_factory, unavailable):
    return make(request.param, tmp_path_factory, unavailable)


def run(made, way, *options, directory, dump):
    name, folder = made
    emulator = MACHINES[name][0] if name in MACHINES else []
    return subprocess.run(
        [arch_tool.qemu(name), *emulator, *options,
         folder / "machine", directory, dump], text=True, timeout=300,
        env=dict(os.environ, SDTKIT_TAP_WAY=way), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)


def check_values(made, way, recorder):
    dump = recorder.folder / "dump"
    done = run(made, way, directory=recorder.folder, dump=dump)
    assert (done.returncode, done.stdout) == (0, "")
    recording = recorder.show(dump)
    expected = ['rec:step(number=%d, text="%s")' % (
        i << 40, ["even", "odd"][i % 2]) for i in range(1000)]
    assert recording.texts[:1000] == expected
    assert recording.texts[1000:] == [
        "rec:step(number=1000, text=0x10 (there is no memory at that "
        "address))", 'rec:step(number=1001, text="end")',
        'rec:thing_done(thing={id=77 owner="bob" kind="thing" '
        "sizes=[1 -2 3]})"]
    assert (recording.lost, recording.damaged) == (0, 0)


@pytest.mark.parametrize("way", ["jump", "trap"])
def test_values(made, way, recorder):
    check_values(made, way, recorder)


def test_values_by_trap(made_by_trap, recorder):
    """On arm, arguments are in the frame, and a pointer has 4 bytes."""
    check_values(made_by_trap, "trap", recorder)


def test_no_signal_by_jump(made, recorder):
    """The emulator prints the signals that it passes to the program."""
    counts = []
    for way in "jump", "trap":
        done = run(made, way, "-strace", directory=recorder.folder,
                   dump=recorder.folder / way)
        assert done.returncode == 0
        counts.append(len(re.findall(r"--- SIGTRAP", done.stdout)))
    assert counts[0] == 0 and counts[1] >= 1000


def test_general_registers_only(made):
    """On the path of a hit, and no function of the C library."""
    name, folder = made
    triplet = arch_tool.MACHINES[name].triplet
    for source in sorted(HIT - {"jump_entry.c"}):
        path = folder / source.replace(".c", ".o")
        code = subprocess.run(
            [triplet + "-objdump", "-d", "--no-show-raw-insn", path],
            check=True, text=True, stdout=subprocess.PIPE).stdout
        assert not re.search(MACHINES[name][2], code)
        names = subprocess.run(
            [triplet + "-nm", "-u", path], check=True, text=True,
            stdout=subprocess.PIPE).stdout.split()[1::2]
        # Atomic operations of libgcc use general registers only.
        assert not [symbol for symbol in names
                    if not symbol.startswith(("sdtkit_", "__aarch64_"))
                    and symbol not in ("_GLOBAL_OFFSET_TABLE_", ".TOC.")]
