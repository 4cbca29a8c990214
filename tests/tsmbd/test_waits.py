# SPDX-License-Identifier: BSD-2-Clause
"""--oplocks: who waited for whom, and as long as CREATE says."""

import os
import re
import signal
import socket
import subprocess

import pytest

import demo_wire as w
from demo_server import LIMIT

pytestmark = pytest.mark.shared

CANCELLED = 0xc0000120
MS = 1000000    # it may lose the CPU before the wait begins


def oplock_us(report):
    create, = [one for one in report["operations"]
               if one["opcode"] == w.CREATE]
    return create["oplock_us"]


def rows(report):
    """By holder and file; their sum is what CREATE has waited."""
    waits = report["waits"]
    assert sum(one["total_us"] for one in waits) == pytest.approx(
        oplock_us(report), abs=len(waits) / 2 + 1)
    assert all(one["max_us"] <= one["total_us"] for one in waits)
    found = {(one["holder"], one["file"]): one for one in waits}
    assert len(found) == len(waits)
    return found


def waited(events):
    return [one for one in events if one["event"] == "open_wait"]


@pytest.mark.alone
@pytest.mark.thorough
def test_lines_are_lost_but_no_wait(act, trace):
    """tsmbd reads nothing while the ring fills up: the table is complete."""
    rounds = 10000
    holder = act("client:ipv4:192.0.2.7:1", "hold:0")
    tracer = trace(None, "--json", "--oplocks")
    holder.play()
    actor = act("client:ipv4:192.0.2.8:2", "inode:5", "from:0", "file:one",
                "begin:5", "defer:%d" % holder.pid, "wait:0", "retry:0",
                "end:0", "file:two", "begin:5", "refuse:0", "wait:0",
                "retry:0", "end:0", "begin:8", "end:0",
                "again:%d" % (rounds - 1))
    os.kill(tracer.process.pid, signal.SIGSTOP)
    actor.play()
    os.kill(tracer.process.pid, signal.SIGCONT)
    (report,), events = tracer.reports()
    assert report["lost"]["lines"] > 0
    assert {name: lost for name, lost in report["lost"].items()
            if lost} == {"lines": report["lost"]["lines"]}
    assert 0 < len(waited(events)) < 2 * rounds
    found = rows(report)
    # the second has the inode that was asked for just before
    assert {key: one["count"] for key, one in found.items()} == {
        ("ipv4:192.0.2.7:1", "one"): rounds,
        ("ipv4:192.0.2.7:1", "two"): rounds}
    assert {one["client"] for one in report["waits"]} == {"ipv4:192.0.2.8:2"}


def test_a_share_mode(act, trace):
    """No holder was asked."""
    actor = act("inode:5", "begin:5", "refuse:0", "wait:30", "retry:0",
                "end:0")
    tracer = trace(actor, "--json", "--oplocks")
    as_text = trace(actor, "--oplocks")
    times = actor.play()
    (report,), events = tracer.reports()
    event, = waited(events)
    assert (event["holder"], event["holder_client"]) == (0, "")
    assert (event["inode"], event["file"]) == (0, "file")
    assert event["waited_us"] * 1000 >= times["wait"][0] - MS
    assert rows(report)["", "file"]["count"] == 1
    lines = as_text.stop()
    assert ' ms for - - "share/file"\n' in lines, lines
    assert re.search(r"^ +1 +\d+ +\d+  pid:%d +- +share/file$" % actor.pid,
                     lines, re.MULTILINE), lines


def test_one_that_is_withdrawn(act, trace):
    """It has no open_retry; the time until then is counted."""
    holder = act()
    actor = act("inode:5", "begin:5", "defer:%d" % holder.pid, "wait:40",
                "end:%d" % CANCELLED, "wait:0", "begin:5", "end:0")
    tracer = trace(actor, "--json", "--oplocks")
    times = actor.play()
    (report,), events = tracer.reports()
    event, = waited(events)
    assert event["holder"] == holder.pid
    assert event["waited_us"] * 1000 >= times["wait"][0] - MS
    assert rows(report)["pid:%d" % holder.pid, "file"]["count"] == 1


@pytest.mark.parametrize("opens", [2, 6])
def test_several_opens_wait_at_a_time(act, trace, opens):
    """Each for its own holder; they end in another order."""
    holders = [act() for _ in range(opens)]
    acts = []
    for which, holder in enumerate(holders):
        acts += ["req:%d" % which, "inode:%d" % (50 + which), "begin:5",
                 "defer:%d" % holder.pid, "wait:10"]
    for which in reversed(range(opens)):
        acts += ["req:%d" % which, "file:file %d" % which, "retry:10",
                 "end:0", "wait:1"]
    actor = act(*acts)
    tracer = trace(actor, "--json", "--oplocks")
    actor.play()
    (report,), events = tracer.reports()
    assert [(one["holder"], one["inode"], one["file"]) for one in
            waited(events)] == [(holders[which].pid, 50 + which,
                                 "file %d" % which)
                                for which in reversed(range(opens))]
    found = rows(report)
    assert set(found) == {("pid:%d" % holder.pid, "file %d" % which)
                          for which, holder in enumerate(holders)}
    times = [found["pid:%d" % holder.pid, "file %d" % which]["total_us"]
             for which, holder in enumerate(holders)]
    assert times == sorted(times, reverse=True)     # the first waited longest
    assert times[0] - times[-1] >= (opens - 1) * 20000


def test_a_holder_that_has_ended(act, trace):
    """The client of the holder is the one when it was asked."""
    holder = act("client:ipv4:192.0.2.7:1", "hold:0", "leave:0")
    actor = act("inode:5", "begin:5", "defer:%d" % holder.pid, "hold:0",
                "wait:20", "retry:0", "end:0")
    tracer = trace(None, "--json", "--oplocks")
    holder.play()
    actor.play()
    holder.go()
    holder.process.wait(LIMIT)
    actor.play()
    (report,), events = tracer.reports()
    event, = waited(events)
    assert event["holder"] == holder.pid
    assert event["holder_client"] == "ipv4:192.0.2.7:1"
    assert rows(report)["ipv4:192.0.2.7:1", "file"]["count"] == 1


def test_a_holder_on_another_node(act, trace):
    """A process here that has its pid is not it."""
    holder = act("client:ipv4:192.0.2.7:1", "hold:0")
    actor = act("node:1", "inode:5", "begin:5", "defer:%d" % holder.pid,
                "wait:1", "retry:1", "end:0")
    tracers = [trace(None, "--json", "--oplocks"), trace(None, "--oplocks")]
    holder.play()
    actor.play()
    (report,), events = tracers[0].reports()
    asked, = [one for one in events if one["event"] == "break_request"]
    event, = waited(events)
    for one in asked, event:
        assert (one["holder_vnn"], one["holder"]) == (1, holder.pid)
    assert event["holder_client"] == "pid:%d" % holder.pid
    row = rows(report)["pid:%d" % holder.pid, "file"]
    assert row["holder_vnn"] == 1
    assert "vnn" not in report
    text = tracers[1].stop()
    assert " holder=1:%d break_to=R\n" % holder.pid in text, text
    assert ' ms for 1:%d pid:%d "share/file"\n' % (
        holder.pid, holder.pid) in text, text
    assert re.search(r" 1:pid:%d +share/file$" % holder.pid, text,
                     re.MULTILINE), text
    assert "192.0.2.7:1 " not in text.split(" open_wait ")[1], text


@pytest.mark.alone
def test_the_number_of_this_node(act, trace):
    """It is known when a process here gets what another one here sent."""
    holder = act("client:ipv4:192.0.2.7:1", "hold:0")
    acts = ["node:0", "inode:5", "self:0"]
    for node in range(2):
        acts += ["node:%d" % node, "file:%d" % node, "begin:5",
                 "defer:%d" % holder.pid, "wait:1", "retry:1", "end:0"]
    actor = act(*acts)
    tracer = trace(None, "--json", "--oplocks")
    holder.play()
    actor.play()
    (report,), events = tracer.reports()
    here, there = waited(events)
    assert here["holder"] == there["holder"] == holder.pid
    assert "holder_vnn" not in here and there["holder_vnn"] == 1
    assert here["holder_client"] == "ipv4:192.0.2.7:1"
    assert there["holder_client"] == "pid:%d" % holder.pid
    found = rows(report)
    assert "holder_vnn" not in found["ipv4:192.0.2.7:1", "0"]
    assert found["pid:%d" % holder.pid, "1"]["holder_vnn"] == 1
    assert report["vnn"] == 0


@pytest.mark.parametrize("node, local", [
    pytest.param("0", False, marks=pytest.mark.thorough), ("1", True)])
def test_the_number_of_this_node_is_given(act, trace, node, local):
    """Then the first wait tells who is on another one."""
    holder = act("client:ipv4:192.0.2.7:1", "hold:0")
    actor = act("node:1", "inode:5", "begin:5", "defer:%d" % holder.pid,
                "wait:1", "retry:1", "end:0")
    tracer = trace(None, "--json", "--oplocks", "--node=" + node)
    holder.play()
    actor.play()
    (report,), events = tracer.reports()
    event, = waited(events)
    assert event.get("holder_vnn") == (None if local else 1)
    assert event["holder_client"] == (
        "ipv4:192.0.2.7:1" if local else "pid:%d" % holder.pid)
    assert report["vnn"] == int(node)


@pytest.fixture
def connected():
    """A process with a client that only its socket tells, as it was there
    before the tracing; and the name of that client."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            own, _ = server.accept()
            process = subprocess.Popen(["sleep", "1000"],
                                       pass_fds=[own.fileno()])
            own.close()
            yield process, "ipv4:%s:%d" % client.getsockname()
            process.kill()
            process.wait()


@pytest.mark.alone
@pytest.mark.parametrize("privacy", [
    False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_holder_with_a_socket(act, trace, tmp_path, connected, privacy):
    """One on another node has not the client of the process here, and the
    number for its hidden name is not that of this client either."""
    holder, name = connected
    acts = []
    for node in (0xffffffff, 1):
        acts += ["node:%d" % node, "file:%d" % node, "begin:5",
                 "defer:%d" % holder.pid, "wait:1", "retry:1", "end:0"]
    actor = act("inode:5", *acts)
    options = ["--privacy=hash",
               "--textfile=%s" % (tmp_path / "tsmbd.prom")] * privacy
    tracer = trace(None, "--json", "--oplocks", *options)
    actor.play()
    (report,), events = tracer.reports()
    here, there = [one["holder_client"] for one in waited(events)]
    if privacy:
        assert re.match("[0-9a-f]{16}$", here)
        assert re.match("[0-9a-f]{16}$", there)
        assert here != there
    else:
        assert (here, there) == (name, "pid:%d" % holder.pid)
    assert {one["holder"]: one.get("holder_vnn") for one in
            report["waits"]} == {here: None, there: 1}


def test_each_report_has_its_own_waits(act, trace):
    """With -i a wait belongs to the report in which its request ended."""
    actor = act("inode:5", "begin:5", "refuse:0", "wait:250", "retry:0",
                "end:0", "wait:150")
    tracer = trace(actor, "--json", "--oplocks", "-i", "0.1")
    actor.play()
    reports, _ = tracer.reports()
    with_waits = [report for report in reports if report["waits"]]
    assert len(with_waits) == 1
    assert rows(with_waits[0])["", "file"]["total_us"] >= 240000
