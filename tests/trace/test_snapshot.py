# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace --snapshot FILE: a recorder's file in all forms, and files that
are none."""

import json
import os
import re
import signal
import subprocess

import pytest

from test_ctf import folder, read  # noqa: F401
from trace_lines import GAP, HERE, LIMIT, Line


@pytest.fixture(scope="session")
def recorded(source, public_session):
    """recorded(threads, hits, lost, signal): the path of such a file."""
    program = public_session / "recorded"
    subprocess.run(["gcc", "-g", "-O2", "-Wall", "-Wextra", "-Werror", "-I",
                    source / "lib" / "record", "-I", source / "include",
                    HERE / "recorded.c", "-o", program], check=True)

    def make(*numbers):
        path = public_session / "-".join(map(str, ["file", *numbers]))
        subprocess.run([program, path, *map(str, numbers)], check=True)
        return path
    return make


def test_lines(show, recorded):
    done = show("--snapshot", recorded(3, 6))
    assert (done.returncode, done.stderr) == (
        0, "sdtkit trace: server: process 4711 has recorded 2 probes, 18 hits "
        "of 3 threads\n")
    lines = [Line(text) for text in done.stdout.splitlines()]
    assert [(line.tid, str(line)) for line in lines] == [
        (4711 + thread, 'act:text(text="a.txt")' if n % 2 else
         "act:step(n=%d)" % n) for n in range(6) for thread in range(3)]


def test_output(show, recorded, tmp_path):
    """The options may be behind the file, too."""
    done = show("--snapshot", recorded(1, 2), "-q", "-o", "lines", "--time", "none")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "lines").read_text() == (
        '4711       act:step(n=0)\n4711       act:text(text="a.txt")\n')


def test_json(show, recorded, objects):
    done = show("--snapshot", recorded(2, 4, 3), "--json")
    first, *hits, last = objects(done.stdout.splitlines())
    assert first["command"] == ["server"]
    assert [hit.get("probe") for hit in hits] == [
        "step", "step", "text", "text", None, "step", None, "step", "text",
        "text"]
    assert hits[0]["time"] == 1000
    assert last == {"hits": 8, "lost": 6, "left_out": 0, "status": 0}


def test_count(show, recorded):
    done = show("-q", "--snapshot", "--totals", recorded(4, 100))
    assert done.stdout == ("    HITS  PROBE\n     200  act:step\n"
                           "     200  act:text\n")


def test_ctf(show, recorded, folder, read):
    done = show("-q", "--snapshot", recorded(3, 100, 7), "--ctf", folder)
    assert (done.returncode, done.stdout) == (0, "")
    events, lost = read(folder)
    assert (len(events), lost) == (300, 21)
    assert sorted({event["tid"] for event in events}) == [4711, 4712, 4713]
    assert 'procname = "server"' in (folder / "metadata").read_text()
    assert "act:step: It was hit." in (folder / "metadata").read_text()


def test_lost(show, recorded):
    done = show("--snapshot", recorded(2, 10, 5))
    gaps = [int(GAP.fullmatch(line)["lost"]) for line in
            done.stdout.splitlines() if GAP.fullmatch(line)]
    assert gaps == [5, 5]
    assert done.stderr.splitlines()[1:] == ["sdtkit trace: 10 hits were lost"]


def test_dump(show, recorded):
    done = show("--snapshot", recorded(1, 2, 0, 11))
    assert done.stderr.splitlines()[1:] == [
        "sdtkit trace: server: process 4712 wrote this when signal 11 "
        "(Segmentation fault) ended it"]


@pytest.mark.parametrize("words,count", [
    (["act:step"], 3), (["act:*,!act:text"], 3), (["act:t*"], 3),
    (["act:step", "act:text"], 6), (["-c", "4"], 4)])
def test_patterns(show, recorded, words, count):
    done = show("-q", "--snapshot", recorded(1, 6), *words)
    assert len(done.stdout.splitlines()) == count


@pytest.mark.parametrize("words,text", [
    ([], ""), (["act:*"], ""), (["act:step"], "; 1 of the probes is chosen")])
def test_hits_are_of_all_probes(show, recorded, words, text):
    done = show("--snapshot", recorded(1, 6), *words)
    assert done.stderr.splitlines()[0] == (
        "sdtkit trace: server: process 4711 has recorded 2 probes, 6 hits of "
        "1 thread" + text)


@pytest.mark.parametrize("more", [[], ["-q"], ["-j"]])
def test_pattern_that_fits_nothing(fails, recorded, more):
    """One message and the status 125, as with a process that is followed."""
    said = fails("--snapshot", recorded(1, 2), "act:stop", *more)
    assert said == ("sdtkit trace: no probe matches 'act:stop'; "
                           "similar ones: act:step, act:text\n")


def test_no_hits(show, recorded):
    done = show("-q", "--snapshot", recorded(1, 0))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == ("sdtkit trace: server: none of these probes has "
                           "been hit\n")


@pytest.mark.parametrize("words,text", [
    (["--snapshot", "/nonexistent"], "/nonexistent: No such file"),
    (["--snapshot", "/etc/passwd"], "/etc/passwd: not the file of a recorder"),
    (["--snapshot", "/dev/null"], "/dev/null: not the file of a recorder"),
    (["--snapshot", "/tmp"], "/tmp: not the file of a recorder"),
    (["--snapshot"], "--snapshot takes one FILE, or -p PID"),
    (["--snapshot", "a", "b"], "--snapshot takes one FILE, or -p PID"),
    (["--snapshot", "a", "--strings", "5"],
     "--strings cannot be used with --snapshot: what it reads has been"),
    (["--snapshot", "a", "--no-children"],
     "--no-children cannot be used with --snapshot"),
    (["-p", "1", "--no-children"],
     "--no-children can only be used with COMMAND"),
    (["--snapshot", "a", "a:b/c==1/"],
     "'a:b/c==1/': filters cannot be used with --snapshot"),
    (["--snapshot", "-p", "1", "a:b/c==1/"],
     "'a:b/c==1/': filters cannot be used with --snapshot"),
    (["--snapshot", "-p", "1", "*_end"], "'*_end' is not a pattern"),
    (["--snapshot", "-p", "1", "/tmp/a"], "--snapshot takes one FILE"),
    (["-q", "--", "a:*", "b:c", "./server", "/srv"],
     "there is no command 'a:*'; with your options, write: sdtkit trace 'a:*' "
     "'b:c' -- ./server /srv\n"),
    (["a:*", "--", "b:*"], "there is no command 'b:*'; with your options, "
     "write: sdtkit trace 'a:*' 'b:*' -- COMMAND\n"),
    (["a:*", "4711"], "there is no command '4711'; with your options, write: "
     "sdtkit trace -p 4711 'a:*'\n"),
    (["-p", "a:b"], "a pattern is a word of its own, without -p"),
    (["a:b"], "no COMMAND given: a word with a colon is a PATTERN"),
    (["-p", "4711", "server"], "'server' is not a pattern"),
    (["-p", "4711", "a:*", "./server"],
     "'./server' is not a pattern; no COMMAND is run with -p PID"),
    (["-p", "4711", "-p", "4712"],
     "only one process can be followed: 4711 or 4712"),
    (["--pid", "x"], "invalid value 'x' for --pid"),
    (["-p", "0"], "invalid value '0' for --pid")])
def test_misuse(fails, words, text):
    said = fails(*words)
    assert text in said and said.count("\n") == 1


def test_other_version(show, recorded):
    path = recorded(1, 1)
    data = bytearray(path.read_bytes())
    data[8] = 99
    path.write_bytes(data)
    done = show("--snapshot", path)
    assert done.returncode == 125
    assert re.search("version 99 of the format; this program reads", done.stderr)


def test_file_that_is_cut(show, recorded, tmp_path):
    data = recorded(2, 100).read_bytes()
    for size in (10, 4096, len(data) // 2, len(data) - 1):
        (tmp_path / "cut").write_bytes(data[:size])
        done = show("--snapshot", "cut")
        assert done.returncode == 125
        assert re.search("not the file of a recorder|damaged", done.stderr)


def test_damage(show, recorded, tmp_path):
    """Whatever stands in the file: no crash, and what is printed are lines."""
    data = recorded(2, 50, 1).read_bytes()
    for seed in range(60):
        damaged = bytearray(data)
        for n in range(8):
            # a generator of its own, so that a failure can be repeated
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            damaged[1500 + (seed >> 20) % (len(data) - 1500)] = seed >> 56
        (tmp_path / "damaged").write_bytes(damaged)
        done = show("--snapshot", "damaged", "-j", "-q", errors="replace")
        assert done.returncode in (0, 125), done.stderr
        for line in done.stdout.splitlines():
            json.loads(line)


def test_nobody_else_may_read(show, recorded, nobody, open_build):
    if not nobody:
        pytest.skip("needs root")
    path = recorded(1, 1, 0)
    path.chmod(0o600)
    done = show("--snapshot", path, **nobody)
    assert done.returncode == 125
    assert done.stderr == "sdtkit trace: %s: Permission denied\n" % path


def test_closed_pipe(sdtkit, recorded):
    """As with other programs that print: the end is not worth a message."""
    out, end = os.pipe()
    os.close(out)
    done = subprocess.run([sdtkit, "trace", "-q", "--snapshot",
                           recorded(1, 5)], stdout=end, text=True,
                          stderr=subprocess.PIPE, timeout=LIMIT)
    os.close(end)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")


def test_blocked_output_ends_with_a_signal(sdtkit, recorded):
    out, end = os.pipe()
    process = subprocess.Popen([sdtkit, "trace", "-q", "--snapshot",
                                recorded(1, 10000)], stdout=end, text=True,
                               stderr=subprocess.PIPE)
    os.close(end)
    try:
        os.read(out, 100)
        process.send_signal(signal.SIGTERM)
        messages = process.communicate(timeout=LIMIT)[1]
    finally:
        process.kill()
        os.close(out)
    assert process.returncode == 1
    assert "cannot write to standard output" in messages
