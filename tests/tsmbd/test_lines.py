# SPDX-License-Identifier: BSD-2-Clause
"""Lines of --slow: in what order they come, and what finds the packet."""

import time

import pytest

import demo_wire as w
from demo_server import wait_until
from tsmbd_run import switches

COLUMNS = ("TIME PID CLIENT USER SHARE OP STATUS MS RUN VFS CTDB OPLOCK LOCK "
           "SEND WAITED OFFSET LENGTH MID SESSION FILE")
LINES = 1000
LOOKS = 20	# in a second: LINES_NS of run.c


@pytest.mark.parametrize("options", [
    ("--slow", "0", "-i", "0.05"), *[
        pytest.param(options, marks=pytest.mark.thorough) for options in [
            ("--slow", "0"), ("--errors",), ("--errors", "-i", "0.05"),
            ("--slow", "0", "--top", "files", "-d")]]])
def test_the_columns_come_first(act, trace, options):
    """The titles are repeated after each report."""
    actor = act("wait:120", "begin:8", "end:%d" % w.ACCESS_DENIED, "wait:120")
    tracer = trace(actor, *options)
    actor.play()
    lines = tracer.stop().splitlines()
    reports = sum(line.startswith("Ran for") for line in lines)
    assert lines[0] == COLUMNS
    # the last one, or two if the signal came with a report, have none behind
    assert max(reports - 1, 1) <= lines.count(COLUMNS) <= reports
    slow, = [line for line in lines if "STATUS_ACCESS_DENIED" in line and
             line.endswith(' "file"')]
    assert len(slow.split()) == len(COLUMNS.split())


@pytest.mark.parametrize("options", [(), ("--exit", "--oplocks"),
                                     ("--json", "--slow", "0")])
def test_no_columns(act, trace, options):
    assert "TIME PID" not in trace(act(), *options).stop()


IDS = [(1, 1), (0, 0), (2 ** 40, 0x8d2b11a4), (2 ** 62, 2 ** 62 + 5)]


def test_message_and_session(act, trace):
    """More requests than a process keeps itself, ended backwards."""
    acts, ends = [], []
    for which in range(8):
        mid, session = IDS[which % 4]
        acts += ["req:%d" % which, "mid:%d" % (mid + which),
                 "session:%d" % session, "begin:8", "wait:0"]
        ends = ["req:%d" % which, "mid:77", "end:0", "wait:0"] + ends
    actor = act(*acts, *ends)
    as_json = trace(actor, "--json", "--slow", "0")
    as_text = trace(actor, "--slow", "0")
    actor.play()
    wanted = [(IDS[which % 4][0] + which, IDS[which % 4][1])
              for which in reversed(range(8))]
    _, events = as_json.reports()
    assert [(one["mid"], int(one["session"], 16)) for one in events] == wanted
    lines = as_text.stop().splitlines()[1:9]
    assert [(int(line.split()[17]), int(line.split()[18], 16))
            for line in lines] == wanted


def test_those_of_a_server(server, tsmbd):
    """The message ID and the session ID are those that the client has sent."""
    tracer = tsmbd("--json", "--slow", "0", "--errors")
    with server.login() as connection:
        mid, session = connection.mid, connection.session
        connection.create("nothing")
    wait_until(server.idle, "child reaped")
    _, events = tracer.reports()
    found = [one for one in events if one["name"] == "SMB2_OP_CREATE"]
    assert sorted(one["event"] for one in found) == ["error", "slow"]
    assert {(one["mid"], one["session"]) for one in found} == {
        (mid, hex(session))}


@pytest.mark.thorough
def test_nobody_is_woken_for_a_line(act, trace, tmp_path):
    """tsmbd looks for lines by itself several times a second: waking it would
    be paid by the process that the line is about."""
    actor = act("wait:0", "from:0", "begin:5", "end:0", "wait:1",
                "again:%d" % (LINES - 1))
    tracer = trace(actor, "--json", "--slow", "0", into=tmp_path / "lines")
    began, before = time.monotonic(), switches(tracer.process.pid)
    actor.play()
    took = time.monotonic() - began
    woken = switches(tracer.process.pid) - before
    _, events = tracer.reports()
    assert len(events) == LINES
    assert 3 * LOOKS * (took + 1) < LINES, "too slow to tell"
    assert woken < 3 * LOOKS * (took + 1)
