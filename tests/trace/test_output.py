# SPDX-License-Identifier: BSD-2-Clause
"""Where the lines go: files that cannot be opened or written, full disks, limits,
and standard files that are closed."""

import os
import re
import subprocess

import pytest

from trace_lines import LIMIT, Line


def test_full_disk(show, acts):
    done = show("-q", "-o", "/dev/full", acts / "program", "steps", "3")
    assert done.stdout == "done\n"
    # what comes after the failure is not counted
    assert re.fullmatch(
        "sdtkit trace: cannot write to /dev/full: No space left on device; "
        "at least (1 hit was|[23] hits were) lost\n", done.stderr)
    assert done.returncode == 1


def test_disk_that_fills_up(on_disk):
    """The file ends with a whole line, and the command goes on."""
    message, rest = on_disk("64k", """
        "$1" trace -q -o "$3/lines" "$2" steps 5000
        echo $?
        cat "$3/lines" >&2
        """).split("\n", 1)
    lost = re.search(r"/lines: No space left on device; at least (\d+) hits "
                     r"were lost$", message)
    lines = [str(Line(line)) for line in rest.splitlines()]
    assert 0 < int(lost[1]) <= 5000 - len(lines)
    assert len(lines) > 1000 and rest.endswith(")\n")
    assert lines == ["act:step(n=%d)" % n for n in range(1, len(lines) + 1)]


@pytest.mark.parametrize("blocks,status,text", [
    (0, 125, "cannot allocate shared memory for hits"),
    (20000, 1, "cannot write to")])
def test_files_that_may_not_grow(sdtkit, acts, tmp_path, blocks, status, text):
    """With a limit on the size of files, a write that exceeds it is an error
    with a message. The signal that the kernel sends as well must not end the
    trace."""
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f %d; exec "$@"' % blocks, "sh", sdtkit,
         "trace", "-q", "-j", "-o", tmp_path / "lines", acts / "program", "steps",
         "120000"], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == status
    assert done.stdout == ("done\n" if status == 1 else "")
    assert re.fullmatch("sdtkit trace: %s.*: File too large"
                        r"(; at least \d+ hits were lost)?\n" % text,
                        done.stderr)


def test_few_addresses(sdtkit, acts):
    """With a limit of the address space, there are fewer rings."""
    done = subprocess.run(
        ["sh", "-c", 'ulimit -v 300000; exec "$@"', "sh", sdtkit, "trace", "-q",
         acts / "program", "threads", "5"], capture_output=True, text=True,
        timeout=LIMIT)
    assert done.returncode == 0
    assert done.stderr.count("act:work(") == 40


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-",
                                    "0<&- 1>&- 2>&-"])
def test_closed_standard_files(sdtkit, acts, tmp_path, closed):
    """If the standard files are closed, the library's files do not get their
    numbers, and nothing is written to them."""
    out = tmp_path / "lines"
    for options in ([], ["-o", str(out)]):
        done = subprocess.run(
            ["sh", "-c", '"$@" ' + closed, "sh", sdtkit, "trace", "-q",
             *options, acts / "program", "steps", "3"], capture_output=True,
            text=True, timeout=LIMIT)
        assert done.returncode == 0
        assert done.stdout == ("" if "1>" in closed else "done\n")
        lines = out.read_text() if options else done.stderr
        assert [str(Line(line)) for line in lines.splitlines()] == (
            [] if "2>" in closed and not options else
            ["act:step(n=%d)" % n for n in (1, 2, 3)])


def test_closed_pipe(show, acts):
    out, end = os.pipe()
    os.close(out)
    done = show("-q", "-o", "/proc/self/fd/%d" % end, acts / "program",
                "steps", "3", pass_fds=[end])
    os.close(end)
    assert done.stdout == "done\n" and done.returncode == 1
    assert "cannot write to" in done.stderr


def test_output_that_cannot_be_opened(trace):
    done = trace("steps", 1, options=["-o", "/nonexistent/file"])
    assert (done.returncode, done.stdout) == (125, "")
    assert "/nonexistent/file: No such file or directory" in done.messages


def test_old_output_stays_until_the_command_runs(trace, tmp_path):
    out = tmp_path / "lines"
    out.write_text("of the last time\n" * 100)
    assert trace("/nonexistent/program").returncode == 127
    assert out.read_text() == "of the last time\n" * 100
    assert trace("steps", 1).hits == ["act:step(n=1)"]
