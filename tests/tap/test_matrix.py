# SPDX-License-Identifier: BSD-2-Clause
"""What a tap reads, machine by machine: at the sites of tests/arch's program
what it passed, with the types that it was declared with; and each form of
argument of tests/consumers that is C, with the values of its table."""

import errno
import functools
import os
import pathlib
import platform
import struct
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
CONSUMERS = HERE.parent / "consumers"
sys.path[:0] = [str(HERE.parent / "arch"), str(CONSUMERS)]

import arch_tool                                       # noqa: E402
import expect                                          # noqa: E402
import test_values                                     # noqa: E402
from opt_in import pairs                               # noqa: E402

SOURCE = arch_tool.SOURCE
LIBRARY = [*sorted((SOURCE / "lib/attach").glob("*.c")),
           *sorted((SOURCE / "lib/tap").glob("*.c")),
           *sorted((SOURCE / "lib/decode").glob("*.c")),
           *sorted((SOURCE / "lib/text").glob("*.c")),
           SOURCE / "lib/preload/disposition.c"]

# qemu's i386 mixes up threads, and loses what the x87 has at a signal:
# test_emulator.py shows it.
NATIVE = {"x86-64", "i386"}
FORMS = [*(CONSUMERS / (part + ".c") for part in (
    "integers", "pointers", "functions", "counts", "main")),
         HERE / "matrix_forms.c"]

# forms.d: the wire types, or who decides
PLATFORM = {"c": ("s1", "u1"), "o": ("s4", "s8")}
WIRES = {
    "none": "",
    "pair": "u4 u2",
    "unsigneds": "u1 u2 u4 u1 u1 uw uw",
    "signeds": "s1 s2 s4 s1 c sw sw",
    "wide": "u8 s8 s8 u8",
    "platform": None,           # as wide as the platform has them
    "floating": "f4 f8 f4 f8",
    "pointers": "z p z p",
    "places": "s1 s2 s4 u2 s8 u8 p",
    "words": " ".join(["s4"] * 12),
    "wides": " ".join(["u8", "s8"] * 6),
    "mixed": "u1 u8 s2 f8 z s8 f4 uw sw o c u1",
}
KINDS = {"u": "unsigned", "s": "signed", "f": "float", "p": "pointer",
         "z": "string"}
TEXTS = {("pointers", 0): "written", ("pointers", 2): "literal",
         ("mixed", 4): "m"}


@functools.lru_cache(maxsize=None)
def library(name):
    """libsdtkit-tap for the machine, by the compiler that is there for it: for
    this machine, that of the build."""
    own = pathlib.Path(os.environ.get("SDTKIT_BUILD", ""),
                       "lib/tap/libsdtkit-tap.a")
    if name == platform.machine().replace("_", "-") and own.is_file():
        return own.resolve()
    machine = arch_tool.MACHINES[name]
    compiler = machine.triplet + "-gcc"
    arch_tool.need(compiler)
    folder = arch_tool.workshop() / ("tap-" + name)
    folder.mkdir()
    subprocess.run([compiler, *machine.flags, "-std=c11", "-O1", "-fPIC",
                    "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
                    "-I", SOURCE / "include", "-I", SOURCE / "lib/attach",
                    "-I", SOURCE / "lib/decode", "-I", SOURCE / "lib/text",
                    "-c", *LIBRARY], check=True, cwd=folder)
    subprocess.run([machine.triplet + "-ar", "rc", "libsdtkit-tap.a",
                    *sorted(path.name for path in folder.glob("*.o"))],
                   check=True, cwd=folder)
    return folder / "libsdtkit-tap.a"


@functools.lru_cache(maxsize=None)
def program(name, compiler, form, header):
    machine = arch_tool.MACHINES[name]
    output = arch_tool.workshop() / "-".join(
        ["tapped", name, compiler, form, header])
    arch_tool.compile_object(
        name, compiler, [*arch_tool.FLAGS[form], "-I", HERE.parent / "arch",
                         "-Wno-unused-function", "-Wno-unused-parameter"],
        HERE / "matrix.c", str(output) + ".o", header)
    subprocess.run([machine.triplet + "-gcc", *machine.flags, "-static", "-o",
                    output, str(output) + ".o", library(name), "-pthread"],
                   check=True)
    return output


def run(name, path, *arguments):
    """(exit status, lines). A program of a machine in NATIVE runs without an
    emulator; its test is skipped, also where no test may be skipped for lack of
    a tracer, if this kernel was built without such programs (ENOEXEC): no
    package would help."""
    command = [] if name in NATIVE else [arch_tool.qemu(name)]
    try:
        done = subprocess.run([*command, path, *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        pytest.skip("this kernel runs no programs of %s, and qemu's %s loses "
                    "floating-point registers at signals" % (name, name))
    return done.returncode, done.stdout.split("\n")


def read_value(text):
    """(wire, kind, size, bits, text, number)"""
    wire, kind, size, bits, number, text = text.split("/")
    return wire, kind, int(size), int(bits, 16), text, float.fromhex(number)


def read(lines):
    """{probe: values of its one event}"""
    events = {}
    for line in lines:
        probe, *values = line.split()
        assert probe not in events
        events[probe] = [read_value(value) for value in values]
    return events


def check_value(probe, i, value, expected):
    wire, kind, size, bits, text, number = value
    if WIRES[probe] is not None:
        declared = WIRES[probe].split()[i]
        assert wire in PLATFORM.get(declared, (declared,))
    assert kind == KINDS[wire[0]]
    assert text.startswith(TEXTS[probe, i]) if kind == "string" else not text
    if expected is not None:
        assert (bits - expected) % 2**64 == 0
    if kind == "float":
        assert struct.pack("<f" if size == 4 else "<d", number) == (
            bits.to_bytes(size, "little"))


def check(name, compiler, form, header, unavailable):
    try:
        path = program(name, compiler, form, header)
        status, lines = run(name, path)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    # evaluated while tapped, not afterwards
    assert lines[0].startswith("right 1, evaluated "), lines
    assert not lines[0].endswith(" 0")
    assert lines[-2:] == ["after: right 1, evaluated 0", ""]
    assert status == 0
    events = read(lines[1:-2])
    machine = arch_tool.MACHINES[name]
    names = arch_tool.symbols(path)
    rows = test_values.expected(machine.word)
    rows["pointers"][3] = names["node"]
    rows["places"][6] = names["function"] | (name == "thumb")
    assert set(events) == set(rows)
    for probe, row in rows.items():
        assert len(events[probe]) == len(row)
        for i, (value, expected) in enumerate(zip(events[probe], row)):
            check_value(probe, i, value, expected)


@pytest.mark.parametrize("name, form, compiler", pairs(
    arch_tool.MACHINES, ["O0", "O2", "frame"], arch_tool.COMPILERS,
    every=False))
def test_values_of_machine(name, compiler, form, unavailable):
    check(name, compiler, form, "native", unavailable)


@pytest.mark.parametrize("compiler", arch_tool.COMPILERS)
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_values_of_one_site_for_all_uses(name, compiler, unavailable):
    check(name, compiler, "O2", "single", unavailable)


@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_switched_under_load(name, unavailable):
    try:
        path = program(name, "gcc", "O2", "native")
        status, lines = run(name, path, "threads")
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    assert (status, lines[0]) == (0, "wrong 0, some 1, restored 1"), lines


@pytest.mark.parametrize("form", ["O0", "O2"])
@pytest.mark.parametrize("name", arch_tool.MACHINES)
def test_values_of_sys_sdt_h(name, form, unavailable):
    """Its operands are whatever the compiler chose: a value is right as far as
    the operand is wide, or it is not read."""
    try:
        path = program(name, "gcc", form, "dropin")
        status, lines = run(name, path)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    assert status == 0
    events = read(lines[1:-2])
    rows = test_values.expected(arch_tool.MACHINES[name].word)
    assert set(events) == set(rows)
    count = 0
    for probe, row in rows.items():
        for value, expected in zip(events[probe], row):
            if value[1] != "unreadable" and expected is not None:
                count += 1
                size = 2 ** (8 * value[2])
                assert (value[3] - expected) % size == 0, (probe, value)
    # most of the 60 that have one value everywhere
    assert count > 30


@functools.lru_cache(maxsize=None)
def forms_header():
    """The folder of the header of tests/consumers/form.d."""
    folder = arch_tool.workshop() / "tapped-forms"
    folder.mkdir()
    subprocess.run([sys.executable, SOURCE / "probegen", "-s",
                    CONSUMERS / "form.d", "-o", folder / "form_probes.h"],
                   check=True)
    return folder


def forms(name, compiler, optimise):
    """The program of tests/consumers, C only, which taps itself."""
    machine = arch_tool.MACHINES[name]
    output = forms_header() / "-".join([name, compiler, optimise])
    output.mkdir()
    for source in FORMS:
        arch_tool.compile_object(
            name, compiler, [
                *arch_tool.FLAGS[optimise], "-w", "-I", forms_header(), "-I",
                CONSUMERS, *["-Dmain=form_main"] * (source.stem == "main")],
            source, output / (source.stem + ".o"))
    subprocess.run([machine.triplet + "-gcc", *machine.flags, "-static", "-o",
                    "forms", *sorted(output.glob("*.o")), library(name),
                    "-pthread"], check=True, cwd=output)
    return output / "forms"


def as_read(value):
    """What expect.py compares: a string as such, any other by its bits; None
    where nothing was read."""
    _, kind, _, bits, text, _ = value
    return {"string": text, "unreadable": None}.get(kind, bits)


@pytest.mark.parametrize("name, optimise, compiler", pairs(
    arch_tool.MACHINES, ["O0", "O2"], arch_tool.COMPILERS, every=False))
def test_forms(name, compiler, optimise, tmp_path, unavailable):
    report = tmp_path / "report"
    try:
        status, lines = run(name, forms(name, compiler, optimise), report)
    except arch_tool.Missing as missing:
        unavailable(str(missing))
    assert status == 0, lines
    hits = {}
    for line in lines[:-1]:
        probe, *values = line.split()
        hits.setdefault(probe, []).append([
            as_read(read_value(value)) for value in values])
    told = {(probe, int(index)): int(address) for probe, index, address in (
        line.split() for line in report.read_text().splitlines())}
    wanted = expect.wanted(compiler)
    assert set(hits) == set(wanted)
    wrong = {probe: (hits[probe], expect.ROWS[probe][1]) for probe in wanted
             if expect.right(probe, hits[probe], told, 12)
             != expect.count(probe, 12)}
    assert not wrong, "read and expected: %s" % wrong
