# SPDX-License-Identifier: BSD-2-Clause
"""The program of program/store.d in the forms that a server's probes come in:
a row of FORMS each, one line to add another."""

import collections
import json
import os
import pathlib
import re
import subprocess

import tracers

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("SDTKIT_SOURCE", HERE.parent.parent))
PYTHON = "/usr/bin/python3"     # what Debian's packages are for
PROGRAM = HERE / "program"
RECORD = "store_request"

# library: how the probes come to the program; strip: whether they have had
# everything taken away that a program does not need to run; flags: for the
# compiler. The last one has one nop at a site: every tracer meets both kinds.
Form = collections.namedtuple("Form", "library strip flags")
FORMS = {
    "executable": Form(None, False, ()),
    "stripped executable": Form(None, True, ()),
    "shared library": Form("linked", False, ()),
    "dlopened, stripped library": Form("opened", True, ("-DSDTKIT_NOP=nop",)),
}
# What tracers read whose probes the kernel keeps, unless all is wanted: an
# executable and a library, one of them stripped
FEW = ("executable", "dlopened, stripped library")


class Program:
    """The program as one form of it was built: see tracers/__init__.py."""

    def __init__(self, folder, form, aliases=True):
        self.folder = folder
        self.aliases = aliases
        self.probes = folder / ("libstore.so" if form.library else "main")
        self.report = folder / "report"
        self.command = [str(folder / "main"), str(self.report)]
        self.structs = folder / "store2-structs.h"
        self.members = members(folder)

    def told(self):
        """{(probe, index): address} of its last run."""
        rows = (line.split() for line in self.report.read_text().splitlines())
        return {(probe, int(index)): int(address)
                for probe, index, address in rows}


def must(folder, command):
    done = subprocess.run([str(word) for word in command], cwd=str(folder),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    assert done.returncode == 0, "%s: %s" % (command, done.stdout)
    return done.stdout


def generate(folder, aliases):
    """What probegen makes of the description."""
    text = (PROGRAM / "store.d").read_text()
    (folder / "store.d").write_text(text if aliases else re.sub(
        "^#pragma sdtkit alias.*", "", text, flags=re.M))
    for output, name in ("header", "store2.h"), ("json", "store2.json"), (
            "bpftrace-structs", "store2-structs.h"):
        must(folder, [PYTHON, SOURCE / "probegen", "--emit", output,
                      "store.d", "-o", name])


def members(folder):
    """The Members of the record, out of the manifest."""
    manifest = json.loads((folder / "store2.json").read_text())
    record, = (one for one in manifest["records"] if one["name"] == RECORD)
    return [tracers.Member(RECORD, row["name"], row["offset"], row["size"],
                           row["wire"].startswith("s"))
            for row in record["members"]]


def make(folder, form, aliases=True, compiler=("gcc",), strip="strip"):
    """Builds a form in ``folder``."""
    generate(folder, aliases)
    compiler = [*compiler, "-g", "-O2", "-Wall", "-Wextra", "-Werror",
                "-DSDTKIT_ARG_INLINE", *form.flags, "-I.", "-I", PROGRAM, "-I",
                SOURCE / "include"]
    sources = [PROGRAM / "store.c"]
    if form.library:
        must(folder, [*compiler, "-fPIC", "-shared", *sources, "-o",
                      "libstore.so"])
        sources = ["libstore.so", "-Wl,-rpath,$ORIGIN"]
    if form.library == "opened":
        sources = ['-DSTORE_LIBRARY="libstore.so"', "-Wl,-rpath,$ORIGIN"]
    must(folder, [*compiler, PROGRAM / "main.c", *sources, "-o", "main"])
    program = Program(folder, form, aliases)
    if form.strip:
        must(folder, [strip, "--strip-all", program.probes])
    return program
