# SPDX-License-Identifier: BSD-2-Clause
"""Where the command writes: permissions, links, devices and full disks. It
writes all outputs or none."""

import os
import resource
import shutil
import stat
import subprocess
import sys

import pytest

from probegen_tool import BAD, GOOD, PROBEGEN, run, start


def test_default_output_is_in_the_current_directory(good, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    assert run("-h", "-s", good, cwd=there).returncode == 0
    assert os.listdir(there) == ["good.h"]


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
        cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == status
    assert "Traceback" not in result.stderr
    assert "Exception" not in result.stderr


def test_permissions_of_the_output(good, tmp_path):
    """A new output has the permissions of any new file; a replaced one keeps
    its own."""
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
    """The file is replaced, and the link stays."""
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


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))


@pytest.mark.parametrize("output,options,word", [
    ("missing/out.h", {}, "No such file"),
    ("/dev/full", {}, "No space left"),
    ("out.h", {"preexec_fn": limit_file_size}, "File too large"),
])
def test_unwritable_output(good, tmp_path, output, options, word):
    """A full disk, which a limit of file sizes imitates, keeps the old output.
    """
    old = tmp_path / "out.h"
    old.write_text("old\n")
    result = start(good, "-o", os.path.join(tmp_path, output), cwd=tmp_path,
                   env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"), **options)
    assert result.returncode == 1
    assert "error UNWRITABLE: cannot write the file: " + word in result.stderr
    assert "Traceback" not in result.stderr
    assert old.read_text() == "old\n"
    assert sorted(os.listdir(tmp_path)) == ["good.d", "out.h"]


@pytest.mark.parametrize("output,rule", [
    ("out.h", "missing/rule"), ("missing/out.h", "rule"), ("out.h", "folder"),
    ("folder", "rule"), ("out.h", "/dev/full"), ("/dev/full", "rule")])
def test_all_outputs_or_none(good, tmp_path, output, rule):
    (tmp_path / "folder").mkdir()
    for name in "out.h", "rule":
        (tmp_path / name).write_text("old\n")
    before = sorted(os.listdir(tmp_path))
    result = run("-Wno-all", good, "-o", output, "--depfile", rule,
                 cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.count("error UNWRITABLE: ") == 1
    for name in "out.h", "rule":
        assert (tmp_path / name).read_text() == "old\n"
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("old", [b"old\n", None])
@pytest.mark.parametrize("locked", ["rule", "out.h"])
def test_all_outputs_or_none_where_a_rename_fails(tmp_path, monkeypatch, old,
                                                  locked):
    """In /tmp, a rename fails if the file belongs to another user. Then the
    outputs that were replaced already come back as the same files."""
    from probegen import diag, files
    rename = os.replace

    def replace(source, target):
        if target == str(tmp_path / locked):
            raise PermissionError(1, "Operation not permitted")
        rename(source, target)
    monkeypatch.setattr(os, "replace", replace)
    paths = [str(tmp_path / name) for name in ("out.h", "rule")]
    for path in paths if old else ():
        with open(path, "wb") as file:
            file.write(old)
    before = {name: os.stat(tmp_path / name) for name in os.listdir(tmp_path)}
    faults = diag.Diagnostics()
    files.write([(path, b"new\n", True) for path in paths], faults)
    assert faults.render() == ("%s: error UNWRITABLE: cannot write the file: "
                               "Operation not permitted\n"
                               % (tmp_path / locked))
    assert sorted(os.listdir(tmp_path)) == sorted(before)
    for name, status in before.items():
        after = os.stat(tmp_path / name)
        assert (after.st_ino, after.st_mtime) == (status.st_ino,
                                                  status.st_mtime)
        assert (tmp_path / name).read_bytes() == old


def test_closed_standard_output(good):
    result = subprocess.run(
        ["sh", "-c", '"$0" "$1" "$2" -o - > /dev/full', sys.executable,
         PROBEGEN, str(good)], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == ("-: error UNWRITABLE: cannot write the file: No "
                             "space left on device\n")


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
    assert "error UNWRITABLE: cannot write the file: Permission denied" in (
        result.stderr)
    assert "hint: " in result.stderr
    assert (folder / "out.h").read_text() == "old\n"


def test_many_at_once(good, tmp_path):
    """Twenty writers of one output leave one complete file, and no temporary
    files."""
    output = tmp_path / "out.h"
    runs = [subprocess.Popen([sys.executable, PROBEGEN, good, "-o", output])
            for _ in range(20)]
    assert {process.wait() for process in runs} == {0}
    assert output.read_text() == run(good, "-o", "-").stdout
    assert sorted(os.listdir(tmp_path)) == ["good.d", "out.h"]


def test_standard_output_by_its_path(good, tmp_path):
    """What others wrote to the same file is still there."""
    both = tmp_path / "both"
    with open(both, "w") as file:
        file.write("head\n")
        file.flush()
        subprocess.run([sys.executable, PROBEGEN, good, "-o", "/dev/stdout"],
                       stdout=file, check=True)
        file.seek(0, 2)
        file.write("tail\n")
    text = both.read_text()
    assert text.startswith("head\n") and text.endswith("tail\n")
    assert "#define A_EVENT(" in text


def test_output_with_a_long_name(good, tmp_path):
    output = tmp_path / ("n" * 250 + ".h")
    assert run(good, "-o", output).returncode == 0
    assert "#define A_EVENT(" in output.read_text()
