# SPDX-License-Identifier: BSD-2-Clause
"""Ways to build the program of forms: which there are, which of them a run
takes, and how one is built.

A build takes a level of each factor. All of them are thousands, so a run takes
builds that have each level somewhere (ones), in which any two levels meet
(pairs), any three (triples), or all. Nearly every defect of compilers and
linkers needs no more than two.
"""

import functools
import itertools
import os
import pathlib
import re
import shutil
import subprocess

from programs import has_sys_sdt, which

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("SDTKIT_SOURCE", HERE.parent.parent))
SOURCES = ["integers.c", "pointers.c", "functions.c", "counts.c", "classes.c"]
PYTHON = "/usr/bin/python3"     # what Debian's packages are for
DTRACE = "/usr/bin/dtrace"      # systemtap's, beside <sys/sdt.h>

# factor -> level -> flags; the first level is the plain one
FACTORS = {
    "compiler": {
        "gcc": ["gcc"],
        "g++": ["g++", "-xc++"],
        "clang": ["clang"],
        "clang++": ["clang++", "-xc++"],
    },
    "optimise": {
        level: [level] for level in
        ("-O2", "-O0", "-O1", "-O3", "-Os", "-Og")
    },
    "object": {
        "PIE": ["-fPIE", "-pie"],
        "no PIE": ["-fno-pie", "-no-pie"],
        "static PIE": ["-fPIE", "-static-pie"],
        "shared library": ["-fPIC"],
    },
    "lto": {"": [], "LTO": ["-flto"]},
    "sections": {
        "": [],
        "gc": ["-ffunction-sections", "-fdata-sections",
               "-Wl,--gc-sections"],
    },
    "cf": {"": [], "CET": ["-fcf-protection=full"]},
    "frame": {
        "": [],
        "no fp": ["-fomit-frame-pointer"],
        "fp": ["-fno-omit-frame-pointer"],
    },
    "sanitizer": {
        "": [],
        "ASan": ["-fsanitize=address,undefined"],
    },
    "nop": {"": [], "one nop": ["-DSDTKIT_NOP=nop"]},
}
PLAIN = {factor: next(iter(levels)) for factor, levels in FACTORS.items()}


def possible(build):
    """Sanitizers do not exist for static programs."""
    return not (build["sanitizer"] and build["object"] == "static PIE")


def name(build):
    """gcc -O2 PIE LTO"""
    return " ".join(level for level in build.values() if level)


def everything():
    for levels in itertools.product(*FACTORS.values()):
        build = dict(zip(FACTORS, levels))
        if possible(build):
            yield build


def meetings(build, strength):
    """The combinations of so many levels that meet in a build."""
    return set(itertools.combinations(build.items(), strength))


@functools.lru_cache(maxsize=None)
def covering(strength):
    """Builds in which any ``strength`` levels meet that can, found greedily;
    the same ones each time. The first is the plain one."""
    every = list(everything())
    meet = [meetings(build, strength) for build in every]
    wanted = set().union(*meet)
    chosen = []
    while wanted:
        best = max(range(len(every)), key=lambda i: len(meet[i] & wanted))
        wanted -= meet[best]
        chosen.append(every[best])
    return chosen


class Program:
    """The program of forms as one build made it: ``probes`` is the file that
    they are in, ``left_out`` are the forms that the compiler did not take."""

    def __init__(self, folder, probes, left_out):
        self.folder = folder
        self.probes = folder / probes
        self.left_out = left_out
        self.report = folder / "report"
        self.structs = None
        self.command = [str(folder / "main"), str(self.report)]

    def told(self):
        """{(probe, index): address} of its last run."""
        rows = (line.split() for line in self.report.read_text().splitlines())
        return {(probe, int(index)): int(address)
                for probe, index, address in rows}

    def operands(self):
        """[(probe, its operands), ...], a site each, as its notes have them."""
        said = must(self.folder, ["readelf", "-nW", self.probes])
        return [(probe, arguments.split()) for probe, arguments in re.findall(
            r"Provider: form\n +Name: (\w+)\n.*\n +Arguments:(.*)", said)]


def run(folder, command):
    """(exit status, what was said) of a command in ``folder``."""
    done = subprocess.run([str(word) for word in command], cwd=str(folder),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    return done.returncode, done.stdout


def must(folder, command):
    status, said = run(folder, command)
    if status:
        raise AssertionError("%s: %s" % (" ".join(map(str, command)), said))
    return said


def native(folder):
    """The header that probegen makes; flags for the compiler, and objects."""
    must(folder, [PYTHON, SOURCE / "probegen", "-s", HERE / "form.d",
                  "-o", "form_probes.h"])
    return [], []


def sys_sdt(folder):
    """What systemtap's dtrace makes: a header and an object with semaphores.
    It cannot read the type of a function; types mean nothing to it anyway."""
    text = re.sub(r"int \(\*(\w)\)\(int\)", r"void *\1",
                  (HERE / "form.d").read_text())
    (folder / "form.d").write_text(text)
    for form, output in ("-h", "form_probes.h"), ("-G", "semaphores.o"):
        must(folder, [DTRACE, form, "-s", "form.d", "-o", output])
    return ["-DFORM_SYS_SDT"], ["-xnone", "semaphores.o"]


def over_sys_sdt(folder):
    """The header that probegen makes, with the sites of <sys/sdt.h>."""
    flags, objects = native(folder)
    return flags + ["-DSDTKIT_USE_SYS_SDT"], objects


def own_sys_sdt(folder):
    """The drop-in header of probegen with our own <sys/sdt.h>."""
    must(folder, [PYTHON, SOURCE / "probegen", "-h", "-s", HERE / "form.d",
                  "-o", "form_probes.h"])
    return ["-DFORM_SYS_SDT", "-I", SOURCE / "include/sdtkit/sdt"], []


def over_own_sys_sdt(folder):
    """SDTKIT_USE_SYS_SDT with our own <sys/sdt.h>."""
    flags, objects = over_sys_sdt(folder)
    return flags + ["-I", SOURCE / "include/sdtkit/sdt"], objects


HEADERS = {"sdtkit": native, "sys/sdt.h": sys_sdt,
           "SDTKIT_USE_SYS_SDT": over_sys_sdt,
           "own sys/sdt.h": own_sys_sdt,
           "SDTKIT_USE_SYS_SDT, own sys/sdt.h": over_own_sys_sdt}
# what systemtap-sdt-dev is needed for
SYSTEMTAP = {"sys/sdt.h", "SDTKIT_USE_SYS_SDT"}


def lacks(header):
    """Why there can be no program with this header here; None if there can."""
    if header in SYSTEMTAP and not (has_sys_sdt() and os.path.exists(DTRACE)):
        return "<sys/sdt.h> is not installed (package systemtap-sdt-dev)"
    for compiler in FACTORS["compiler"]:
        if not which(compiler):
            return compiler + " is not installed"
    return None


def make(folder, build, header="sdtkit"):
    """Builds the program in ``folder``, without the forms that the compiler
    refuses."""
    defines, objects = HEADERS[header](folder)
    command = [word for factor, level in build.items()
               for word in FACTORS[factor][level]]
    command += ["-w", *defines, "-I.", "-I", HERE, "-I", SOURCE / "include"]
    for source in SOURCES + ["main.c"]:
        shutil.copy(str(HERE / source), str(folder))
    left_out = set()
    while True:
        said = compile_program(folder, command, objects, build["object"])
        if not said:
            break
        refused = refused_forms(folder, said) - left_out
        if not refused:
            raise AssertionError("%s: %s" % (name(build), said))
        left_out |= refused
    return Program(folder, "libform.so" if build["object"] == "shared library"
                   else "main", left_out)


def compile_program(folder, command, objects, kind):
    """What the compiler complains of, "" if it made the program."""
    sources = SOURCES
    if kind == "shared library":
        status, said = run(folder, [*command, "-shared", "-o", "libform.so",
                                    *SOURCES, *objects])
        if status:
            return said
        sources = []
        objects = ["-xnone", "libform.so", "-Wl,-rpath," + str(folder)]
    status, said = run(folder, [*command, "-o", "main", "main.c", *sources,
                                *objects])
    return said if status else ""


def refused_forms(folder, said):
    """Takes the forms that errors point at out of the copied sources; their
    names. gcc may point at the definition of the macro in the header."""
    found = set()
    macros = (folder / "form_probes.h").read_text().split("\n")
    for path, line in re.findall(r"^(?:\S*/)?(\S+?):(\d+):.* error:", said,
                                  re.M):
        if path == "form_probes.h":
            found.add(re.findall(r"#define FORM_(\w+)\(",
                                 "\n".join(macros[:int(line)]))[-1])
        elif path in SOURCES:
            found |= fired_at((folder / path).read_text(), int(line))
    for source in SOURCES:
        path = folder / source
        text = path.read_text()
        for macro in found:
            text = re.sub(r"FIRE\(%s,.*?\);" % macro, ";", text, flags=re.S)
        path.write_text(text)
    return {macro.lower() for macro in found}


def fired_at(text, line):
    """The form whose FIRE() statement covers a line."""
    return {found[1] for found in re.finditer(r"FIRE\((\w+).*?\);", text, re.S)
            if text.count("\n", 0, found.start()) + 1 <= line
            <= text.count("\n", 0, found.end()) + 1}
