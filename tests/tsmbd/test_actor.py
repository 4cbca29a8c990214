# SPDX-License-Identifier: BSD-2-Clause
"""Phases, waits and stacks of a process that does what the test says."""

import os
import pathlib
import re
import signal
import time

import pytest

import demo_wire as w
from actor import is_between
from demo_server import wait_until

pytestmark = pytest.mark.shared

CANCELLED = 0xc0000120


def test_waiting_for_ctdb_is_no_running(act, trace):
    actor = act("wait:5", "begin:%d" % w.CREATE, "ctdb:40", "end:0", "wait:5")
    tracer = trace(actor, "--json")
    times = actor.play()
    report = tracer.report()
    create, = report["operations"]
    assert is_between(report["phases_us"]["ctdb"], times["ctdb"])
    assert is_between(create["ctdb_us"], times["ctdb"])
    assert create["running_us"] + create["ctdb_us"] <= create["total_us"] + 1
    assert report["ctdb_requests"] == 1
    assert report["sum_us"] == pytest.approx(report["process_us"], rel=0.01)


def test_who_waited_for_whom(act, trace):
    """The same time in the line, the table and the column of the request."""
    holder = act("open:0")
    holder.play()
    actor = act("open:0", "wait:5", "begin:%d" % w.CREATE,
                "defer:%d" % holder.pid, "wait:1", "retry:30", "end:0",
                "wait:5")
    tracer = trace(actor, "--json", "--oplocks")
    as_text = trace(actor, "--oplocks")
    times = actor.play()
    tells_the_same(as_text.stop(), actor, holder)
    (report,), events = tracer.reports()
    waited, = [event for event in events if event["event"] == "open_wait"]
    assert waited["pid"] == actor.pid and waited["holder"] == holder.pid
    assert waited["holder_client"] == "pid:%d" % holder.pid
    assert (waited["share"], waited["file"]) == ("share", "file")
    assert is_between(waited["waited_us"], times["retry"])
    table, = report["waits"]
    assert (table["count"], table["file"]) == (1, waited["file"])
    assert table["total_us"] == pytest.approx(waited["waited_us"], abs=1)
    create, = report["operations"]
    assert is_between(create["oplock_us"], times["retry"])


@pytest.mark.alone
def test_a_loop_inside_a_request_is_no_wait_for_events(act, trace):
    actor = act("wait:30", "begin:%d" % w.WRITE, "nested:20", "end:0",
                "wait:1")
    tracer = trace(actor, "--json")
    times = actor.play()
    report = tracer.report()
    write, = report["operations"]
    assert write["running_us"] * 1000 >= times["nested"][0]
    assert report["phases_us"]["run"] >= times["nested"][0] / 1000
    assert report["events"] == 2


def test_one_that_ends_before_the_next_wait_ends_the_running_of_another(
        act, trace):
    """The READ ends while the WRITE is in a thread: what follows is sending."""
    actor = act("req:1", "begin:%d" % w.READ, "wait:5", "req:2",
                "begin:%d" % w.WRITE, "req:1", "end:0", "spin:1000", "wait:5",
                "req:2", "end:0", "wait:1")
    tracer = trace(actor, "--json")
    actor.play()
    report = tracer.report()
    operations = {one["name"]: one for one in report["operations"]}
    assert operations["SMB2_OP_WRITE"]["running_us"] < 1000000
    assert report["phases_us"]["send"] >= 1000000
    assert report["sum_us"] == pytest.approx(report["process_us"], rel=0.01)


def test_an_open_that_is_withdrawn_has_waited(act, trace):
    actor = act("open:0", "begin:%d" % w.CREATE, "defer:1", "wait:40",
                "end:%d" % CANCELLED, "wait:1")
    tracer = trace(actor, "--json")
    times = actor.play()
    create, = tracer.report()["operations"]
    assert create["oplock_us"] * 1000 >= times["wait"][0] - 2000
    assert create["running_us"] + create["oplock_us"] <= \
        create["total_us"] + 1


def test_a_cancel_that_is_rejected(act, trace):
    """It has an end, though no CANCEL has one that is not."""
    actor = act("wait:1", "begin:%d" % w.CANCEL, "spin:20", "end:1",
                "spin:1000", "wait:1")
    tracer = trace(actor, "--json")
    actor.play()
    report = tracer.report()
    cancel, = report["operations"]
    assert cancel["count"] == 1
    assert 20000 <= cancel["running_us"] <= cancel["total_us"] < 1000000


def test_a_request_may_outlive_its_connection(act, trace):
    """Another channel keeps the process, and smbd waits for it."""
    actor = act("begin:%d" % w.READ, "wait:5", "gone:0", "wait:5", "end:0",
                "wait:1")
    tracers = [trace(actor, "--json"), trace(actor, "--json", "--slow", "0")]
    actor.play()
    for tracer in tracers:
        assert tracer.report()["requests"] == 1


def test_a_reply_that_cannot_be_sent_has_a_line(act, trace):
    actor = act("begin:%d" % w.READ, "result:0", "spin:20", "gone:0", "wait:1")
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    _, (event,) = tracer.reports()
    assert event["name"] == "SMB2_OP_READ" and event["file"] == "file"
    assert event["send_us"] >= 20000


EPOLL_WAIT = "232"      # x86-64's number


def sleeps_in(pid):
    """Returns the number of the system call in which a process sleeps."""
    path = pathlib.Path("/proc/%d/syscall" % pid)
    return path.read_text().split()[0]


@pytest.mark.alone
def test_it_was_waiting_when_the_tracing_began(act, trace):
    """The event that ends the wait is not a packet."""
    def has_waited():
        actor = act("begin:%d" % w.READ, "wait:600000", "end:0", "wait:1")
        actor.go()
        wait_until(lambda: sleeps_in(actor.pid) == EPOLL_WAIT, "it waits")
        tracer = trace(actor, "--json")
        time.sleep(0.2)         # so long the wait is, at least
        os.kill(actor.pid, signal.SIGSTOP)      # which ends epoll_wait()
        os.kill(actor.pid, signal.SIGCONT)
        actor.read()
        phases = tracer.report()["phases_us"]
        return phases["wait"] > 10 * phases["run"]

    # a machine that stands still adds to what runs
    assert any(has_waited() for _ in range(5))


@pytest.mark.alone
def test_a_request_that_was_there_before(act, trace):
    """It is not counted, but what its process did is known."""
    actor = act("begin:%d" % w.WRITE, "hold:0", "spin:2000", "end:0", "wait:1",
                "begin:%d" % w.ECHO, "end:0")
    actor.play()
    tracer = trace(actor, "--json")
    actor.play()
    report = tracer.report()
    echo, = report["operations"]
    assert report["requests"] == echo["count"] == 1
    assert report["phases_us"]["run"] > report["phases_us"]["wait"]


MANY = 9    # a process keeps four itself


def test_many_requests_at_a_time(act, trace):
    """Each has its own status and the name of its own file; what begins where
    another one was has nothing of it."""
    acts = []
    for which in range(MANY):
        acts += ["req:%d" % which, "begin:%d" % w.CLOSE, "close:0", "wait:1"]
    for which in reversed(range(MANY)):
        acts += ["req:%d" % which, "end:%d" % (which + 1), "wait:1"]
    for which in range(MANY):
        acts += ["req:%d" % which, "begin:%d" % w.CLOSE, "wait:1"]
    for which in range(MANY):
        acts += ["req:%d" % which, "end:%d" % (which + 1), "wait:1"]
    actor = act("file:", *acts)
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    (report,), events = tracer.reports()
    numbers = [*reversed(range(MANY)), *range(MANY)]
    assert [event["status"] for event in events] == [
        "0x%08x" % (number + 1) for number in numbers]
    assert [event["file"] for event in events] == [
        "closed %d" % number for number in numbers[:MANY]] + [""] * MANY
    assert [event["user"] for event in events] == ["user"] * 2 * MANY
    close, = report["operations"]
    assert close["count"] == close["errors"] == 2 * MANY
    assert not any(report["lost"].values())


def tells_the_same(text, actor, holder):
    assert re.search(r" break_request inode=\d+ share_file_id=7 holder=%d "
                     r"break_to=R$" % holder.pid, text, re.MULTILINE), text
    assert re.search(r" open_wait \d+\.\d ms for %d pid:%d \"share/file\"$" % (
        holder.pid, holder.pid), text, re.MULTILINE), text
    assert re.search(r"^ +1 +\d+ +\d+  pid:%d +pid:%d +share/file$" % (
        actor.pid, holder.pid), text, re.MULTILINE), text


def test_an_exit_has_functions(act, trace):
    actor = act("begin:5", "exit:1", "end:0")
    tracer = trace(actor, "--json", "--exit")
    actor.play()
    _, events = tracer.reports()
    event, = events
    assert event["event"] == "exit" and event["how"] == 1
    assert event["text"] == "the last act"
    assert re.match(r"do_exit\+0x[0-9a-f]+ \(actor\+0x[0-9a-f]+\)$",
                    event["stack"][0])
    assert event["stack"][1].startswith("main+0x")


HOSTILE = b'a\nb\x1b[2J\xc2\x9b\xff"\xe2\x80\xae \xc3\xa4'


def test_names_of_files_do_no_harm(act, trace):
    """No text that clears the screen, reverses a line or begins another."""
    actor = act(b"file:" + HOSTILE, "begin:5", "end:0")
    tracers = [trace(actor, "--slow", "0", "--top", "files"),
               trace(actor, "--json", "--slow", "0", "--top", "files")]
    actor.play()
    text = tracers[0].stop()
    assert ' "a?b?[2J??????? \xe4"\n' in text, text
    assert re.search(r'^ +1 .*  share/a\?b\?\[2J\?\?\?"\?\?\? \xe4$', text,
                     re.MULTILINE), text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    (report,), (event,) = tracers[1].reports()
    assert event["file"] == 'a\nb\x1b[2J\x9b\ufffd"\u202e \xe4'
    assert report["top"]["files"][0]["name"] == event["file"]


@pytest.mark.parametrize("name, shown, path", [
    (b"-", '"-"', "share/-"), (b"", "-", "-"), (b"--", "--", "share/--")])
def test_a_name_that_looks_like_none(act, trace, name, shown, path):
    actor = act(b"file:" + name, b"user:" + name, "begin:5", "end:0")
    files = trace(actor, "--slow", "0", "--top", "files")
    users = trace(actor, "--top", "users")
    actor.play()
    text = files.stop()
    assert re.search(r' %s share SMB2_OP_CREATE .* 0 "%s"$' % (
        shown, name.decode()), text, re.MULTILINE), text
    assert re.search(r"^ +1 .*  %s$" % path, text, re.MULTILINE), text
    assert re.search(r"^ +1 .*  %s$" % shown, users.stop(), re.MULTILINE)
