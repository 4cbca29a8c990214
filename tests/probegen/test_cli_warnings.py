# SPDX-License-Identifier: BSD-2-Clause
"""Errors and warnings of the command: switches, their order and numbers."""

import os
import re
import subprocess
import sys

import pytest

from probegen_tool import BAD, GOOD, PROBEGEN, SOURCE, run

from probegen import emit


def test_names_in_messages_come_out_as_they_went_in(tmp_path):
    name = b"\xe9\xff bad.d"
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
        file.write(BAD.encode())
    result = subprocess.run([sys.executable, PROBEGEN, name], cwd=tmp_path,
                            stderr=subprocess.PIPE,
                            env=dict(os.environ, LC_ALL="C"))
    assert result.returncode == 1
    assert result.stderr.startswith(name + b":2:14: error UNKNOWN_TYPE")


@pytest.mark.parametrize("switches,format,expected", [
    ([], "header", "warning"), ([], "dropin", None),
    (["-Wall"], "dropin", "warning"), (["-Wno-all"], "header", None),
    (["-Wno-provider-digit"], "header", None), (["-Werror"], "header", "error"),
    (["-Werror", "-Wno-provider-digit"], "header", None),
    (["-Werror"], "dropin", None), (["-Werror", "-Wall"], "dropin", "error"),
    (["-Werror=provider-digit"], "dropin", "error"),
    (["-Werror=perf-name"], "header", "warning"),
    (["-Werror", "-Wno-error=provider-digit"], "header", "warning")])
def test_warning_switches(switches, format, expected, tmp_path):
    path = tmp_path / "x.d"
    path.write_text("provider smb2 { probe event(int x); };")
    result = run(*switches, "--emit", format, path, "-o", "-")
    assert result.returncode == (1 if expected == "error" else 0)
    if expected:
        assert ": %s provider-digit: " % expected in result.stderr
    else:
        assert result.stderr == ""


def test_errors_are_shown_before_warnings():
    """They come first however many warnings there are, and wherever the
    warnings stand."""
    probes = "".join("probe a%d(double d);\n" % i for i in range(20))
    result = run("-", "-o", "-", input="provider a {\n%s"
                 "probe z1(NTSTATUS s);\n};\n" % probes)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith("<stdin>:22:10: error UNKNOWN_TYPE: ")
    assert result.stderr.count(": warning floating-point: ") == 19
    assert result.stderr.endswith("\nand 1 more warning\n")


def test_errors_and_warnings_are_counted_apart():
    probes = "".join("probe a%d(double d, Oid x);\n" % i for i in range(22))
    result = run("-", "-o", "-", input="provider a {\n%s};\n" % probes)
    assert result.stderr.count(": error UNKNOWN_TYPE: ") == 20
    assert ": warning " not in result.stderr
    assert result.stderr.endswith("\nand 2 more errors and 22 more warnings\n")


@pytest.mark.parametrize("args,code", [
    ("int x, int x", "DUPLICATE_ARGUMENT"), ("NTSTATUS s", "UNKNOWN_TYPE"),
    ("int x", None)])
def test_no_error_is_lost_behind_warnings(args, code):
    seven = ", ".join("int a%d" % i for i in range(7))
    probes = "".join("probe p%d(%s);\n" % (i, seven) for i in range(1200))
    result = run("-", "-o", "/dev/null", input="provider a {\n%s"
                 "probe z(%s);\n};\n" % (probes, args))
    assert result.returncode == (1 if code else 0)
    if code:
        assert result.stderr.startswith("<stdin>:1202:")
        assert ": error %s: " % code in result.stderr.split("\n")[0]
    assert re.search(r"\nand 118[01] more warnings\n\Z", result.stderr)


def test_errors_of_the_first_file_come_first(tmp_path):
    """The parser finds the error in the second file before resolve finds the
    one in the first file."""
    (tmp_path / "one.d").write_text("\n\n\nprovider a { probe b(Oid x); };")
    (tmp_path / "two.d").write_text("provider c { probe d( };")
    result = run("one.d", "two.d", "-o", "-", cwd=tmp_path)
    assert re.findall(r"^(\w+\.d):\d+:\d+: error", result.stderr, re.M) == [
        "one.d", "two.d"]


@pytest.mark.parametrize("line", [
    "#pragma sdtkit alias smb2 smb", "#pragma sdtkit nowarn provider-digit"])
def test_a_line_of_the_description_settles_a_warning(line):
    """The line that the hint names turns the warning off."""
    text = "provider smb2 { probe event(int x); };\n"
    assert line in run("-", "-o", "-", input=text).stderr
    result = run("-Wall", "-", "-o", "-", input=line + "\n" + text)
    assert result.returncode == 0 and result.stderr == ""


@pytest.mark.parametrize("options,warns", [
    ([], True), (["--emit", "standalone"], True), (["-h"], False),
    (["-h", "-Wall"], True), (["-Wno-dependency-file"], False)])
@pytest.mark.parametrize("name", ["server.c", "server.cc", "server.cpp",
                                  "server.cxx", "server.C", "server.h"])
def test_name_that_gcc_overwrites(name, options, warns, tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "server.d").write_text(GOOD)
    (tmp_path / "x" / name).write_text("")
    result = run(*options, "-s", "x/server.d", "-o", "out.h", cwd=tmp_path)
    assert result.returncode == 0
    said = ("x/server.d: warning dependency-file: ", "server_probes.d;")
    for text in said:
        assert (text in result.stderr) == (warns and name != "server.h")


def test_name_that_gcc_overwrites_is_settled(tmp_path):
    (tmp_path / "server.c").write_text("")
    (tmp_path / "server.d").write_text(
        "#pragma sdtkit nowarn dependency-file\n" + GOOD)
    assert run("server.d", cwd=tmp_path).stderr == ""
    assert run("-Werror", "server.d", cwd=tmp_path).returncode == 0


def test_own_descriptions_are_not_overwritten():
    """The descriptions of this tree that are named like a C file say that
    objects are written to another directory."""
    paths = [path for folder in ("examples", "providers", "tests")
             for path in (SOURCE / folder).glob("**/*.d")
             if path.parent.name not in ("err", "warn")
             and "build" not in str(path.relative_to(SOURCE))]
    assert paths
    assert [path for path in paths
            if "dependency-file" in run(path, "-o", "-").stderr] == []


@pytest.mark.parametrize("form", sorted(emit.FORMATS))
def test_one_output_of_a_build_warns(form, tmp_path):
    """Outputs that a build makes beside a header do not repeat its warnings.
    """
    (tmp_path / "x.d").write_text("provider smb2 { probe event(int x); };")
    result = run("--emit", form, "x.d", "-o", "x.out", cwd=tmp_path)
    assert result.returncode == 0
    assert ("provider-digit" in result.stderr) == (
        form in ("header", "standalone"))
