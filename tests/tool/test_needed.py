# SPDX-License-Identifier: BSD-2-Clause
"""A program whose probes are in the libraries that it loads: every command
says where they are."""

import subprocess

import pytest

LIBRARY = """
#include <sys/sdt.h>
void %(name)s(int a);
void %(name)s(int a)
{
	DTRACE_PROBE1(%(provider)s, start, a);
	DTRACE_PROBE1(%(provider)s, stop, a);
	DTRACE_PROBE(%(provider)s, stop);
}
"""
MAIN = "void %(name)s(int a); int main(void) { %(name)s(1); return 0; }"


@pytest.fixture
def make(tmp_path, sdt_include):
    """make(folder, arg...): a program in it, and its library below."""
    def make(folder, *args, name="serve", provider="server"):
        names = {"name": name, "provider": provider}
        below = tmp_path / folder / "lib"
        below.mkdir(parents=True)
        (below / "library.c").write_text(LIBRARY % names)
        (below / "main.c").write_text(MAIN % names)
        subprocess.run(
            ["gcc", "-isystem", sdt_include, "-shared", "-fPIC", "library.c",
             "-o", "libserver.so"], cwd=below, check=True)
        subprocess.run(
            ["gcc", "main.c", "-L.", "-lserver", "-o", "../program", *args],
            cwd=below, check=True)
        return tmp_path / folder / "program"
    return make


HERE = "-Wl,-rpath,$ORIGIN/lib"


@pytest.mark.parametrize("words", [
    ["list"], ["check"], ["top"], ["bt", "-e", "server:start { }"]],
    ids=lambda words: words[0])
def test_every_command_says_where_they_are(sdtkit, make, words):
    program = make("one", HERE)
    library = "%s/lib/libserver.so" % program.parent
    done = sdtkit(*words, program, *["--width=0"] * (words == ["check"]))
    command = "bt -e SCRIPT" if words[0] == "bt" else words[0]
    assert done.returncode == (2 if words[0] in ("top", "bt") else 1)
    assert ("no probes: they are in libraries that it loads: %s (2 probes); "
            "try 'sdtkit %s %s'" % (library, command, library)
            ) in done.stdout + done.stderr


@pytest.mark.parametrize("words", [
    ["list"], ["top"], ["bt", "-e", "server:st* { }"]],
    ids=lambda words: words[0])
def test_a_pattern_for_a_library(sdtkit, make, words, sdt_include):
    """The program has other probes."""
    program = make("one", HERE)
    own = program.parent / "own"
    (own.parent / "own.c").write_text(
        "#include <sys/sdt.h>\nvoid serve(int a);\n"
        "int main(void) { DTRACE_PROBE(own, begin); serve(1); return 0; }")
    subprocess.run(["gcc", "-isystem", sdt_include, "own.c", "-Llib",
                    "-lserver", HERE, "-o", own], cwd=own.parent, check=True)
    done = sdtkit(*words, own, *["server:st*"] * (words[0] != "bt"))
    library = "%s/lib/libserver.so" % program.parent
    command = "bt -e SCRIPT" if words[0] == "bt" else words[0]
    assert done.returncode == (1 if words[0] == "list" else 2)
    assert ("%s: probes that match 'server:st*' are in libraries that it loads"
            ": %s (2 probes); try 'sdtkit %s %s'\n" % (
                own, library, command, library)) in done.stderr


@pytest.mark.parametrize("args", [
    ["-Wl,-rpath,${ORIGIN}/lib"], ["-Wl,-rpath,/none:$ORIGIN/lib"],
    ["-Wl,--disable-new-dtags", HERE]], ids=["braces", "several", "rpath"])
def test_search_paths(sdtkit, make, args):
    assert "libserver.so (2 probes)" in sdtkit("list", make(
        "one", *args)).stderr


def test_environment(sdtkit, make):
    program = make("one")
    done = sdtkit("list", program)
    assert done.stderr.endswith(
        "libserver.so, which it loads, was not found\n")
    done = sdtkit("list", program, env={
        "LD_LIBRARY_PATH": str(program.parent / "lib")})
    assert "lib/libserver.so (2 probes)" in done.stderr


def test_a_library_of_a_library(sdtkit, make, tmp_path):
    """Its own DT_RUNPATH finds it."""
    make("inner", HERE)
    middle, outer = tmp_path / "libmiddle.so", tmp_path / "outer"
    (tmp_path / "middle.c").write_text(
        "void serve(int a); void middle(int a); "
        "void middle(int a) { serve(a); }")
    (tmp_path / "outer.c").write_text(MAIN % {"name": "middle"})
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "middle.c", "-Linner/lib", "-lserver",
         "-Wl,-rpath,$ORIGIN/inner/lib", "-o", middle], cwd=tmp_path,
        check=True)
    subprocess.run(
        ["gcc", "outer.c", "-L.", "-lmiddle", "-Wl,-rpath,$ORIGIN",
         "-Wl,-rpath-link,inner/lib", "-o", outer], cwd=tmp_path, check=True)
    assert "/inner/lib/libserver.so (2 probes)" in sdtkit(
        "list", outer).stderr


def test_the_runtime_does_not_count(sdtkit, make):
    """All programs have its probes."""
    program = make("one", HERE, provider="libc")
    assert sdtkit("list", program).stderr.endswith(
        "built without any; the libraries that it loads have none but those of "
        "the C and C++ runtime\n")


def test_a_library_for_another_machine_is_passed_over(sdtkit, make):
    program = make("one", HERE)
    library = program.parent / "lib" / "libserver.so"
    image = bytearray(library.read_bytes())
    image[18:20] = bytes([183, 0])      # e_machine: aarch64
    library.write_bytes(image)
    assert "was not found" in sdtkit("list", program).stderr
