# SPDX-License-Identifier: BSD-2-Clause
"""Readers of the lines that are slow, stop, are killed or go away: the command is
not held up longer than -w says, and lost hits are counted."""

import itertools
import os
import pathlib
import re
import select
import signal
import subprocess
import time

import pytest

from trace_lines import (LIMIT, Line, child_of, until,
                         wait_until_ring_is_full, without_gaps)


def test_slow_reader_loses_nothing(trace, objects):
    """No hit is lost although JSON is written more slowly than the hits come,
    and 160,000 exceed the ring."""
    text = trace("threads", 10000, options=["-j"]).text
    last, = objects(text[-1:])
    del last["traps"]
    assert last == {"hits": 80000, "lost": 0, "left_out": 0, "status": 0}
    assert len(text) == 80002


def test_starved_reader_loses_nothing(sdtkit, acts, tmp_path):
    """No hit is lost if the reader gets no CPU time while the ring is full;
    here it is stopped."""
    out = tmp_path / "lines"
    process = subprocess.Popen([sdtkit, "trace", "-q", "--patience", "600", "-o", out,
                                acts / "program", "starve", "20000"],
                               stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    try:
        wait_until_ring_is_full(child_of(process.pid))
        time.sleep(1)       # longer than a writer may wait
    finally:
        process.send_signal(signal.SIGCONT)
        messages = process.communicate(timeout=LIMIT)
    assert messages == ("", "")
    assert process.returncode == 0
    with open(out) as lines:
        assert sum(1 for _ in lines) == 160000


def test_killed_reader_of_a_full_ring(sdtkit, acts):
    """If the reader is killed while the ring is full, the command does not
    wait for it."""
    out, end = os.pipe()
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "--patience", "3600", "-o", "/proc/self/fd/%d" % end,
         "sh", "-c", '"$@"; echo status $?', "sh", acts / "program",
         "threads", "20000"], pass_fds=[end], stdout=subprocess.PIPE,
        text=True, start_new_session=True)
    os.close(end)
    try:
        wait_until_ring_is_full(child_of(child_of(process.pid)))
        process.kill()
        said, _ = process.communicate(timeout=LIMIT)
        assert said == "status 0\n"
    finally:
        end_session(process, out)


def end_session(process, out):
    """Kills all processes of the session, so that none is left however a test
    ends."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()
    os.close(out)


def test_a_program_that_waits_can_be_ended(sdtkit, acts):
    """A program that waits for a blocked reader can be ended by a signal."""
    out, end = os.pipe()
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "--patience", "3600", "-o", "/proc/self/fd/%d" % end,
         acts / "program", "threads", "20000"], pass_fds=[end],
        start_new_session=True)
    os.close(end)
    try:
        child = child_of(process.pid)
        wait_until_ring_is_full(child)
        os.kill(child, signal.SIGTERM)
        wait_for_end_of_child(process.pid, out)
    finally:
        end_session(process, out)


@pytest.mark.parametrize("seconds", [0, 1])
def test_reader_that_stops(sdtkit, acts, seconds):
    """If the output is a pipe that nobody reads, the command ends, and lost
    lines are reported."""
    out, end = os.pipe()
    process = subprocess.Popen(
        [sdtkit, "trace", "-q", "--patience", str(seconds), "-o",
         "/proc/self/fd/%d" % end,
         acts / "program", "threads", "20000"], pass_fds=[end],
        stderr=subprocess.PIPE, text=True)
    os.close(end)
    wait_for_end_of_child(process.pid, out)
    with open(out, errors="replace") as lines:
        hits, marked = without_gaps(lines.read().splitlines())
    messages = process.communicate(timeout=LIMIT)[1]
    lost = int(re.search(r"(\d+) hits were lost", messages)[1])
    assert 0 < lost and len(hits) + lost == 160000
    assert marked == lost
    assert process.returncode == 0


class Unread:
    """sdtkit trace with a pipe that nobody reads as its output file or as its
    standard error."""

    def __init__(self, sdtkit, *command, options=(), by_name=True):
        self.out, end = os.pipe()
        where = ["-o", "/proc/self/fd/%d" % end] if by_name else []
        self.process = subprocess.Popen(
            [sdtkit, "trace", *where, *options, *command],
            pass_fds=[end] if by_name else [], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if by_name else end, text=True,
            start_new_session=True)
        os.close(end)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        end_session(self.process, self.out)

    def rest(self):
        """Returns what is in the pipe when nobody writes to it any more."""
        lines = b""
        while True:
            some = os.read(self.out, 1 << 16)
            lines += some
            if not some:
                return lines.decode()


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_a_blocked_trace(sdtkit, acts, number, by_name):
    """A signal ends the trace of a command that has ended, although nobody
    reads its lines."""
    with Unread(sdtkit, acts / "program", "threads", "20000",
                options=["--patience", "0"], by_name=by_name) as run:
        wait_for_end_of_child(run.process.pid, run.out)
        assert run.process.poll() is None
        run.process.send_signal(number)
        _, messages = run.process.communicate(timeout=LIMIT)
        assert run.process.returncode == 1
        count = len(re.findall("act:work.*\n", run.rest()))
        if by_name:
            lost = re.search(
                r"^sdtkit trace: cannot write to \S+: nobody read it until a "
                r"signal ended the trace; at least (\d+) hits were lost\n\Z",
                messages, re.M)
            assert count + int(lost[1]) == 160000


def test_signal_waits_for_a_slow_reader(sdtkit, acts, tmp_path):
    """A signal does not end the trace before a slow reader has read all hits
    from before the signal, also if the reader goes on half a second later."""
    script = '"$0" threads 2000; "$0" linger "$1" & : >"$2"'
    ends = tmp_path / "ends"
    with Unread(sdtkit, "sh", "-c", script, acts / "program", tmp_path / "go",
                ends) as run:
        until(ends.exists)
        # the command has been waited for, and what it has left is there
        until(lambda: names_of_children(run.process.pid) == ["program"])
        run.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        lines, end = b"", time.monotonic() + LIMIT
        while lines.count(b"act:work") < 16000 and time.monotonic() < end:
            assert select.select([run.out], [], [], LIMIT)[0]
            lines += os.read(run.out, 1 << 14)
            time.sleep(0.01)
        assert run.process.wait(LIMIT) == 0
        (tmp_path / "go").write_text("")


def test_blocked_trace_hands_signals_on(sdtkit, acts):
    """The first signal goes to the command, the second one ends the trace."""
    with Unread(sdtkit, acts / "program", "flood",
                options=["--patience", "3600"]) as run:
        wait_until_ring_is_full(child_of(run.process.pid), 0)
        run.process.terminate()
        wait_for_end_of_child(run.process.pid, run.out)
        assert run.process.poll() is None
        run.process.terminate()
        assert run.process.wait(LIMIT) == 1


def test_lines_that_come_late_are_whole(sdtkit, acts):
    """Lines are whole although writes were interrupted many times before
    somebody read."""
    with Unread(sdtkit, acts / "program", "threads", "20000") as run:
        time.sleep(1)
        lines = run.rest().splitlines()
        assert run.process.wait(LIMIT) == 0
        assert len([Line(line) for line in lines]) == 160000


def test_reader_that_goes_away(sdtkit, acts):
    """If the reader of the pipe goes away, hits that were not written are not
    counted as lines, and the message says so."""
    with Unread(sdtkit, acts / "program", "threads", "50000") as run:
        with open(os.dup(run.out)) as lines:
            seen = sum(1 for _ in itertools.islice(lines, 2000))
        os.close(run.out)
        run.out = os.open("/dev/null", os.O_RDONLY)
        _, messages = run.process.communicate(timeout=LIMIT)
        assert run.process.returncode == 1
        lost = re.search(r"^sdtkit trace: cannot write to \S+: Broken pipe; at"
                         r" least (\d+) hits were lost\n\Z", messages, re.M)
        assert 0 < int(lost[1]) <= 400000 - seen


def children_of(pid):
    """Also one that has ended, until the process has waited for it."""
    return pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)
                        ).read_text().split()


def names_of_children(pid):
    names = []
    for child in children_of(pid):
        try:
            text = pathlib.Path("/proc/%s/comm" % child).read_text()
        except OSError:     # it has just been waited for
            continue
        names.append(text.strip())
    return names


def wait_for_end_of_child(pid, out):
    """Waits until the process has waited for its only child, which has run when
    there is something in the pipe."""
    assert select.select([out], [], [], LIMIT)[0]
    until(lambda: not children_of(pid))
