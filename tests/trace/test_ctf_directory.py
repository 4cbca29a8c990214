# SPDX-License-Identifier: BSD-2-Clause
"""The directory of sdtkit trace --ctf: whose files may be in it, who may write
to it, and disks that are full."""

import re

import pytest

from test_ctf import ctf, folder, lingering, read, run_ctf  # noqa: F401
from trace_lines import until


def test_older_trace_is_replaced(ctf, folder):
    assert len(ctf("threads", 1)) == 8
    assert len(ctf("steps", 1)) == 1
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("name,text", [
    ("notes.txt", "mine"), ("metadata", "/* CTF 1.8 */\ntrace {"),
    ("thread-1-1", "mine"), (".hidden", "")])
def test_directory_of_others(trace, folder, name, text):
    """Nothing is changed in it, and the command does not run."""
    folder.mkdir()
    (folder / name).write_text(text)
    done = run_ctf(trace, folder, "steps", 1)
    assert (done.returncode, done.stdout) == (125, "")
    assert "the directory has files that are not of a trace of sdtkit" in (
        done.messages)
    assert [(file.name, file.read_text()) for file in folder.iterdir()] == [
        (name, text)]


def test_older_trace_with_a_file_of_others(ctf, trace, folder):
    ctf("steps", 1)
    (folder / "report.html").write_text("mine")
    before = sorted(folder.iterdir())
    done = run_ctf(trace, folder, "steps", 1)
    assert done.returncode == 125 and ": report.html; name" in done.messages
    assert sorted(folder.iterdir()) == before


def test_older_trace_stays_until_the_command_runs(ctf, trace, folder, read):
    ctf("steps", 3)
    assert run_ctf(trace, folder, "/nonexistent/program").returncode == 127
    assert len(read(folder)[0]) == 3


def test_two_traces_in_one_directory(lingering, trace, folder):
    until(lambda: (folder / "metadata").exists())
    done = run_ctf(trace, folder, "steps", 1)
    assert done.returncode == 125
    assert "another sdtkit trace is writing to this" in done.messages


@pytest.mark.parametrize("path,text", [
    ("/nonexistent/ctf", "cannot make the directory /nonexistent/ctf: No such"),
    ("/dev/null", "/dev/null: this is not a directory: --ctf takes the "
     "directory that the trace is written to, before COMMAND"),
    ("/bin/true", "/bin/true: this is a program: --ctf takes the directory "
     "that the trace is written to, before COMMAND"),
    ("/proc", "Permission denied|files that are not of a trace")])
def test_directory_that_cannot_be_used(trace, path, text):
    done = run_ctf(trace, path, "steps", 1)
    assert (done.returncode, done.stdout) == (125, "")
    assert re.search(text, done.messages)


def test_read_only_directory(fails, acts, public, nobody, open_build):
    folder = public / "ctf"
    folder.mkdir()
    folder.chmod(0o555)
    said = fails("-q", "--ctf", folder, acts / "program", "steps", "1",
                 **nobody)
    assert said == "sdtkit trace: %s: Permission denied\n" % folder


@pytest.mark.parametrize("options,other", [
    (["-j"], "--json"), (["--totals"], "--totals"), (["-o", "x"], "--output")])
def test_one_form(show, folder, options, other):
    done = show("--ctf", folder, *options, "true")
    assert done.returncode == 125
    assert done.stderr == ("sdtkit trace: --ctf and %s cannot be used "
                           "together\n" % other)


def test_disk_that_fills_up(on_disk, tmp_path, read):
    """The trace ends with a whole packet, and the command goes on."""
    said = on_disk("256k", """
        "$1" trace -q --ctf "$3/ctf" "$2" steps 20000
        echo $?
        cp -r "$3/ctf" "$4"
        """)
    lost = re.search(r"/ctf: No space left on device; at least (\d+) hits "
                     r"were lost$", said.strip())
    events, _ = read(tmp_path / "copy")
    assert 0 < int(lost[1]) <= 20000 - len(events)
    assert [event["fields"]["n"] for event in events] == list(
        range(1, len(events) + 1))
    assert len(events) > 5000


def test_disk_that_is_full(on_disk):
    said = on_disk("4k", """
        mkdir "$3/ctf"; echo > "$3/fill"
        "$1" trace -q --ctf "$3/ctf" "$2" steps 3
        echo $?
        """)
    assert re.fullmatch(r"sdtkit trace: cannot write to \S+/ctf: No space left "
                        r"on device(; at least \d hits? (was|were) lost)?\n",
                        said)
