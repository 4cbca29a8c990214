# SPDX-License-Identifier: BSD-2-Clause
"""The counts of tsmbd are exactly those of what the clients did."""

import datetime
import json
import os
import signal
import time

import pytest

import demo_wire as w
from demo_clients import FILES, by_opcode, run_clients
from demo_server import LIMIT, wait_until
from tsmbd_run import is_asleep


def wait_until_through(server):
    """A client has its reply before the kernel comes to the tracepoint at the
    end of the system call that sends it, where the request is counted."""
    wait_until(lambda: all(map(is_asleep, server.children())),
               "all wait for clients")


def operations(report, field):
    return {op["opcode"]: op[field] for op in report["operations"]
            if op[field]}


OPTIONS = [
    ("--slow", "60000"), ("--top", "files", "--exit", "--oplocks", "-d"),
    ("-s",)]


@pytest.mark.thorough
def test_counts_are_equal_with_any_option(server, tsmbd):
    """Several tsmbd at once do not disturb each other."""
    tracers = [tsmbd("--json", *options) for options in OPTIONS]
    sent = run_clients(server)
    for options, tracer in zip(OPTIONS, tracers):
        (report,), events = tracer.reports()
        assert operations(report, "count") == by_opcode(sent, "sent")
        assert report["write"]["count"] == FILES
        assert ("syscalls" in report) == ("-s" in options)
        assert {event["event"] for event in events} == (
            {"exit"} if "--exit" in options else set())


def test_counts_are_equal(server, tsmbd):
    clients = 3
    tracer = tsmbd("--json")
    sent = run_clients(server, clients)
    report = tracer.report()
    assert operations(report, "count") == by_opcode(sent, "sent")
    assert operations(report, "bytes_in") == by_opcode(sent, "bytes_out")
    assert operations(report, "bytes_out") == by_opcode(sent, "bytes_in")
    assert operations(report, "errors") == {}
    assert report["errors"] == []
    assert report["processes"] == clients
    assert report["requests"] == sum(by_opcode(sent, "sent").values())
    assert report["bytes_in"] == sum(by_opcode(sent, "bytes_out").values())
    assert report["bytes_out"] == sum(by_opcode(sent, "bytes_in").values())
    assert report["ctdb_requests"] == 0
    assert report["write"]["count"] == report["read"]["count"] == (
        clients * FILES)
    for op in report["operations"]:
        assert sum(op["distribution"].values()) == op["count"]
        assert op["min_us"] <= op["total_us"] / op["count"] + 1
        assert op["total_us"] / op["count"] - 1 <= op["max_us"]
        assert op["running_us"] <= op["total_us"] + op["count"]


def test_intervals_add_up(server, tsmbd):
    tracer = tsmbd("--json", "-i", "1")
    sent = run_clients(server)
    first = tracer.process.stdout.readline()
    sent += run_clients(server)
    reports, _ = tracer.reports()
    reports.append(json.loads(first))
    assert len(reports) >= 2
    total = {}
    for report in reports:
        for opcode, count in operations(report, "count").items():
            total[opcode] = total.get(opcode, 0) + count
    assert total == by_opcode(sent, "sent")
    assert sum(report["requests"] for report in reports) == (
        sum(total.values()))


def test_a_report_when_it_is_asked_for(server, tsmbd):
    """SIGUSR1: the next report has what happened since. The line of a request
    comes when its reply has been sent, which may be behind the report that
    counts it, and for the last one behind the end."""
    with server.login() as connection:
        tracer = tsmbd("--json", "--slow", "0")
        told = 0
        for count in (1, 2):
            for _ in range(count):
                connection.call(w.ECHO, b"\4\0\0\0")
            wait_until_through(server)
            lines = [json.loads(line) for line in tracer.next_report()]
            assert lines[-1]["requests"] == count
            told += len(lines) - 1
        connection.call(w.ECHO, b"\4\0\0\0")
        wait_until_through(server)
        (report,), lines = tracer.reports()
        assert report["requests"] == 1
        assert 1 + 2 <= told + len(lines) <= 1 + 2 + 1


def test_phases_add_up(server, tsmbd):
    """If a client is connected all the time, its phases add up to that."""
    with server.login() as connection:
        tracer = tsmbd("--json")
        for _ in range(20):
            connection.call(w.ECHO, b"\4\0\0\0")
            time.sleep(0.05)
        fails(connection)
        connection.send(connection.request(w.CANCEL, b"\4\0\0\0"))
        connection.call(w.ECHO, b"\4\0\0\0")
        wait_until_through(server)
        report = tracer.report()
    assert report["processes"] == 1
    assert operations(report, "count") == {
        w.ECHO: 21, w.CREATE: 4, w.READ: 1, w.CANCEL: 1}
    errors_have_names(report)
    assert report["sum_us"] == pytest.approx(report["elapsed_us"], rel=0.01)
    assert report["sum_us"] == pytest.approx(report["process_us"], rel=0.01)
    phases = report["phases_us"]
    assert sum(phases.values()) == pytest.approx(report["sum_us"], abs=10)
    assert phases["wait"] >= 20 * 20000
    assert phases["run"] > 0 and phases["send"] > 0 and phases["parse"] > 0
    assert phases["ctdb"] == 0


@pytest.mark.thorough
def test_phases_in_intervals(server, tsmbd):
    """Under nohup it ends after COUNT reports, and not at SIGHUP."""
    with server.login() as connection:
        began = time.monotonic()
        tracer = tsmbd("--json", "-i", "1", "-c", "2", nohup=True)
        tracer.process.send_signal(signal.SIGHUP)
        calls = 0
        while tracer.process.poll() is None:
            connection.call(w.ECHO, b"\4\0\0\0")
            calls += 1
            time.sleep(0.1)
        reports = [json.loads(line) for line in tracer.output().splitlines()]
        assert time.monotonic() - began >= 2
    assert len(reports) == 2
    assert 0 < sum(report["requests"] for report in reports) <= calls
    for report in reports:
        assert report["sum_us"] == pytest.approx(report["elapsed_us"],
                                                 rel=0.01)


def end_of(report):
    return datetime.datetime.fromisoformat(report["time"]).timestamp()


def test_a_fraction_of_a_second(tsmbd):
    """A report that is late does not delay the next ones."""
    count = 20
    tracer = tsmbd("--json", "-i", "0.1", "-c", str(count))
    tracer.process.send_signal(signal.SIGSTOP)
    time.sleep(0.25)
    tracer.process.send_signal(signal.SIGCONT)
    reports = [json.loads(line) for line in tracer.output().splitlines()]
    assert len(reports) == count
    took = end_of(reports[-1]) - end_of(reports[0])
    assert sum(one["elapsed_us"] for one in reports[1:]) == pytest.approx(
        took * 1e6, abs=2000)
    begins = end_of(reports[0]) - reports[0]["elapsed_us"] / 1e6
    late = [(end_of(one) - begins) % 0.1 for one in reports]
    # the others may be late by themselves, on a busy machine
    assert min(late) < 0.02, late


def fails(connection):
    for _ in range(3):
        status, _ = connection.create("nothing")
        assert status == w.OBJECT_NAME_NOT_FOUND
    fid = connection.open("file", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
    reply = connection.call(w.READ, w.read_body(fid, 10))
    assert reply.status == w.END_OF_FILE


def errors_have_names(report):
    errors = {error["name"]: (error["opcode"], error["count"],
                              error["benign"]) for error in report["errors"]}
    assert errors == {"STATUS_OBJECT_NAME_NOT_FOUND": (w.CREATE, 3, False),
                      "STATUS_END_OF_FILE": (w.READ, 1, True)}
    assert operations(report, "errors") == {w.CREATE: 3}


@pytest.mark.thorough
def test_one_process_only(server, tsmbd):
    with server.login() as one:
        first = server.children()
        with server.login() as other:
            tracer = tsmbd("--json", "-p", str(first[0]))
            one.call(w.ECHO, b"\4\0\0\0")
            other.call(w.ECHO, b"\4\0\0\0")
            wait_until_through(server)
            report = tracer.report()
    assert report["requests"] == 1 and report["processes"] == 1


@pytest.mark.thorough
@pytest.mark.parametrize("server_name", ["only-here"])
def test_by_name_finds_the_server(server, tsmbd, server_name):
    """All processes of that name, and whoever connects later."""
    tracer = tsmbd("--json", "-n", server_name)
    sent = run_clients(server)
    report = tracer.report()
    assert report["requests"] == sum(by_opcode(sent, "sent").values())


def test_a_killed_process_is_counted(server, tsmbd):
    with server.login() as connection:
        tracer = tsmbd("--json")
        connection.call(w.ECHO, b"\4\0\0\0")
        os.kill(server.children()[0], signal.SIGKILL)
        wait_until(server.idle, "child reaped")
        report = tracer.report()
    assert report["processes"] == 1 and report["requests"] == 1
    server.process.terminate()      # its log tells of the kill: no stop()
    server.process.wait(LIMIT)


@pytest.mark.thorough
def test_ends_with_its_process(server, tsmbd):
    tracer = tsmbd("--json")
    run_clients(server)
    server.stop()
    report = json.loads(tracer.output())
    assert report["processes"] == 1
