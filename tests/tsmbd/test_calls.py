# SPDX-License-Identifier: BSD-2-Clause
"""System calls: how many there are, and whose they are."""

import subprocess

import pytest

CALLS = 3000
OTHERS = 200
# what a process does until it is known by its first probe, and waits
KNOWN = "wait:0", "begin:5", "end:0", "wait:0"


@pytest.fixture(params=[
    "", pytest.param("slots", marks=pytest.mark.thorough)], autouse=True)
def places(request, monkeypatch):
    """Each thread has a place of its own, or all threads want the same one."""
    if request.param:
        monkeypatch.setenv("TSMBD_OLD_KERNEL", request.param)


def calls_of(report):
    return {call["name"]: call["count"] for call in report["syscalls"]}


@pytest.mark.parametrize("last", ["wait:1", "hold:0"])
def test_how_many(act, trace, last):
    """Also those of a process that does nothing else afterwards."""
    actor = act("wait:0", "begin:5", "calls:%d" % CALLS, "end:0", last)
    tracer = trace(actor, "--json", "-s")
    times = actor.play()
    report = tracer.report()
    assert calls_of(report)["fcntl"] == CALLS
    # this process may lose the CPU in any of the others
    others = sum(call["total_us"] + 1 for call in report["syscalls"]
                 if call["name"] != "fcntl")
    assert 0 < (report["syscalls_us"] - others) * 1000 < times["calls"][1]


def test_each_has_a_counter_of_its_own(act, trace):
    """Whether smbd makes it often or not."""
    actor = act("wait:0", "begin:5", "open:0", "calls:5", "open:0",
                "nested:0", "end:0", "wait:0")
    tracer = trace(actor, "--json", "-s")
    actor.play()
    found = calls_of(tracer.report())
    assert {name: found.get(name) for name in (
        "openat", "fcntl", "epoll_create1", "close", "dup3")} == {
            "openat": 2, "fcntl": 5, "epoll_create1": 1, "close": 1,
            "dup3": None}


def test_outside_of_requests(act, trace):
    """Most of the time is there, though nothing begins or ends."""
    actor = act("wait:0", "begin:5", "end:0", "calls:%d" % CALLS)
    tracer = trace(actor, "--json", "-s")
    actor.play()
    report = tracer.report()
    fcntl, = [call for call in report["syscalls"] if call["name"] == "fcntl"]
    assert fcntl["count"] == CALLS
    assert report["syscalls_us"] >= fcntl["total_us"] - 102


def test_whose_they_are(act, trace):
    """Each request has its own, and none has those in between."""
    actor = act("wait:0", "req:1", "mid:1", "begin:5", "calls:%d" % CALLS,
                "end:0", "calls:%d" % CALLS, "wait:0", "req:2", "mid:2",
                "begin:5", "end:0", "wait:1")
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    _, events = tracer.reports()
    vfs = {event["mid"]: event["vfs_us"] for event in events}
    total, = [event["total_us"] for event in events if event["mid"] == 1]
    assert 0 < vfs[1] < total
    assert vfs[2] * CALLS < 10 * vfs[1]


def test_a_request_that_is_left(act, trace):
    """Its calls are counted when it waits, and more of them when it ends."""
    actor = act("wait:0", "req:1", "mid:1", "begin:9", "calls:%d" % CALLS,
                "wait:1", "req:2", "mid:2", "begin:5", "end:0", "wait:1",
                "req:1", "mid:1", "calls:%d" % CALLS, "end:0", "wait:1")
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    _, events = tracer.reports()
    vfs = {event["mid"]: event["vfs_us"] for event in events}
    assert set(vfs) == {1, 2}
    assert vfs[2] * CALLS < 10 * vfs[1]


def test_of_two_at_once(act, trace):
    """A thread's place is its own until it exits, and then another's."""
    actors = [act(*KNOWN, "begin:5", "calls:%d" % CALLS, "end:0", "wait:0")
              for _ in range(4)]
    tracer = trace(None, "--json", "-s")
    first = actors.pop(0)
    first.play()
    first.end()
    for actor in actors:
        actor.go()
    for actor in actors:
        actor.read()
    assert calls_of(tracer.report())["fcntl"] == 4 * CALLS


def test_of_others_afterwards(act, trace):
    """The memory of the registers of a process that has ended is used for
    other processes, which are not traced."""
    actors = [act(*KNOWN, "begin:5", "calls:%d" % CALLS, "end:0", "wait:0")
              for _ in range(4)]
    tracer = trace(None, "--json", "-s")
    for actor in actors:
        actor.play()
        actor.end()
    subprocess.run(["sh", "-c", "for i in $(seq %d); do env true; done" %
                    OTHERS], check=True)
    found = calls_of(tracer.report())
    assert found["fcntl"] == 4 * CALLS
    assert "execve" not in found
    assert found.get("openat", 0) < OTHERS
