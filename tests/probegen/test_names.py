# SPDX-License-Identifier: BSD-2-Clause
"""Unusual names of files: names that are not UTF-8, and names with blanks or
with characters that mean something to make and ninja."""

import os
import re
import subprocess
import time

import pytest

from probegen_tool import run_bytes

from probegen import emit
from programs import which

BYTES = b"caf\xe9 \xff"
GOOD = "provider a {\n\tprobe event(int x);\n};\n"
# names that a rule can have; ninja does not accept a rule with a quote or `&`,
# even if gcc wrote it
ODD = ["a b", "a#b", "a$b", "a$(b)", "a:b", "a\\b", "a\\ b", "a\\\\ b", "#a",
       "a,b", "{a}", "ab\\", "caf\udce9"]
FOR_MAKE = ["a'b", 'a"b', "a&b"]


def probegen(folder, *args, **options):
    """Runs `probegen ARGS` in a directory, with its output as bytes."""
    return run_bytes(*args, cwd=folder, **options)


@pytest.fixture
def folder(tmp_path):
    """Returns a directory with a description whose name is not UTF-8. It
    includes a file whose name and directory are not UTF-8 either."""
    os.mkdir(os.fsencode(tmp_path) + b"/" + BYTES)
    for name, text in ((BYTES + b".d", GOOD), (
            BYTES + b"/" + BYTES + b".h", "#define NAME event\n")):
        with open(os.fsencode(tmp_path) + b"/" + name, "w") as file:
            file.write(text)
    return tmp_path


@pytest.mark.parametrize("form", sorted(emit.FORMATS))
def test_every_output_of_such_a_name(folder, form):
    """The output is UTF-8, whatever the name of the description is."""
    result = probegen(folder, "--emit", form, os.fsdecode(BYTES + b".d"))
    assert (result.returncode, result.stderr) == (0, b"")
    name = BYTES + emit.FORMATS[form].suffix.encode()
    with open(os.fsencode(folder) + b"/" + name, "rb") as file:
        data = file.read()
    if form == "depfile":
        assert data == b"caf\xe9\\ \xff.h: caf\xe9\\ \xff.d\n"
    elif form != "object":
        assert "caf? ?" in data.decode("utf-8")


def test_such_names_everywhere(folder):
    """Such names are used with -I, -o and --depfile, and by a linemarker."""
    name = os.fsdecode(BYTES)
    (folder / "in.d").write_text('#include "%s.h"\n'
                                 'provider a { probe NAME(); };'
                               % name, errors="surrogateescape")
    result = probegen(folder, "-C", "-I", name, "-h", "-s", "in.d", "-o",
                      name + "/out.h", "--depfile", name + "/dep")
    assert (result.returncode, result.stderr) == (0, b"")
    with open(os.fsencode(folder) + b"/" + BYTES + b"/dep", "rb") as file:
        rule = file.read().replace(b"\\ ", b"?").replace(b"\\\n", b"").split()
    odd = BYTES.replace(b" ", b"?")
    assert rule[0] == odd + b"/out.h:" and rule[1] == b"in.d"
    assert odd + b"/" + odd + b".h" in rule


@pytest.mark.parametrize("cpp", ["cpp", "clang -E"])
@pytest.mark.parametrize("name", ["a b", 'a"b', "a\\b", "caf\udce9", "café"])
def test_fault_in_a_file_that_a_linemarker_names(tmp_path, name, cpp):
    """gcc and clang escape such names in different ways."""
    if not which(cpp.split()[0]):
        pytest.skip("no " + cpp)
    (tmp_path / (name + ".h")).write_text("\tprobe order(int id,,);\n")
    text = 'provider a {\n#include <%s.h>\n};\n' % name
    (tmp_path / "in.d").write_text(text, errors="surrogateescape")
    result = probegen(tmp_path, "-C", "-I.", "-h", "-s", "in.d",
                      env=dict(os.environ, CPP=cpp))
    assert result.returncode == 1
    assert re.match(rb"(\./)?" + re.escape(os.fsencode(name))
                    + rb"\.h:1:21: error UNEXPECTED_TOKEN", result.stderr)


# -------------------------------------------------------------- rules for make

def new_to_make(folder):
    (folder / "Makefile").write_text("%.h:\n\t@:\ninclude rule\n")
    target = target_of(folder)
    return subprocess.run(["make", "-q", "--", target], cwd=folder,
                          stderr=subprocess.PIPE).returncode == 0


def target_of(folder):
    return next(name for name in os.listdir(folder) if name.endswith(".h"))


def new_to_ninja(folder):
    """Returns whether ninja finds the output up to date. The rule is a
    generator's, because ninja makes the output of any other rule anew if its
    log does not have it."""
    target = re.sub(r"([ $:])", r"$\1", target_of(folder))
    (folder / "build.ninja").write_text(
        "rule probegen\n  command = :\n  depfile = rule\n"
        "  generator = 1\n"
        "build %s: probegen\n" % target, errors="surrogateescape")
    out = subprocess.run(["ninja", "-d", "explain", "-n"], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert out.returncode == 0, out.stdout
    return b"ninja: no work to do" in out.stdout


USUAL = {new_to_make: ["a b", "a$(b)", "a\\ b", "#a", "a'b", "caf\udce9"],
         new_to_ninja: ["a b", "a$b", "a:b"]}


@pytest.mark.parametrize("name,is_new", [
    pytest.param(name, is_new, id=name + is_new.__name__,
                 marks=[] if name in USUAL[is_new] else pytest.mark.thorough)
    for is_new, names in ((new_to_make, ODD + FOR_MAKE), (new_to_ninja, ODD))
    for name in names])
def test_make_and_ninja_read_the_rule(tmp_path, name, is_new):
    """They find the output up to date at first, and out of date when the
    description or an included file is newer."""
    (tmp_path / (name + ".d")).write_text(
        '#include <%s_>\nprovider a { probe event(); };\n' % name,
        errors="surrogateescape")
    (tmp_path / (name + "_")).write_text("/* empty */\n")
    result = probegen(tmp_path, "-C", "-I.", name + ".d", "--depfile", "rule",
                      "-Wno-all")
    assert (result.returncode, result.stderr) == (0, b"")
    later = time.time() + 1000      # newer than the system's headers
    for path in tmp_path.iterdir():
        os.utime(path, (later, later))
    assert is_new(tmp_path)
    for changed in ".d", "_":
        os.utime(tmp_path / (name + changed), (later, later + 1))
        assert not is_new(tmp_path)
        os.utime(tmp_path / (name + changed), (later, later))
        assert is_new(tmp_path)


@pytest.mark.parametrize("name", ["a\nb.d", "a\rb.d", "a\tb.d", "a\\#b.d", "a\\:b.d",
                                  "ab\\"])
@pytest.mark.parametrize("args", [
    ["-o", "x.h", "--depfile", "rule"], ["--emit", "depfile", "-o", "x.h"]])
def test_what_no_rule_can_name(tmp_path, name, args):
    (tmp_path / name).write_text(GOOD)
    (tmp_path / "x.h").write_text("old\n")
    result = probegen(tmp_path, name, *args)
    assert result.returncode == 1
    assert b": error UNWRITABLE: make cannot read this name" in result.stderr
    assert sorted(os.listdir(tmp_path)) == sorted([name, "x.h"])
    assert (tmp_path / "x.h").read_text() == "old\n"


def test_rule_of_several_files(tmp_path):
    """--emit depfile names the header as probegen would."""
    for name in "one", "two":
        (tmp_path / (name + ".d")).write_text(GOOD.replace("a", name, 1))
    (tmp_path / "one.d").write_text("provider one { probe event(); };\n")
    (tmp_path / "two.d").write_text("provider two { probe event(); };\n")
    result = probegen(tmp_path, "--emit", "depfile", "one.d", "two.d", "-o",
                      "-")
    assert result.stdout == b"one.h: one.d \\\n  two.d\n"
