# SPDX-License-Identifier: BSD-2-Clause
"""The machines that sites are made for, and the programs that show it.

A program is forms.c for one machine, by one compiler, with some flags; it is
made once, and several tests look at it. A debugger attaches to a foreign one
through qemu, over a socket in the file system.
"""

import configparser
import functools
import json
import os
import pathlib
import platform
import re
import struct
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

from programs import has_sys_sdt, once, which

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
            "-Wcast-qual", "-Wundef", "-Wdeclaration-after-statement",
            "-Werror"]
NOT_FOR_CXX = {"-Wpedantic"}     # forms.c has a VLA

# triplet: before the names of its tools; qemu: behind qemu-
# word: bits of a machine word; flags: for its compilers
# register, frame: what an operand there looks like
# gdb: whether gdb has `$_probe_argN` there
# single: whether all uses of a probe can have one site there
# nop, align: the bytes at a site, and what its address is a multiple of
# cost: compiler -> instructions of a probe that nobody traces
# clang: the name of a clang that knows it; libc: whether there is one
Machine = namedtuple("Machine", "triplet qemu word flags register frame gdb "
                     "single nop align cost clang libc")


def read_machine(path):
    """tests/machines/NAME.txt: tests/notes/cases.h has the format."""
    parser = configparser.RawConfigParser(
        delimiters=("=",), comment_prefixes=("#",), strict=False)
    parser.optionxform = str
    parser.read(path)
    site, tools = parser["site"], parser["tools"]
    return Machine(
        tools["triplet"], tools["qemu"], site.getint("word"),
        tools.get("flags", "").split(), site["register"], site["frame"],
        tools.getboolean("gdb"), site.getboolean("single"),
        site["nop"].split(), site.getint("align"),
        {name: int(count) for name, count in (
            word.split(":") for word in tools["cost"].split())},
        tools.get("clang", "clang"), tools.getboolean("libc", True))


EVERY_MACHINE = {path.stem: read_machine(path) for path in
                 sorted((SOURCE / "tests" / "machines").glob("*.txt"))}
# those that programs can be made for and run
MACHINES = {name: machine for name, machine in EVERY_MACHINE.items()
            if machine.libc}
# those that only freestanding objects can be made for: test_bare.py
BARE = {name: machine for name, machine in EVERY_MACHINE.items()
        if not machine.libc}
COMPILERS = ["gcc", "clang"]
FLAGS = {
    "O0": ["-O0"],
    "O2": ["-O2"],
    "PIC": ["-O2", "-fPIC"],
    "O0-PIC": ["-O0", "-fPIC"],
    "frame": ["-O2", "-DSDTKIT_USE_FRAME"],
}

Note = namedtuple("Note", "provider name location base semaphore args")


class Missing(Exception):
    """The machine that the tests run on lacks something."""


def need(*programs):
    for program in programs:
        if which(program) is None:
            raise Missing(program + " is not installed")


@once
def has_libc(triplet):
    if which(triplet + "-gcc") is None:
        return False
    path = subprocess.run([triplet + "-gcc", "-print-file-name=libc.a"],
                          check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    return os.path.isabs(path)


@functools.lru_cache(maxsize=None)
def workshop():
    """A directory with both headers and, for compilers that do not look into
    /usr/include, <sys/sdt.h>. Removed when Python exits."""
    holder = tempfile.TemporaryDirectory(prefix="sdtkit-arch-")
    workshop.holder = holder
    folder = pathlib.Path(holder.name)
    for name, options in ("native", []), ("dropin", ["-h"]), ("single", []):
        (folder / name).mkdir()
        text = (HERE / "forms.d").read_text()
        if name == "single":
            text += "#pragma sdtkit single_site %s\n" % " ".join(
                re.findall(r"probe (\w+)", text))
        (folder / name / "forms.d").write_text(text)
        subprocess.run([sys.executable, SOURCE / "probegen", *options,
                        "-s", folder / name / "forms.d", "-o",
                        folder / name / "forms.h"], check=True)
    for path in _sdt_headers():
        (folder / "sdt" / "sys").mkdir(parents=True, exist_ok=True)
        (folder / "sdt" / "sys" / path.name).symlink_to(path)
    return folder


def need_sys_sdt():
    if not has_sys_sdt():
        raise Missing("<sys/sdt.h> is missing (systemtap-sdt-dev)")


def _sdt_headers():
    """Where this machine's <sys/sdt.h> is, and what it includes."""
    run = subprocess.run(["cc", "-E", "-xc", "-"], text=True,
                         input="#include <sys/sdt.h>\n",
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {pathlib.Path(path) for path in
            re.findall(r'"(/[^"]*/sys/sdt[^"]*\.h)"', run.stdout)}


def compile_object(name, compiler, flags, source, output, header="native",
                   **options):
    """Compiles one file for the machine; compiler is gcc, clang or their C++
    ones."""
    machine, folder = MACHINES[name], workshop()
    command = [machine.triplet + "-" + compiler]
    if compiler.startswith("clang"):
        command = [compiler, "--target=" + machine.triplet]
    need(machine.triplet + "-gcc", command[0])
    if not has_libc(machine.triplet):
        raise Missing("no C library for %s (libc6-dev-*-cross)"
                      % machine.triplet)
    command += [warning for warning in WARNINGS
                if "++" not in compiler or warning not in NOT_FOR_CXX]
    command += ["-xc++"] * ("++" in compiler)
    if header == "dropin":
        need_sys_sdt()
        # its asm is not ISO C, and gcc minds
        command += ["-isystem", folder / "sdt", "-Wno-pedantic"]
    subprocess.run([*command, *machine.flags, *flags, "-I", folder / header,
                    "-I", SOURCE / "include", "-c", source, "-o", output],
                   check=True, **options)


@functools.lru_cache(maxsize=None)
def program(name, compiler, form, header="native"):
    """The path of forms.c made for the machine."""
    machine = MACHINES[name]
    output = workshop() / ("%s-%s-%s-%s" % (name, compiler, form, header))
    compile_object(name, compiler, FLAGS[form], HERE / "forms.c",
                   str(output) + ".o", header)
    subprocess.run([machine.triplet + "-gcc", *machine.flags, "-static", "-o",
                    output, str(output) + ".o"], check=True)
    return output


def runner(name):
    """The words before the path of a program of the machine, if it is not this
    one."""
    return [] if name == platform.machine().replace("_", "-") else [qemu(name)]


def qemu(name):
    return qemu_of(MACHINES[name])


def qemu_of(machine):
    found = "qemu-%s-static" % machine.qemu
    need(found)
    return found


_NOTE = re.compile(
    r"Provider: (\S+)\s+Name: (\S+)\s+Location: (0x\w+), Base: (0x\w+), "
    r"Semaphore: (0x\w+)\s+Arguments:([^\n]*)")
_BLANK = re.compile(r" (?=-?\d+f?@)")


def notes(path):
    """The notes of a file, as readelf prints them. A blank may be inside of an
    operand."""
    text = subprocess.run(["readelf", "-nW", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return [Note(found[1], found[2], int(found[3], 16), int(found[4], 16),
                 int(found[5], 16),
                 [arg for arg in _BLANK.split(found[6].strip()) if arg])
            for found in _NOTE.finditer(text)]


def symbols(path):
    """name -> address of a file's symbols."""
    text = subprocess.run(["nm", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    rows = (line.split() for line in text.split("\n"))
    return {row[2]: int(row[0], 16) for row in rows if len(row) == 3}


def read_values(name, path):
    """What gdb reads at each site: {probe: [(value, the same)]}, first as
    `$_probe_argN`, None where gdb has no such, then by what the note says."""
    need("gdb-multiarch")
    socket = str(path) + ".sock"
    found = notes(path)
    job = {
        "socket": socket,
        "semaphores": sorted({note.semaphore for note in found} - {0}),
        "sites": {note.location: [note.name, note.args] for note in found},
        "gdb": MACHINES[name].gdb,
        "arm": MACHINES[name].qemu == "arm",
    }
    target = subprocess.Popen([qemu(name), "-g", socket, path],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 300
        while not os.path.exists(socket):
            assert target.poll() is None and time.monotonic() < end
            time.sleep(0.01)
        run = subprocess.run(
            ["timeout", "300", "gdb-multiarch", "-nx", "-batch", "-x",
             HERE / "read_values.py", path],
            env=dict(os.environ, FORMS=json.dumps(job)), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
    finally:
        target.kill()
        target.wait()
    lines = re.findall(r"^FORMS (.*)$", run.stdout, re.M)
    assert lines, run.stdout
    return json.loads(lines[0])


def bits(layout, number):
    """A floating-point number as the integer that its bytes are."""
    return int.from_bytes(struct.pack(">" + layout, number), "big")
