# SPDX-License-Identifier: BSD-2-Clause
"""Our headers by many compilers: which of them compile the programs of
tests/probe, tests/arch, tests/arg and tests/sdt, with which options, and
whether the notes and the values are right.

    SDTKIT_COMPILERS=/bullseye:/trixie compilers.py [gcc-9 ...]

runs those of this machine and of the directories, in each of which a Debian is
(debootstrap --variant=minbase, then apt-get install gcc-9 clang-11 ...), and
writes compilers.json. test_compilers.py makes the table of docs/compilers.md
of it, and runs the compilers of this machine.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
for room in TESTS, TESTS / "arch":
    if str(room) not in sys.path:
        sys.path.append(str(room))

from arch import arch_tool, test_values     # noqa: E402
from arg import arg_tool                    # noqa: E402
from probe import probe_tool                # noqa: E402

SOURCE = TESTS.parent
RESULTS = HERE / "compilers.json"
LIMIT = 300
FORMS = {
    "-O0": ["-O0"],
    "-O2": ["-O2"],
    "-O3": ["-O3"],
    "-g": ["-g", "-O1"],
    "-fPIC": ["-O2", "-fPIC"],
    "-flto": ["-O2", "-flto"],
    "-mcmodel=large": ["-O2", "-mcmodel=large", "-fno-pie"],
    "-fno-plt": ["-O2", "-fno-plt"],
    "-fcf-protection": ["-O2", "-fcf-protection=full", "-mshstk"],
    "-fhardened": ["-O2", "-fhardened"],
    "-m32": ["-O2", "-m32"],
    "-mx32": ["-O2", "-mx32"],
}
# where the words have 32 bits: as tests/machines calls it, if it can run
MACHINES = {"-m32": "i386", "-mx32": None}
EMPTY = "#include <stdio.h>\nint main(void) { return 0; }\n"

# root: "/" or the directory of another Debian; name: gcc-9; system: Debian 11
Compiler = namedtuple("Compiler", "root name version system")


class Wrong(Exception):
    """A program was not made, or is not as it should be."""


def roots():
    return ["/", *filter(None, os.environ.get("SDTKIT_COMPILERS", "")
                         .split(":"))]


def command(root, *words):
    return [*(["chroot", root] if root != "/" else []),
            *(str(word) for word in words)]


def said(*words, **options):
    done = subprocess.run([str(word) for word in words], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=LIMIT, **options)
    if done.returncode:
        lines = [line for line in done.stdout.split("\n")
                 if "error" in line] or done.stdout.split("\n")
        raise Wrong("%s: %s" % (os.path.basename(str(words[0])), lines[0]))
    return done.stdout


def compilers():
    """All gcc-N and clang-N; where two Debians have one, the first's."""
    found = {}
    for root in roots():
        system = re.search(r'^PRETTY_NAME="([^" ]+ )GNU/Linux (\d+)',
                           (pathlib.Path(root) / "etc/os-release").read_text(),
                           re.M)
        for path in sorted((pathlib.Path(root) / "usr/bin").iterdir()):
            if not re.match(r"(gcc|clang)-\d+$", path.name):
                continue
            line = said(*command(root, path.name, "--version")).split("\n")[0]
            found.setdefault(path.name, Compiler(
                root, path.name, re.findall(r"\d+\.\d+\.\d+", line)[0],
                system[1] + system[2] if system else "?"))
    return sorted(found.values(),
                  key=lambda c: (c.name[0] == "c",
                                 [int(n) for n in c.version.split(".")]))


class Workshop:
    """A directory that the compiler sees, with all sources and headers."""

    def __init__(self, compiler):
        self.compiler = compiler
        self.root = compiler.root
        self.path = pathlib.Path(tempfile.mkdtemp(
            prefix="sdtkit-", dir=os.path.join(self.root, "tmp")))
        self.inside = "/" / self.path.relative_to(self.root)
        shutil.copytree(SOURCE / "include", self.path / "include")
        for room in "probe", "arch", "arg", "sdt":
            shutil.copytree(TESTS / room, self.path / room)
        probe_tool.generate(self.path)
        for name in ("forms.h",):
            shutil.copy(str(arch_tool.workshop() / "native" / name),
                        str(self.path))
        (self.path / "every.h").write_text(arg_tool.every_header())
        (self.path / "empty.c").write_text(EMPTY)

    def close(self):
        shutil.rmtree(str(self.path))

    def make(self, output, source, *flags):
        said(*command(self.root, "env", "-C", self.inside, self.compiler.name,
                      "-I", ".", "-I", "include", *flags, source, "-o",
                      output))
        return self.path / output

    def lacks(self, flags):
        """Why the compiler cannot make any program with these options."""
        try:
            self.make("empty", "empty.c", *flags, "-static")
        except Wrong as wrong:
            text = str(wrong)
            if "unrecognized" in text or "unknown argument" in text or \
                    "unsupported" in text:
                return "no option"
            return "no C library" if flags[-1] in MACHINES else "no linker"
        return None


def types(path):
    """probe -> the types of its arguments, each the word before the @"""
    return sorted({(note.provider, note.name,
                    tuple(arg.split("@")[0] for arg in note.args))
                   for note in arch_tool.notes(path)})


def probe(shop, flags, machine):
    """The program of tests/probe, which checks itself, without a warning."""
    program = shop.make("evaluate", "probe/evaluate.c", *probe_tool.WARNINGS,
                        *flags, "-static")
    if machine is not None:
        said(*arch_tool.runner(machine), program)
    names = {note.name for note in probe_tool.notes(program)}
    if names != {"none", "pair", "count"}:
        raise Wrong("the probes of tests/probe are " + ", ".join(names))


def values(shop, flags, machine):
    """The values of tests/arch, as gdb reads them."""
    program = shop.make("forms", "arch/forms.c", *flags, "-static")
    if machine is None:
        return
    found = arch_tool.read_values(machine, program)
    if found.pop("strings") != ["written", "literal"]:
        raise Wrong("strings of tests/arch")
    word = arch_tool.MACHINES[machine].word
    for name, row in test_values.expected(word).items():
        for (by_gdb, by_note), right in zip(found[name], row):
            if right is not None and {by_gdb, by_note} != {right}:
                raise Wrong("%s is read as %d and %d, not %d" % (
                    name, by_gdb, by_note, right))


def arg(shop, flags, _machine):
    """The types of tests/arg."""
    return types(shop.make("arg.out", "arg/values.c", "-DSDTKIT_ARG_INLINE",
                           *flags, "-static"))


def sdt(shop, flags, _machine):
    """The types of tests/sdt, by our <sys/sdt.h>."""
    return types(shop.make("sdt.out", "sdt/values.c", "-I",
                           "include/sdtkit/sdt", *flags, "-static"))


def run_form(shop, form, reference):
    """What is found of one compiler with one set of options."""
    flags = FORMS[form]
    lacks = shop.lacks(flags)
    if lacks:
        return lacks
    machine = MACHINES.get(form, "x86-64")
    try:
        for check in probe, values, arg, sdt:
            found = check(shop, flags, machine)
            # words of 32 bits have types of their own
            if found is None or form in MACHINES:
                continue
            if found != reference.setdefault(check.__name__, found):
                raise Wrong("the types of tests/%s differ" % check.__name__)
    except Wrong as wrong:
        return str(wrong)
    return "yes" if machine else "compiled"


def run_compiler(compiler, reference, forms=None):
    shop = Workshop(compiler)
    try:
        return {form: run_form(shop, form, reference)
                for form in forms or FORMS}
    finally:
        shop.close()


def main():
    reference = {}
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for compiler in compilers():
        if sys.argv[1:] and compiler.name not in sys.argv[1:]:
            continue
        print(compiler, flush=True)
        found = run_compiler(compiler, reference)
        for form, result in found.items():
            print("  %-18s %s" % (form, result), flush=True)
        results[compiler.name] = {"version": compiler.version,
                                  "system": compiler.system, "found": found}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
