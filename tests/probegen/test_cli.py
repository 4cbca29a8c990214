# SPDX-License-Identifier: BSD-2-Clause
"""The command line: options, exit statuses, and that nothing is ever lost."""

import os
import resource
import shutil
import stat
import subprocess
import sys

import pytest

from probegen_tool import PROBEGEN, SOURCE, run

GOOD = "provider a {\n\tprobe event(int x);\n};\n"
BAD = "provider a {\n\tprobe event(Oid x);\n};\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.d"
    path.write_text(GOOD)
    return path


def test_help_fits_a_screen():
    result = run("--help")
    assert result.returncode == 0 and result.stderr == ""
    lines = result.stdout.split("\n")
    assert len(lines) <= 24 + 1 and max(map(len, lines)) <= 80


def test_version_is_that_of_the_project():
    declared = (SOURCE / "meson.build").read_text()
    version = run("--version").stdout.split()[-1]
    assert "version: '%s'" % version in declared
    header = (SOURCE / "include/sdtkit/probe.h").read_text()
    assert '#define SDTKIT_VERSION "%s"' % version in header


@pytest.mark.parametrize("args", [
    [], ["a.d", "-s", "b.d"], ["--frobnicate", "a.d"], ["a.d", "-o"],
    ["--emit", "nonsense", "a.d"], ["-h", "-G", "-s", "a.d"],
    ["-Wnonsense", "a.d"], ["--alias", "a", "a.d"]])
def test_bad_command_line_is_2(args):
    result = run(*args)
    assert result.returncode == 2
    assert "usage: probegen" in result.stderr
    assert result.stdout == ""


def test_default_output_is_in_the_current_directory(good, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    assert run("-h", "-s", good, cwd=there).returncode == 0
    assert os.listdir(there) == ["good.h"]


def test_standard_input_and_output():
    result = run("-", "-o", "-", input=GOOD)
    assert result.returncode == 0
    assert "SDTKIT_PROBE(a, event)" in result.stdout
    result = run("-", input=BAD)
    assert result.returncode == 1
    assert "<stdin>:2:14: error UNKNOWN_TYPE" in result.stderr
    assert result.stdout == ""


def test_called_as_dtrace(good, tmp_path):
    """A symbolic link named dtrace makes the drop-in form, and only that."""
    link = tmp_path / "dtrace"
    link.symlink_to(os.path.join(PROBEGEN, "__main__.py"))
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    output = tmp_path / "out.h"
    subprocess.run([sys.executable, link, "-h", "-s", good, "-o", output],
                   check=True, env=env)
    assert "#include <sys/sdt.h>" in output.read_text()
    result = subprocess.run([sys.executable, link, "-s", good, "-o", output],
                            stderr=subprocess.PIPE, env=env)
    assert result.returncode == 2


@pytest.mark.parametrize("args", [
    ["good.d", "-o", "good.d"], ["good.d", "-o", "./good.d"], ["good.h"],
    ["good.d", "-o", "link.d"], ["good.d", "-o", ""],
    ["good.d", "-o", "x.h", "--depfile", "x.h"],
    ["good.d", "-o", "x.h", "--depfile", "good.d"],
    ["good.d", "-o", "-", "--depfile", "x.dep"]])
def test_no_output_takes_the_place_of_an_input(args, good, tmp_path):
    (tmp_path / "good.h").write_text(GOOD)
    (tmp_path / "link.d").symlink_to("good.d")
    before = sorted(os.listdir(tmp_path))
    result = run(*args, cwd=tmp_path)
    assert result.returncode == 2 and result.stderr.startswith("probegen: ")
    assert good.read_text() == GOOD
    assert (tmp_path / "good.h").read_text() == GOOD
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("command,status", [
    ("-o - good.d >&-", 1), ("--help >&-", 1), ("-o out.h - <&-", 1),
    ("good.d -o out.h 2>&-", 0), ("bad.d -o out.h 2>&-", 1),
    ("bad.d -o out.h 2>/dev/full", 1), ("--nonsense 2>/dev/full", 2),
    ("good.d -o - | true", 0)])
def test_closed_and_full_streams(command, status, good, tmp_path):
    (tmp_path / "bad.d").write_text(BAD)
    result = subprocess.run(
        ["sh", "-c", '"$0" "$1" ' + command, sys.executable, PROBEGEN],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    assert result.returncode == status
    assert "Traceback" not in result.stderr
    assert "Exception" not in result.stderr


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


@pytest.mark.parametrize("text", [
    "provider : foo bar", "provider", "provider {", "provider provider",
    "provider ; provider x", "provider x y {", "BEGIN {"])
@pytest.mark.parametrize("options", [["-C"], []])
def test_it_always_ends(text, options):
    result = run(*options, "-h", "-s", "-", input=text, timeout=20)
    assert result.returncode in (0, 1)


def test_two_files_make_one_header(tmp_path):
    for name in "one", "two":
        (tmp_path / (name + ".d")).write_text(
            "provider %s { probe event(int x); };\n" % name)
    result = run(tmp_path / "one.d", tmp_path / "two.d", "-o", "-")
    assert result.returncode == 0
    assert "ONE_EVENT" in result.stdout and "TWO_EVENT" in result.stdout
    assert "Generated by probegen from one.d, two.d" in result.stdout


def test_two_files_with_the_same_provider(tmp_path):
    for name in "one", "two":
        (tmp_path / (name + ".d")).write_text(GOOD)
    result = run("-h", "-s", "one.d", "-s", "two.d", "-o", "-", cwd=tmp_path)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith(
        "two.d:1:10: error DUPLICATE_PROVIDER: provider 'a' is declared "
        "twice\n")
    assert "hint: the first is in line 1 of one.d" in result.stderr


def test_a_line_of_a_megabyte(tmp_path):
    """Taken if it is right; a fault in it is quoted in part only."""
    path = tmp_path / "long.d"
    probes = " ".join("probe event_%d(int x);" % i for i in range(40000))
    path.write_text("provider a { %s };" % probes)
    assert run("-h", "-s", path, "-o", "/dev/null").returncode == 0
    path.write_text("provider a { %s probe oops(Oid x); };" % probes)
    result = run(path, "-o", "/dev/null")
    assert result.returncode == 1 and len(result.stderr) < 600
    path.write_text("@" * 1000000)
    result = run(path, "-o", "/dev/null")
    assert result.returncode == 1 and len(result.stderr) < 600


def test_drop_in_passes_unknown_types_through(tmp_path):
    path = tmp_path / "x.d"
    path.write_text("provider a { probe b(Oid x, zend_string *s); };")
    result = run("-h", "-s", path, "-o", "-")
    assert result.returncode == 0
    assert "/* A_B (Oid x, zend_string *s) */" in result.stdout


def test_permissions_of_the_output(good, tmp_path):
    """A new output has those of any new file, a replaced one keeps its own."""
    output = tmp_path / "out.h"
    old = os.umask(0o027)
    try:
        run(good, "-o", output)
        assert stat.S_IMODE(output.stat().st_mode) == 0o640
        output.chmod(0o604)
        run(good, "-o", output)
        assert stat.S_IMODE(output.stat().st_mode) == 0o604
    finally:
        os.umask(old)


def test_output_behind_a_symbolic_link(good, tmp_path):
    """The file is replaced, the link stays."""
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "out.h"
    target.write_text("old\n")
    link = tmp_path / "link.h"
    link.symlink_to(target)
    assert run(good, "-o", link).returncode == 0
    assert link.is_symlink() and "SDTKIT_PROBE" in target.read_text()


def test_devices_are_written_to_and_not_replaced(good):
    before = os.stat("/dev/null")
    assert run(good, "-o", "/dev/null").returncode == 0
    assert os.stat("/dev/null").st_rdev == before.st_rdev


def test_input_that_cannot_be_read(tmp_path):
    result = run(tmp_path, "-o", tmp_path / "out.h")
    assert result.returncode == 1
    assert result.stderr == ("%s: error UNREADABLE: Is a directory\n"
                             % tmp_path)


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))


@pytest.mark.parametrize("output,options,word", [
    ("missing/out.h", {}, "No such file"),
    ("/dev/full", {}, "No space left"),
    ("out.h", {"preexec_fn": limit_file_size}, "File too large"),
])
def test_unwritable_output(good, tmp_path, output, options, word):
    """A full disk, as a file size limit plays it, keeps the old output."""
    old = tmp_path / "out.h"
    old.write_text("old\n")
    result = run(good, "-o", os.path.join(tmp_path, output), cwd=tmp_path,
                 env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"), **options)
    assert result.returncode == 1
    assert "error UNWRITABLE: " + word in result.stderr
    assert "Traceback" not in result.stderr
    assert old.read_text() == "old\n"
    assert sorted(os.listdir(tmp_path)) == ["good.d", "out.h"]


def test_closed_standard_output(good):
    result = subprocess.run(
        ["sh", "-c", '"$0" "$1" "$2" -o - > /dev/full', sys.executable,
         PROBEGEN, str(good)], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == "-: error UNWRITABLE: No space left on device\n"


def test_directory_without_permission(good, tmp_path):
    if os.geteuid() == 0:
        options = {"user": "nobody", "group": "nogroup", "extra_groups": []}
    else:
        options = {}
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "out.h").write_text("old\n")
    folder.chmod(0o555)
    for parent in [tmp_path] + list(tmp_path.parents)[:3]:
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | 0o055)
    # that user may not be allowed to read the checkout, or to run another
    # interpreter than the system's
    program = shutil.copytree(PROBEGEN, tmp_path / "probegen")
    result = subprocess.run(
        ["/usr/bin/python3", "-B", program, str(good), "-o",
         str(folder / "out.h")], stderr=subprocess.PIPE, text=True, **options)
    assert result.returncode == 1
    assert "error UNWRITABLE: Permission denied" in result.stderr
    assert "hint: " in result.stderr
    assert (folder / "out.h").read_text() == "old\n"


def test_many_at_once(good, tmp_path):
    """Fifty writers of one output leave a whole one and nothing else."""
    output = tmp_path / "out.h"
    runs = [subprocess.Popen([sys.executable, PROBEGEN, good, "-o", output])
            for _ in range(50)]
    assert {process.wait() for process in runs} == {0}
    assert output.read_text() == run(good, "-o", "-").stdout
    assert sorted(os.listdir(tmp_path)) == ["good.d", "out.h"]
