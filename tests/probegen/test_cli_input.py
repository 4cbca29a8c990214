# SPDX-License-Identifier: BSD-2-Clause
"""Inputs of the command: without an end, too large, damaged or unreadable."""

import os
import subprocess
import sys

import pytest

from probegen_tool import GOOD, PROBEGEN, run
from programs import ALL


def test_comment_that_ends_with_another():
    """For a drop-in header it is reported only beside another error."""
    text = "provider a {\n/* A.\nprobe b(int x);\n/* C. */\n%sprobe d();\n};\n"
    start = "<stdin>:2:1: error OPEN_COMMENT: "
    assert run("-", "-o", "-", input=text % "").stderr.startswith(start)
    assert run("-h", "-s", "-", "-o", "-", input=text % "").returncode == 0
    assert run("-h", "-s", "-", "-o", "-",
               input=text % "};").stderr.startswith(start)


@pytest.mark.parametrize("text", [
    "provider : foo bar", "provider", "provider {", "provider provider",
    "provider ; provider x", "provider x y {", "BEGIN {"])
@pytest.mark.parametrize("options", [["-C"], []])
def test_it_always_ends(text, options):
    result = run(*options, "-h", "-s", "-", input=text)
    assert result.returncode in (0, 1)


def test_a_line_of_a_megabyte(tmp_path):
    """A very long line is accepted; of a line with an error, only a part is
    quoted."""
    path = tmp_path / "long.d"
    probes = " ".join("probe event_%d(int x);" % i for i in range(
        40000 if ALL else 5000))
    path.write_text("provider a { %s };" % probes)
    assert run("-h", "-s", path, "-o", "/dev/null").returncode == 0
    path.write_text("provider a { %s probe oops(Oid x); };" % probes)
    result = run(path, "-o", "/dev/null")
    assert result.returncode == 1 and len(result.stderr) < 600
    path.write_text("@" * 1000000)
    result = run(path, "-o", "/dev/null")
    assert result.returncode == 1 and len(result.stderr) < 600


def limited(megabytes, folder, *args):
    """Runs `probegen ARGS` with little memory, at the end of a pipe that never
    ends."""
    return subprocess.run(
        ["sh", "-c", 'yes "x y z" | (ulimit -v %d; exec "$@")'
         % (megabytes << 10), "sh", sys.executable, "-B", PROBEGEN]
        + [str(arg) for arg in args] + ["-o", "out.h"], cwd=folder,
        capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("source", ["/dev/zero", "-", "fifo"])
def test_input_without_end(tmp_path, source):
    os.mkfifo(tmp_path / "fifo")
    feed = subprocess.Popen(["sh", "-c", "exec yes 'x y z' > fifo 2>&-"],
                            cwd=tmp_path)
    result = limited(200, tmp_path, source)
    feed.kill()
    feed.wait()
    assert result.returncode == 1
    assert result.stderr == ("%s: error UNREADABLE: the file is larger than "
                             "16 MiB, the limit for a description\n" % source)
    assert os.listdir(tmp_path) == ["fifo"]


@pytest.mark.parametrize("args,word", [
    (["large.d"], "probegen: not enough memory for this description\n"),
    (["-C", "/dev/zero"], "/dev/zero: error CPP_FAILED: ")])
def test_not_enough_memory(tmp_path, args, word):
    (tmp_path / "large.d").write_text("x y z\n" * 2000000)
    result = limited(150, tmp_path, *args)
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert word in result.stderr
    assert os.listdir(tmp_path) == ["large.d"]


def test_description_of_the_largest_size(tmp_path):
    path = tmp_path / "large.d"
    text = GOOD + "// " + "x" * (1 << 24)
    path.write_text(text[:1 << 24])
    assert run(path, "-o", "/dev/null").returncode == 0
    path.write_text(text[:(1 << 24) + 1])
    assert "larger than 16 MiB" in run(path, "-o", "/dev/null").stderr


def test_input_that_cannot_be_read(tmp_path):
    result = run(tmp_path, "-o", tmp_path / "out.h")
    assert result.returncode == 1
    assert result.stderr == ("%s: error UNREADABLE: cannot read the "
                             "file: Is a directory\n"
                             % tmp_path)
