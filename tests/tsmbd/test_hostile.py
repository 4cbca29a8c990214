# SPDX-License-Identifier: BSD-2-Clause
"""What cannot work ends with a message and exit status 1."""

import os
import re
import shutil
import subprocess
import tempfile

import pytest

from demo_server import LIMIT, exists, wait_until
from tsmbd_run import Tsmbd


def run(program, *args, **kwargs):
    return subprocess.run([program, *args], timeout=LIMIT, capture_output=True,
                          text=True, **kwargs)


def fails(result, *words):
    assert result.returncode == 1, result.stdout + result.stderr
    assert result.stdout == ""
    for word in words:
        assert word in result.stderr
    assert "libbpf" not in result.stderr


@pytest.mark.parametrize("args, word", [
    (("-p", "x"), "'x'"), (("-p", "0"), "'0'"), (("-i", "0"), "'0' for -i: "),
    (("-c", "-1"), "'-1'"), (("-p", "99999999999"), "99999999999"),
    (("--slow", "fast"), "'fast'"), (("--slow", "-1"), "'-1'"),
    (("--top", "hits"), "'hits'"), (("--by", "luck"), "'luck'"),
    (("--lines", "0"), "'0'"), (("--no-such",), "no-such"),
    (("-F", "0"), "'0'"), (("-F", "9"), "--flame"),
    (("--by", "time"), "--top"), (("--lines", "5"), "--top"),
    (("-n", "smbd", "-p", "1"), "-n"), (("-n", "smbd", "1"), "PID"),
    (("-n", "smbd", "-f", "/bin/true"), "-f"),
    (("--heatmap", "x.svg", "--flame", "x.svg"),
     "cannot write to the same file"),
    (("1", "2"), "'2'"), (("--no-syscalls",), "no-syscalls"),
    (("-p",), "argument"), (("-i", "0.009"), "at least 0.01"),
    (("-i", "x"), "'x'"), (("-i", ""), "''"), (("-i", "."), "'.'"),
    (("-i", "1.2.3"), "'1.2.3'"), (("-i", "nan"), "'nan'"),
    (("-i", "inf"), "'inf'"), (("-i", "-1"), "'-1'"), (("-i", "1s"), "'1s'"),
    (("-i", "1e1"), "'1e1'"), (("-i", "99999999999"), "99999999999"),
])
def test_bad_options(program, args, word):
    fails(run(program, *args), word, "--help")


def test_no_such_process(program):
    with open("/proc/sys/kernel/pid_max") as file:
        pid = int(file.read()) + 1
    fails(run(program, "-p", str(pid)), str(pid), "No such process")


def test_no_process_of_that_name(program):
    fails(run(program, "-n", "no-such-server"), "no-such-server")


@pytest.fixture
def zombie(tmp_path):
    """A process that has ended; it keeps its number and its name."""
    path = tmp_path / "ended-server"
    shutil.copy("/bin/true", path)
    ended = subprocess.Popen([path])
    wait_until(lambda: not exists(ended.pid), "a zombie")
    yield ended
    ended.wait()


def test_a_process_that_has_just_ended(program, zombie):
    what = "process %d has ended and is a zombie" % zombie.pid
    fails(run(program, "-p", str(zombie.pid)), what)
    fails(run(program, "-n", "ended-server"), what,
          "no running process is called ended-server")


@pytest.mark.thorough
@pytest.mark.parametrize("server_name", ["ended-server"])
def test_one_that_has_ended_beside_one_that_lives(tsmbd, server, zombie):
    tracer = tsmbd("--json", "-n", "ended-server")
    assert server.serves()
    wait_until(server.idle, "child reaped")
    assert tracer.report()["processes"] == 1


def test_it_ends_with_its_process(tsmbd, server):
    """Also if the parent has not waited for it."""
    tracer = tsmbd()
    server.process.terminate()
    wait_until(lambda: tracer.process.poll() is not None, "it has ended")
    assert "Time sum" in tracer.output()


def test_a_program_without_probes(program):
    sleep = subprocess.Popen(["sleep", "1000"])
    try:
        fails(run(program, "-p", str(sleep.pid)), "probes")
    finally:
        sleep.kill()
        sleep.wait()


@pytest.mark.parametrize("path, word", [
    ("/bin/true", "none of the probes"), ("/etc/passwd", "/etc/passwd"),
    ("/no/such/file", "/no/such/file"), ("/tmp", "/tmp")])
def test_a_file_without_probes(program, path, word):
    fails(run(program, "-f", path), word)


def test_some_probes_are_missing(program, build):
    """A program with probes, but not with those that the report needs."""
    client = build / "examples" / "demo" / "demo-client"
    fails(run(program, "-f", client), "none of the probes")


def test_without_rights(program, server):
    if os.geteuid() != 0:
        fails(run(program, "-f", server.program), "root")
        return
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        for path in (program, server.program):
            os.chmod(shutil.copy(path, directory), 0o755)
        fails(run(directory + "/tsmbd", "-f", directory + "/demo-server",
                  user=65534, group=65534, extra_groups=[]), "root")
        fails(run(directory + "/tsmbd", "-p", str(server.pid), user=65534,
                  group=65534, extra_groups=[]), "denied")


@pytest.mark.parametrize("option", ["--heatmap", "--flame"])
@pytest.mark.parametrize("path, word", [
    ("/no/dir/x.svg", "No such file"), ("", "name"),
    ("/proc/x.svg", "/proc/x.svg"),
    ("/tmp", "Is a directory")])
def test_picture_cannot_be_written(program, server, option, path, word):
    """The error comes at once, and not after hours of tracing."""
    fails(run(program, "-p", str(server.pid), option, path), path, word)


@pytest.mark.thorough
def test_a_picture_on_a_full_disk(program, server, privileged, tmp_path):
    """Neither the report nor the other picture is lost."""
    result = run(program, "-p", str(server.pid), "-c", "1", "--heatmap",
                 "/dev/full", "--flame", tmp_path / "flame.svg")
    assert result.returncode == 1
    assert "/dev/full: No space left" in result.stderr
    assert "Time sum" in result.stdout
    assert "</svg>" in (tmp_path / "flame.svg").read_text()


def test_a_full_output(program, server, privileged, tmp_path):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [program, "-p", str(server.pid), "-c", "9", "--heatmap",
             tmp_path / "map.svg"], stdout=full,
            stderr=subprocess.PIPE, universal_newlines=True, timeout=LIMIT)
    assert result.returncode == 1
    assert "standard output: No space left" in result.stderr
    assert "</svg>" in (tmp_path / "map.svg").read_text()


def test_nobody_reads_any_more(program, server, privileged, tmp_path):
    """Like tsmbd | head: it ends by itself, and the picture is there."""
    tracer = Tsmbd(program, "-p", str(server.pid), "--slow", "0",
                   "--heatmap", tmp_path / "map.svg")
    tracer.process.stdout.close()
    tracer.process.stdout = None
    with server.login():
        pass
    _, errors = tracer.process.communicate(timeout=LIMIT)
    assert (tracer.process.returncode, errors) == (1, "")
    assert "</svg>" in (tmp_path / "map.svg").read_text()


def test_help_version_and_manual_agree(program, source):
    usage = run(program, "--help")
    assert usage.returncode == 0 and usage.stderr == ""
    version = run(program, "--version")
    assert re.fullmatch(r"tsmbd \d+\.\d+\.\d+\n", version.stdout)
    manual = (source / "docs" / "tsmbd.1").read_text()
    synopsis = manual.partition(".Sh SYNOPSIS")[2].partition(".Sh ")[0]
    options = re.findall(r"^ +(?:-(\w), |      )?--([a-z-]+)(=?)",
                         usage.stdout, re.MULTILINE)
    assert len(options) == len(re.findall(r"^ +-", usage.stdout, re.M))
    for letter, name, value in options:
        assert re.search(r"^\.It Fl (\w , Fl )?.*-%s%s" % (
            name, " Ns = Ns (Ar|Cm)" * bool(value)), manual,
            re.MULTILINE), name
        assert not letter or ".It Fl %s , Fl -%s" % (letter, name) in manual
        assert re.search(r"Fl \w*%s\w*\b|Fl -%s\b" % (letter or "$", name),
                         synopsis), name
    named = set(re.findall(r"Fl -([a-z-]+)", manual))
    other = run(program, "replay", "--help").stdout
    assert named == {name for _, name, _ in options}.union(
        re.findall(r"^ +--([a-z-]+)", other, re.MULTILINE))
    assert all(len(line) <= 80 for line in usage.stdout.splitlines())
