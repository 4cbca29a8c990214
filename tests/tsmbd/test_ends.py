# SPDX-License-Identifier: BSD-2-Clause
"""--exit: processes that end without having said why."""

import re
import signal

import pytest

import demo_wire as w
from demo_server import LIMIT

pytestmark = pytest.mark.shared

MID, SESSION = 4711, 0x8d2b11a4
# it is known where a process notes what it runs when a request has ended
BEFORE = ["begin:%d" % w.ECHO, "end:0"]
RUNNING = ["client:ipv4:192.0.2.1:1", *BEFORE, "mid:%d" % MID,
           "session:%d" % SESSION, "begin:%d" % w.WRITE, "spin:20"]


def play(act, trace, *acts):
    """(the exit status, events, text) of an actor that ends so."""
    actor = act(*acts)
    as_json = trace(None, "--json", "--exit")
    as_text = trace(None, "--exit")
    actor.go()
    status = actor.process.wait(LIMIT)
    _, events = as_json.reports()
    lines = [line for line in as_text.stop().split("Ran for")[0].splitlines()
             if " %d " % actor.pid in line]
    return status, [one for one in events if one["pid"] == actor.pid], lines


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGABRT"])
def test_a_signal_while_a_request_runs(act, trace, name):
    number = getattr(signal, name)
    status, (event,), (line,) = play(act, trace, *RUNNING,
                                     "signal:%d" % number)
    assert status == -number
    assert event["event"] == "killed" and event["signal"] == name
    assert event["client"] == "ipv4:192.0.2.1:1" and "status" not in event
    running = event["running"]
    assert running["total_us"] >= 20000
    assert (running["name"], running["mid"], running["session"]) == (
        "SMB2_OP_WRITE", MID, hex(SESSION))
    assert re.search(r" ipv4:192\.0\.2\.1:1 killed signal=%s running "
                     r"SMB2_OP_WRITE mid=%d session=%#x for \d+\.\d ms$" % (
                         name, MID, SESSION), line), line


def test_a_signal_while_it_waits(act, trace):
    """A request that waits in a thread is reported as waiting, not running."""
    _, (event,), (line,) = play(act, trace, *RUNNING, "wait:10",
                                "signal:%d" % signal.SIGKILL)
    assert event["signal"] == "SIGKILL" and "running" not in event
    assert event["waiting"]["name"] == "SMB2_OP_WRITE"
    assert " killed signal=SIGKILL waiting SMB2_OP_WRITE mid=" in line


def test_a_signal_without_a_name(act, trace):
    number = signal.SIGRTMIN + 1
    _, (event,), _ = play(act, trace, *BEFORE, "signal:%d" % number)
    assert event["signal"] == str(int(number))


def test_an_exit_status_without_a_word(act, trace):
    status, (event,), (line,) = play(act, trace, *BEFORE, "begin:5",
                                     "leave:3")
    assert status == 3
    assert event["event"] == "killed" and event["status"] == "3"
    assert event["running"]["name"] == "SMB2_OP_CREATE"
    assert "signal" not in event
    assert " killed status=3 running SMB2_OP_CREATE " in line


def test_an_exit_that_was_said_and_a_signal_nevertheless(act, trace):
    """For example a crash in what smbd does when it exits."""
    _, events, lines = play(act, trace, "begin:5", "exit:1",
                            "signal:%d" % signal.SIGSEGV)
    assert [event["event"] for event in events] == ["exit", "killed"]
    assert len(lines) == 2


@pytest.mark.parametrize("last, kinds", [
    (["leave:0"], []), (["exit:0", "leave:0"], ["exit"]),
    (["exit:1", "leave:1"], ["exit"])])
def test_a_normal_end(act, trace, last, kinds):
    _, events, lines = play(act, trace, "begin:5", "end:0", *last)
    assert [event["event"] for event in events] == kinds
    assert len(lines) == len(kinds)


def test_a_child_that_has_hit_no_probe(act, trace):
    """As those that smbd forks for itself: notifyd, cleanupd."""
    actor = act(*BEFORE, "fork", "signal:%d" % signal.SIGSEGV)
    as_json, as_text = trace(None, "--json", "--exit"), trace(None, "--exit")
    actor.go()
    assert actor.process.wait(LIMIT) == 0
    _, events = as_json.reports()
    event, = [one for one in events if one["event"] == "killed"]
    assert event["signal"] == "SIGSEGV" and event["pid"] != actor.pid
    assert not {"running", "waiting"} & set(event)
    assert " pid:%d killed signal=SIGSEGV" % event["pid"] in as_text.stop()


def test_only_for_those_who_ask(act, trace):
    actor = act("client:ipv4:192.0.2.1:1", "begin:5",
                "signal:%d" % signal.SIGKILL)
    tracer = trace(actor, "--json", "--slow", "0")
    actor.go()
    actor.process.wait(LIMIT)
    (report,), events = tracer.reports()
    assert (report["processes"], report["requests"], events) == (1, 0, [])
