# SPDX-License-Identifier: BSD-2-Clause
"""Few hits: which probes are traced, and that no more are needed."""

import datetime
import json
import os
import signal
import subprocess
import time

import pytest

import demo_wire as w
from demo_server import LIMIT, wait_until
from tsmbd_run import is_asleep, leaving

CANCELLED = 0xc0000120
READS = 400
SIZE = 1 << 16
ALWAYS = {"request_resume", "request_cancel"}
NOTED = {"request_notes"}


def traced(build, pid):
    """The probes of requests and packets that are traced in a process."""
    text = subprocess.run(
        [build / "lib" / "tool" / "sdtkit", "list", "-jt", "-p", str(pid),
         "smb2:request_*,smb2:*_start,smbnet:pdu_*", "!smb2:session_*"],
        check=True, stdout=subprocess.PIPE, timeout=LIMIT,
        universal_newlines=True).stdout
    return {probe["probe"] for file in json.loads(text)["files"]
            for probe in file["probes"]}


@pytest.mark.parametrize("options, end, others", [
    ((), "request_summary", set()),
    (("--slow", "1"), "request_details", {"pdu_delayed", "pdu_delayed_sent"}),
    *[pytest.param(options, end, set(), marks=pytest.mark.thorough) for options, end in [
        (("-s", "--command", "read", "--top", "clients"), "request_summary"),
        (("-d",), "request_details"),
        (("--top", "files,users"), "request_details"),
        (("--share", "a"), "request_details"),
        (("--errors",), "request_details"),
        (("--exit",), "request_details")]],
])
@pytest.mark.parametrize("lacks", ["", *[
    pytest.param(name, marks=pytest.mark.thorough) for name in ("notes", "sock")]])
def test_which_are_traced(build, act, trace, lacks, options, end, others):
    """Notes if the kernel has what it takes to read them, and rare ones; or
    else the one at the end of a request, and the one when it waits."""
    while leaving:      # a tracer of this file that still leaves traces it
        leaving.pop().check()
    actor = act("wait:0")
    trace(actor, *options,
          env={**os.environ, "TSMBD_OLD_KERNEL": lacks or "nothing"})
    probes = {end, "request_suspend"} if lacks else NOTED
    if lacks == "sock":
        probes = probes | {"pdu_received"}
    assert traced(build, actor.pid) == ALWAYS | probes | others


@pytest.mark.thorough
def test_which_are_traced_to_know_what_runs(build, act, trace, tmp_path):
    actor = act("wait:0")
    trace(actor, "--flame", str(tmp_path / "flame.svg"))
    assert traced(build, actor.pid) == ALWAYS | {
        "request_start", "request_suspend", "request_summary"}


def test_one_hit_tells_when_it_began(act, trace):
    actor = act("wait:10", "begin:%d" % w.CREATE, "spin:30", "end:0",
                "spin:10", "wait:10")
    tracer = trace(actor, "--json")
    times = actor.play()
    report = tracer.report()
    create, = report["operations"]
    # not the 20 ms after it, however long others had the CPU meanwhile
    assert 30000 <= create["running_us"] <= create["total_us"]
    assert create["total_us"] <= report["process_us"] - 20000
    assert create["waited_us"] == 0
    assert report["phases_us"]["run"] == pytest.approx(create["running_us"],
                                                       abs=100)
    assert report["phases_us"]["send"] >= 10000
    assert report["phases_us"]["wait"] * 1000 >= times["wait"][0]
    assert report["sum_us"] == pytest.approx(report["process_us"], rel=0.01)


def test_one_that_never_ended_is_not_taken_for_another(act, trace):
    """It waited, and ended without a probe; then its address is used again."""
    actor = act("begin:%d" % w.READ, "wait:1000", "begin:%d" % w.WRITE, "end:0",
                "begin:%d" % w.READ, "wait:1000", "begin:%d" % w.READ,
                "end:0", "wait:1")
    tracer = trace(actor, "--json")
    actor.play()
    operations = {one["name"]: one for one in tracer.report()["operations"]}
    for name in "SMB2_OP_WRITE", "SMB2_OP_READ":
        assert operations[name]["count"] == 1
        assert operations[name]["total_us"] < 1000000


def test_one_ends_another_while_it_runs(act, trace):
    """The CLOSE runs for as long as it says, though a NOTIFY ends in it."""
    actor = act("req:1", "begin:15", "wait:5", "req:2", "begin:%d" % w.CLOSE,
                "spin:20", "req:1", "inner:%d" % CANCELLED, "req:2", "spin:20",
                "end:0", "wait:1")
    tracer = trace(actor, "--json")
    actor.play()
    report = tracer.report()
    close, = [one for one in report["operations"]
              if one["name"] == "SMB2_OP_CLOSE"]
    assert close["running_us"] >= 40000
    assert report["sum_us"] == pytest.approx(report["process_us"], rel=0.01)


def test_elements_of_a_compound(act, trace):
    """They have one address, and one reply, which belongs to the last."""
    actor = act("begin:%d" % w.CREATE, "result:0", "begin:%d" % w.READ,
                "result:0", "begin:%d" % w.CLOSE, "end:0", "spin:30", "wait:1")
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    _, events = tracer.reports()
    assert [event["name"] for event in events] == [
        "SMB2_OP_CREATE", "SMB2_OP_READ", "SMB2_OP_CLOSE"]
    sends = [event["send_us"] for event in events]
    assert sends[:2] == [0, 0] and sends[2] >= 30000


def test_replies_that_are_delayed(server, tsmbd):
    """Only those that the socket does not take at once take long to send."""
    with server.login() as connection:
        fid = connection.open("big", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
        connection.call(w.WRITE, w.write_body(fid, bytes(SIZE)))
        child, = server.children()
        os.kill(child, signal.SIGSTOP)
        for _ in range(READS):
            connection.send(connection.request(w.READ,
                                               w.read_body(fid, SIZE)))
        tracer = tsmbd("--json", "--slow", "1000")
        os.kill(child, signal.SIGCONT)
        wait_until(lambda: is_asleep(child), "it waits for room")
        time.sleep(1.2)
        woken = time.time()
        for _ in range(READS):
            assert connection.receive().status == 0
        (report,), events = tracer.reports()
    assert report["requests"] == READS

    def was_delayed(event):
        """Later ones are slow if others have the CPU for a while."""
        ended = datetime.datetime.fromisoformat(event["time"]).timestamp()
        begun = ended - event["total_us"] / 1e6
        return begun < woken - 1 and ended > woken - 0.5

    delayed = [event for event in events
               if event["name"] == "SMB2_OP_READ" and was_delayed(event)]
    # it reads no more requests while so many replies wait
    assert 1 <= len(delayed) <= 16
    assert all(event["send_us"] >= 1000000 for event in delayed)


def test_until_when(act, trace):
    """Others that end meanwhile are not delayed."""
    actor = act("req:1", "begin:8", "delayed:0", "wait:30", "req:2", "begin:9",
                "end:0", "wait:1000", "req:1", "sent:0", "wait:2000")
    tracer = trace(actor, "--json", "--slow", "0")
    begin = time.monotonic()
    last, _ = actor.play()["wait"]
    before_last = (time.monotonic() - begin) * 1e6 - last / 1000
    _, events = tracer.reports()
    assert [event["name"] for event in events] == [
        "SMB2_OP_WRITE", "SMB2_OP_READ"]
    # without the waits behind them
    assert events[0]["send_us"] < before_last - 1000000
    assert 1030000 <= events[1]["send_us"] < before_last


def test_the_file_of_a_close(server, tsmbd):
    tracer = tsmbd("--json", "--top", "files", "--slow", "0")
    with server.login() as connection:
        fid = connection.open("closed", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
        assert connection.call(w.CLOSE, w.close_body(fid)).status == 0
        assert connection.call(w.CLOSE, w.close_body(fid)).status != 0
    wait_until(server.idle, "child reaped")
    (report,), events = tracer.reports()
    assert [event["file"] for event in events
            if event["name"] == "SMB2_OP_CLOSE"] == ["closed", ""]
    files = {one["name"]: one["requests"] for one in report["top"]["files"]}
    assert files["closed"] == 2


def test_it_ran_for_long_before_it_waited(act, trace):
    actor = act("wait:1", "begin:%d" % w.WRITE, "spin:30", "wait:30",
                "spin:10", "end:0", "wait:1")
    tracer = trace(actor, "--json")
    actor.play()
    report = tracer.report()
    write, = report["operations"]
    assert 40000 <= write["running_us"] < write["total_us"] - 29000
    assert 29000 <= write["waited_us"] < write["total_us"] - 39000
    assert report["phases_us"]["run"] >= 40000
