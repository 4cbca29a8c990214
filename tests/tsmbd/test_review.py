# SPDX-License-Identifier: BSD-2-Clause
"""Defects that a review of the programs for the kernel has found."""

import fcntl
import json
import signal
import struct
import termios
import time

import pytest

import demo_wire as w
from demo_server import wait_until


def unread(pipe):
    count = bytearray(4)
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return struct.unpack("i", count)[0]


def is_full(pipe):
    """Whoever writes to it all the time has to wait."""
    before = unread(pipe)
    time.sleep(0.3)
    return 0 < before == unread(pipe)


def test_an_open_that_waits_once_more_has_waited_for_its_holder(act, trace):
    """The second time it is the share mode, for which nobody is asked."""
    actor = act("inode:100", "wait:1", "begin:%d" % w.CREATE, "defer:77",
                "wait:30", "retry:0", "inode:101", "refuse:0", "wait:5",
                "retry:0", "end:0", "wait:1")
    tracer = trace(actor, "--json", "--oplocks")
    actor.play()
    (report,), events = tracer.reports()
    waited, = [event for event in events if event["event"] == "open_wait"]
    assert (waited["holder"], waited["inode"]) == (77, 100)
    assert waited["waited_us"] >= 35000
    assert len(report["waits"]) == 1


@pytest.mark.thorough
def test_requests_under_way_are_counted_once(act, trace):
    """While others come and go: eleven of these are in the map of all."""
    requests = range(15)
    acts = ["req:%d" % at for at in requests for _ in range(2)]
    acts[1::2] = ["begin:%d" % w.READ for _ in requests]
    acts += [word for at in requests for word in ("req:%d" % at, "end:0")]
    actors = [act("wait:1", "from:0", *acts, "again:20000") for _ in range(4)]
    tracer = trace(None, "--json", "-i", "0.02")
    for actor in actors:
        actor.go()
    for actor in actors:
        actor.read()
    reports, _ = tracer.reports()
    most = max(report["now"]["requests"] for report in reports)
    assert 0 < most <= len(actors) * len(requests)
    assert reports[-1]["now"]["requests"] == 0


@pytest.mark.thorough
def test_requests_under_way_are_those_of_the_filter(act, trace):
    actors = [act("wait:1", "client:ipv4:192.0.2.%d:1" % at,
                  "begin:%d" % w.CHANGE_NOTIFY, "wait:1") for at in (1, 2)]
    tracer = trace(None, "--json", "--client=192.0.2.2")
    for actor in actors:
        actor.play()
    now = tracer.report()["now"]
    assert (now["processes"], now["requests"], now["notifies"]) == (1, 1, 1)


@pytest.mark.thorough
def test_a_signal_does_not_cut_off_a_report_that_waits_for_its_reader(
        act, trace):
    actor = act("wait:1")
    tracer = trace(actor, "--json", "-i", "0.01")
    wait_until(lambda: is_full(tracer.process.stdout), "a full pipe")
    tracer.process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    lines = tracer.output().splitlines()
    assert all("elapsed_us" in json.loads(line) for line in lines)
    tracer.check()


def test_a_logon_that_fails_ends_no_session(act, trace):
    """smbd drops what it has begun for it, which is the end of a session."""
    actor = act("wait:1", "login:1", "login:2", "begin:%d" % w.CREATE, "end:0",
                "logoff:3", "logoff:2", "hold:0", "logoff:1", "wait:1")
    tracer = trace(actor, "--json")
    first = trace(actor, "--json")
    actor.play()
    now = first.report()["now"]
    assert (now["sessions"], now["open_files"]) == (1, 1)
    actor.play()
    now = tracer.report()["now"]
    assert (now["sessions"], now["open_files"]) == (0, 0)


def flip(name, bits):
    name = bytearray(name)
    for at in bits:
        name[at // 8] ^= 1 << at % 8
    return bytes(name)


def test_two_files_are_two_rows(act, trace):
    """Even if they differ by what one multiplication lets through."""
    one = b"0123456789abcdef"
    other = flip(one, (63, 64 + 31, 64 + 63))
    actor = act("wait:1", *(word for name in (one, other) for word in (
        b"file:" + name, "begin:%d" % w.READ, "end:0")), "wait:1")
    tracer = trace(actor, "--json", "--top", "files")
    actor.play()
    names = [row["name"] for row in tracer.report()["top"]["files"]]
    assert len(names) == 2 and one.decode() in names
