# SPDX-License-Identifier: BSD-2-Clause
"""Each report is of one moment, however much happens in it."""

import threading

import pytest

import demo_wire as w
from demo_server import wait_until

TOPS = ("clients", "users", "shares", "files")
OPTIONS = ("--json", "-d", "--lines", "100000", "--errors",
           *(word for what in TOPS for word in ("--top", what)))
QUICK = ("-i", "0.01")


def failures(report, opcode):
    return sum(one["count"] for one in report["errors"]
               if one["opcode"] == opcode and not one["benign"])


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for one in value for number in numbers(one)]
    return [value] if isinstance(value, int) else []


def is_consistent(report):
    """Numbers that can be computed in two ways agree."""
    operations = report["operations"]
    assert all(0 <= number < 2 ** 62 for number in numbers(report))
    assert report["requests"] == sum(one["count"] for one in operations)
    for field in ("bytes_in", "bytes_out"):
        assert report[field] == sum(one[field] for one in operations)
    for one in operations:
        assert one["errors"] <= one["count"]
        assert one["errors"] == failures(report, one["opcode"])
        assert sum(one["distribution"].values()) == one["count"]
        assert one["p50_us"] <= one["p95_us"] <= one["p99_us"] <= one["max_us"]
    assert {one["opcode"] for one in report["errors"]} <= {
        one["opcode"] for one in operations}
    for rows in report["top"].values():
        assert sum(row["requests"] for row in rows) == report["requests"]
        assert sum(row["errors"] for row in rows) == sum(
            one["errors"] for one in operations)
        assert sum(row["bytes"] for row in rows) == (
            report["bytes_in"] + report["bytes_out"])


def total_of(reports, list_of_report, field):
    """By opcode, and by status where there is one."""
    total = {}
    for report in reports:
        for one in report[list_of_report]:
            key = (one["opcode"], one["status"]) if "status" in one else (
                one["opcode"])
            total[key] = total.get(key, 0) + one[field]
    return total


MISSING, END_OF_FILE = w.OBJECT_NAME_NOT_FOUND, w.END_OF_FILE
ROUNDS = 40000


@pytest.mark.thorough
def test_processes_that_do_nothing_else(act, trace, tmp_path):
    """Requests come as fast as they can while the bank changes."""
    acts = ["client:ipv4:192.0.2.1:1", "from:0", "begin:5", "end:%d" % MISSING,
            "begin:8", "end:%d" % END_OF_FILE, "begin:9", "end:0", "wait:0",
            "again:%d" % (ROUNDS - 1)]
    actors = [act("user:%d" % number, *acts) for number in range(2)]
    tracer = trace(None, *OPTIONS, *QUICK, into=tmp_path / "reports")
    for actor in actors:
        actor.go()
    for actor in actors:
        actor.read()
    reports, events = tracer.reports()
    assert len(reports) > 5
    for report in reports:
        is_consistent(report)
    each = 2 * ROUNDS
    assert total_of(reports, "operations", "count") == {
        w.CREATE: each, w.READ: each, w.WRITE: each}
    assert total_of(reports, "operations", "errors") == {
        w.CREATE: each, w.READ: 0, w.WRITE: 0}
    assert total_of(reports, "errors", "count") == {
        (w.CREATE, MISSING): each, (w.READ, END_OF_FILE): each}
    assert len(events) + sum(one["lost"]["lines"] for one in reports) == each


@pytest.mark.thorough
def test_lines_do_not_delay_reports(act, trace, tmp_path):
    """Reports come while more lines come than can be printed."""
    actors = [act("from:0", "begin:8", "end:0", "again:150000")
              for _ in range(3)]
    tracer = trace(None, "--json", "--slow", "0", "-i", "0.1",
                   into=tmp_path / "reports")
    for actor in actors:
        actor.go()
    for actor in actors:
        actor.read()
    reports, events = tracer.reports()
    assert len(events) > 1000
    assert len(reports) > 3    # two, if lines delay them
    assert total_of(reports, "operations", "count") == {w.READ: 3 * 150001}


BATCH, BATCHES = 100, 20


class Client(threading.Thread):
    """Sends many requests before it reads their replies."""

    def __init__(self, server):
        super().__init__()
        self.connection = server.login()
        self.statuses = []
        self.file = self.connection.open("empty", w.READ_DATA | w.WRITE_DATA,
                                         w.OPEN_IF)

    def batch(self):
        request = self.connection.request
        return b"".join(
            request(w.CREATE, w.create_body("nothing")) +
            request(w.READ, w.read_body(self.file, 10)) +
            request(w.ECHO, w.EMPTY) for _ in range(BATCH))

    def run(self):
        for _ in range(BATCHES):
            self.connection.send(self.batch())
            for _ in range(3 * BATCH):
                reply = self.connection.receive()
                self.statuses.append((reply.opcode, reply.status))


@pytest.mark.parametrize("options", [
    (), pytest.param(("--slow", "60000", "--oplocks"), marks=pytest.mark.thorough)])
def test_clients_of_a_server(server, tsmbd, tmp_path, options):
    clients = [Client(server) for _ in range(3)]
    tracer = tsmbd(*OPTIONS, *QUICK, *options, into=tmp_path / "reports")
    for client in clients:
        client.start()
    for client in clients:
        client.join()
        client.connection.sock.close()
    wait_until(server.idle, "children reaped")
    reports, _ = tracer.reports()
    for report in reports:
        is_consistent(report)
    got = {}
    for client in clients:
        for status in client.statuses:
            got[status] = got.get(status, 0) + 1
    assert got == {(opcode, status): 3 * BATCH * BATCHES for opcode, status in
                   [(w.CREATE, MISSING), (w.READ, END_OF_FILE), (w.ECHO, 0)]}
    assert total_of(reports, "errors", "count") == {
        key: count for key, count in got.items() if key[1]}
    assert total_of(reports, "operations", "count") == {
        opcode: count for (opcode, _), count in got.items()}
