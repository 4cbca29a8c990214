# SPDX-License-Identifier: BSD-2-Clause
"""Numbers at the end of a report, and requests that wait but are not slow."""

import json
import time

import pytest

import demo_wire as w

pytestmark = pytest.mark.shared

NOTIFY = w.CHANGE_NOTIFY
MS = 1000000    # it may lose the CPU before the wait begins


@pytest.fixture
def at_holds(act, trace):
    """at_holds(acts, option...): what there is at each hold, and at the end."""
    def run(acts, *options):
        actor = act(*acts)
        tracer = trace(actor, "--json", *options)
        found = []
        for _ in range(acts.count("hold:0") + 1):
            actor.play()
            found.append(tracer.report()["now"])
        return found

    return run


def now(processes=1, sessions=0, open_files=0, requests=0, notifies=0):
    return {"processes": processes, "sessions": sessions,
            "open_files": open_files, "requests": requests,
            "notifies": notifies}


def test_sessions(at_holds):
    acts = ["begin:1", "login:1", "end:0", "hold:0",
            "begin:1", "login:2", "end:0", "hold:0",
            "begin:2", "logoff:1", "end:0", "hold:0",
            "begin:2", "logoff:2", "end:0"]
    assert [one["sessions"] for one in at_holds(acts)] == [1, 2, 1, 0]


@pytest.mark.thorough
def test_more_sessions_than_have_room(act, trace):
    actor = act("begin:1", *["login:%d" % (one + 1) for one in range(32768)],
                *["login:%d" % (one + 32768) for one in range(4)], "end:0")
    tracer = trace(actor, "--json")
    actor.play()
    (report,), _ = tracer.reports()
    assert report["now"]["sessions"] == 32768
    assert report["lost"]["sessions"] == 3


OPEN = ["begin:%d" % w.CREATE, "end:0"]
CLOSE = ["begin:%d" % w.CLOSE, "close:1", "end:0"]


def test_open_files(at_holds):
    """One that could not be opened is not open; a LOGOFF closes the rest."""
    acts = ["login:1", *OPEN * 3, "hold:0", *CLOSE, "hold:0",
            "begin:5", "end:%d" % w.ACCESS_DENIED, "hold:0",
            "begin:6", "end:%d" % w.FILE_CLOSED, "hold:0",
            "begin:2", "logoff:1", "end:0"]
    assert at_holds(acts) == [
        now(1, 1, count) for count in (3, 2, 2, 2)] + [now()]


@pytest.mark.thorough
def test_open_files_of_a_command_that_is_not_counted(at_holds):
    acts = [*OPEN * 3, *CLOSE]
    assert at_holds(acts, "--command", "read") == [now(1, 0, 2)]


def test_requests_under_way(at_holds):
    """More than a process keeps itself; a NOTIFY is never there."""
    acts = []
    for which in range(9):
        acts += ["req:%d" % which, "begin:%d" % (8 + which % 2), "wait:0"]
    for which in (9, 10):
        acts += ["req:%d" % which, "begin:%d" % NOTIFY, "wait:0"]
    acts += ["hold:0"]
    for which in (0, 10, 7):
        acts += ["req:%d" % which, "end:0", "wait:0"]
    assert at_holds(acts) == [now(requests=11, notifies=2),
                              now(requests=8, notifies=1)]


@pytest.mark.alone
@pytest.mark.thorough
def test_a_request_that_runs_for_long(act, trace, monkeypatch):
    """It has made no hit yet, but its packet has come."""
    monkeypatch.setenv("TSMBD_OLD_KERNEL", "socket")
    actor = act("begin:8", "end:0", "wait:0", "begin:8", "hold:0", "end:0")
    tracer = trace(actor, "--json", "-i", "0.3")
    actor.play()
    seen = []
    while [one["now"]["requests"] for one in seen[-2:]] != [1, 1]:
        assert len(seen) < 100, seen
        seen.append(json.loads(tracer.process.stdout.readline()))
    actor.play()
    reports, _ = tracer.reports()
    assert reports[-1]["now"]["requests"] == 0
    assert sum(one["requests"] for one in seen + reports) == 2


@pytest.mark.parametrize("options", [
    (), pytest.param(("--slow", "60000"), marks=pytest.mark.thorough)])
def test_a_process_that_ends(act, trace, options):
    """With its sessions, its files and whatever it still did."""
    actor = act("login:1", *OPEN, "begin:8", "wait:0", "req:1",
                "begin:%d" % NOTIFY, "wait:0", "leave:0")
    other = act("begin:8", "wait:0")
    tracer = trace(None, "--json", *options)
    other.play()
    actor.go()
    actor.process.wait()
    assert tracer.report()["now"] == now(requests=1)


@pytest.mark.alone
@pytest.mark.thorough
def test_only_of_the_clients_that_are_wanted(act, trace):
    acts = ["login:1", *OPEN, "begin:8", "wait:0", "req:1",
            "begin:%d" % NOTIFY, "wait:0"]
    actors = [act("client:ipv4:192.0.2.%d:1" % host, *acts)
              for host in (1, 2, 3)]
    tracers = [trace(None, "--json", "--client", hosts) for hosts in
               ("192.0.2.1", "192.0.2.2,192.0.2.3", "192.0.2.4")]
    for actor in actors:
        actor.play()
    assert [tracer.report()["now"] for tracer in tracers] == [
        now(count, count, count, 2 * count, count) for count in (1, 2, 0)]


def one_of(report, opcode):
    found, = [one for one in report["operations"] if one["opcode"] == opcode]
    return found


def test_a_change_may_take_its_time(act, trace):
    """Waiting for a change is not latency; answering is."""
    actor = act("user:anna", "begin:%d" % NOTIFY, "wait:200", "spin:20",
                "end:0", "wait:1")
    tracer = trace(actor, "--json", "--slow", "10", "--top", "users")
    began = time.monotonic_ns()
    times = actor.play()
    others = time.monotonic_ns() - began - times["wait"][0]
    (report,), (event,) = tracer.reports()
    notify = one_of(report, NOTIFY)
    assert notify["count"] == 1
    assert 20000 <= notify["total_us"] <= others / 1000
    assert 20000 * 15 / 16 <= notify["p99_us"] <= notify["max_us"]
    assert notify["max_us"] <= others / 1000
    assert notify["waited_us"] * 1000 >= times["wait"][0] - MS
    assert notify["waited_for"] == "changes"
    user, = report["top"]["users"]
    assert user["total_us"] == notify["total_us"]
    assert event["name"] == "SMB2_OP_NOTIFY"


def test_a_lock_may_not(act, trace):
    actor = act("begin:%d" % w.LOCK, "wait:200", "spin:20", "end:0", "wait:1")
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    (report,), (event,) = tracer.reports()
    lock = one_of(report, w.LOCK)
    assert event["name"] == "SMB2_OP_LOCK" and lock["waited_for"] == "locks"
    assert event["total_us"] >= lock["total_us"] >= 219000
    assert 199000 <= lock["waited_us"] <= lock["total_us"] - 19000
    assert lock["p99_us"] >= 219000 * 15 / 16


@pytest.mark.parametrize("opcode, waits_for", [
    (w.READ, "threads"), (w.WRITE, "threads"), (w.FLUSH, "threads"),
    (w.LOCK, "locks"), (NOTIFY, "changes"), (w.CREATE, "other"),
    (w.IOCTL, "other")])
def test_what_is_waited_for(act, trace, opcode, waits_for):
    actor = act("begin:%d" % opcode, "wait:20", "end:0", "wait:1")
    tracer = trace(actor, "--json")
    as_text = trace(actor)
    actor.play()
    one, = tracer.report()["operations"]
    assert one["waited_for"] == waits_for
    assert 19000 <= one["waited_us"]
    assert one["running_us"] <= one["total_us"] + 1
    text = as_text.stop()
    assert text.count("  %s\n" % waits_for) == 1, text


def test_as_text(act, trace):
    actor = act("login:1", *OPEN * 3, "begin:%d" % NOTIFY, "wait:0")
    tracer = trace(actor)
    actor.play()
    text = tracer.stop()
    for title, value in (("Connected at the end", "1"), ("Sessions", "1     that began since "
                          "the start"),
                         ("Open files", "3"),
                         ("Requests under way", "1             1 wait for "
                          "changes")):
        assert "\n%-30s: %s%s\n" % (title, " " * 9, value) in text, text
