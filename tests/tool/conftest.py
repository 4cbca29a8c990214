# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of the sdtkit command share: running the command, and
compiling programs with probes in many forms. To add a form, add a row to
FORMS."""

import json
import pathlib
import shutil
import subprocess

import pytest

from programs import ALL, which

ROOT = pathlib.Path(__file__).resolve().parents[2]

SOURCE = """
#include <sys/sdt.h>

#define SEMAPHORE(name) __extension__ unsigned short name \\
	__attribute__((section(".probes"), visibility("hidden"), used))

#ifdef _SDT_HAS_SEMAPHORES
SEMAPHORE(demo_none_semaphore);
SEMAPHORE(demo_many_semaphore);
SEMAPHORE(other_real_semaphore);
#endif

int global;
static short table[8];

__attribute__((noinline))
void work(long id, const char *name, unsigned char small, double real);

void work(long id, const char *name, unsigned char small, double real)
{
	DTRACE_PROBE(demo, none);
	DTRACE_PROBE4(demo, many, id, name, small, table[id & 7]);
	if (global)
		DTRACE_PROBE4(demo, many, id + 1, name, small, global);
	DTRACE_PROBE2(other, real, real, 5);
	DTRACE_PROBE1(demo, many, (unsigned short)id);
}

#ifndef SHARED
int main(int argc, char **argv)
{
	work(argc, argv[0], (unsigned char)argc, 1.5);
	return 0;
}
#endif
"""

BARE = ["-DSHARED", "-ffreestanding", "-nostdlib", "-shared", "-fPIC"]

# name: compiler, its arguments, command to run on the result
FORMS = {
    "pie": ("gcc", ["-O2", "-fPIE", "-pie"], None),
    "no-pie": ("gcc", ["-O2", "-fno-pie", "-no-pie"], None),
    "not-optimised": ("gcc", ["-O0"], None),
    "static": ("gcc", ["-O2", "-static"], None),
    "shared": ("gcc", ["-O2", "-DSHARED", "-shared", "-fPIC"], None),
    "clang": ("clang", ["-O2"], None),
    "lld": ("clang", ["-O2", "-fuse-ld=lld"], None),
    "gc-sections": ("gcc", ["-O2", "-ffunction-sections",
                            "-Wl,--gc-sections"], None),
    "semaphores": ("gcc", ["-O2", "-D_SDT_HAS_SEMAPHORES"], None),
    "semaphores-lld": ("clang", ["-O2", "-D_SDT_HAS_SEMAPHORES",
                                 "-fuse-ld=lld"], None),
    "stripped": ("gcc", ["-O2", "-D_SDT_HAS_SEMAPHORES"], ["strip", "-s"]),
    "llvm-stripped": ("gcc", ["-O2"], ["llvm-strip", "--strip-all-gnu"]),
    "debug-file": ("gcc", ["-O2", "-g", "-D_SDT_HAS_SEMAPHORES"],
                   ["objcopy", "--only-keep-debug"]),
    "object": ("gcc", ["-O2", "-D_SDT_HAS_SEMAPHORES", "-c"], None),
    "32-bit": ("gcc", ["-m32", "-O2", "-D_SDT_HAS_SEMAPHORES"] + BARE, None),
    "aarch64": ("aarch64-linux-gnu-gcc",
                ["-O2", "-D_SDT_HAS_SEMAPHORES"] + BARE, None),
    "aarch64-not-optimised": ("aarch64-linux-gnu-gcc", ["-O0"] + BARE, None),
    "aarch64-big-endian": ("aarch64-linux-gnu-gcc",
                           ["-mbig-endian", "-O2", "-D_SDT_HAS_SEMAPHORES"]
                           + BARE, None),
}


@pytest.fixture
def sdtkit(build):
    """sdtkit(arg...): runs the command; .returncode, .stdout, .stderr."""
    def run(*args, **options):
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(
            [str(build / "lib" / "tool" / "sdtkit")] + [str(a) for a in args],
            stderr=subprocess.PIPE, universal_newlines=True, timeout=300,
            **options)
    return run


@pytest.fixture(scope="session")
def sdt_include(tmp_path_factory, unavailable):
    """Returns a directory with <sys/sdt.h> only, which cross compilers accept
    as well: that of SystemTap with --all, else ours."""
    if not ALL:
        return ROOT / "include/sdtkit/sdt"
    done = subprocess.run(["gcc", "-M", "-x", "c", "-"], input=SOURCE,
                          capture_output=True, text=True)
    if done.returncode != 0:
        unavailable("<sys/sdt.h> (systemtap-sdt-dev) is missing")
    directory = tmp_path_factory.mktemp("include")
    (directory / "sys").mkdir()
    for word in done.stdout.split():
        if pathlib.Path(word).name in ("sdt.h", "sdt-config.h"):
            shutil.copy(word, str(directory / "sys"))
    return directory


@pytest.fixture
def compiled(tmp_path, forms):
    """compiled(form): the path of a program in a form of FORMS, which the test
    may change."""
    return lambda form: shutil.copy(forms(form), tmp_path / form)


@pytest.fixture(scope="session")
def forms(tmp_path_factory, sdt_include, unavailable):
    """Makes each form once."""
    folder = tmp_path_factory.mktemp("forms")

    def compile_form(form):
        compiler, args, after = FORMS[form]
        if which(compiler) is None:
            unavailable(compiler + " is missing")
        if after and which(after[0]) is None:
            pytest.skip(after[0] + " is missing")
        source, out = folder / "program.c", folder / form
        if out.exists():
            return out
        source.write_text(SOURCE)
        done = subprocess.run([compiler] + args + [
            "-idirafter" if ALL else "-I", str(sdt_include), str(source),
            "-o", str(out)])
        if done.returncode != 0 and "-m32" in args:
            pytest.skip("no -m32 here")
        assert done.returncode == 0
        if after:
            subprocess.run(after + [str(out)], check=True)
        return out
    return compile_form


def note(provider, probe, arguments, semaphore=0):
    """Returns the assembly of a note in .note.stapsdt, with 64-bit
    addresses."""
    return "\n".join([
        '.pushsection .note.stapsdt, "", "note"', ".balign 4",
        ".4byte 8, 2f-1f, 3", '.asciz "stapsdt"',
        "1: .8byte 0, 0, %s" % semaphore,
        '.asciz "%s"' % provider, '.asciz "%s"' % probe,
        '.asciz "%s"' % arguments, "2: .balign 4", ".popsection", ""])


def description(provider, probe, summary, *arguments):
    """Returns the assembly of a description in .note.sdtkit; an argument is
    (wire, type, name)."""
    strings = [provider, probe, summary] + [s for a in arguments for s in a]
    return "\n".join([
        '.pushsection .note.sdtkit, "", "note"', ".balign 4",
        ".4byte 7, 2f-1f, 1", '.asciz "sdtkit"', ".balign 4", "1:"] +
        ['.asciz "%s"' % s for s in strings] + ["2: .balign 4",
                                                ".popsection", ""])


def names(provider, enum, rows, *enumerators):
    """A note of .note.sdtkit with names of values; a row is (type, name), an
    enumerator (value, name)."""
    return description(provider, enum, len(rows), *rows,
                       *enumerators).replace("2f-1f, 1", "2f-1f, 4")


def span(provider, name, summary, *properties):
    """A note of .note.sdtkit with a span; a property is (name, value)."""
    return description(provider, name, summary, *properties).replace(
        "2f-1f, 1", "2f-1f, 5")


def comments(provider, probe, first, *others):
    """Returns the assembly of a note in .note.sdtkit with the comments of
    arguments."""
    return description(provider, probe, first, others).replace(
        "2f-1f, 1", "2f-1f, 3")


@pytest.fixture
def assembled(tmp_path):
    """assembled(note...): a shared library with these notes. A note is
    (provider, probe, arguments), as text for the assembler, and the address of
    a semaphore if it has one, or a string of assembly."""
    def assemble(*notes):
        source = tmp_path / "notes.s"
        source.write_text("".join(
            n if isinstance(n, str) else note(*n) for n in notes))
        out = tmp_path / "notes.so"
        subprocess.run(["gcc", "-nostdlib", "-shared", str(source), "-o",
                        str(out)], check=True)
        return out
    return assemble


@pytest.fixture
def valid(source):
    """valid(name, text): parses JSON, which must match
    docs/NAME.schema.json."""
    jsonschema = pytest.importorskip("jsonschema")

    def load(name, text):
        schema = json.loads(
            (source / "docs" / (name + ".schema.json")).read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        data = json.loads(text)
        jsonschema.validate(data, closed(schema))
        return data
    return load


def closed(schema):
    """Returns the schema, changed so that members which it does not name are
    errors. Readers have to ignore unknown members, but all have to be
    documented."""
    if isinstance(schema, dict):
        schema = {key: closed(value) for key, value in schema.items()}
        if "properties" in schema:
            schema["additionalProperties"] = False
    return schema
