# SPDX-License-Identifier: BSD-2-Clause
"""The text report, the lines of the log, the tops and the picture."""

import re
import signal

import pytest

import demo_wire as w
from demo_server import wait_until
from demo_clients import FILES, SIZE, run_clients

# lines of the original report, in their order
LINES = """Ran for
Time waiting for events
Time receiving SMB2 packets
Time parsing SMB2 packets
Time running SMB2 requests
Time sending SMB2 packets
Time waiting for ctdb
Time in other event handlers
-----
Time sum
Time in syscalls
Time in READ disk IO
Time in WRITE disk IO
Number of tevent events
Number of SMB2 requests
Number of ctdb requests
SMB2 Requests
SMB2_OP_CREATE
SMB2_OP_CLOSE
SMB2_OP_WRITE
System call
SMB2_OP_CREATE distribution (microseconds)
WRITE IO distribution (microseconds)
""".splitlines()


def test_every_line_in_order(server, tsmbd):
    tracer = tsmbd("-s", "-d", "--exit")
    run_clients(server)
    events, text = tracer.stop().split("Ran for")
    tells_of_the_exit(events)
    text = "Ran for" + text
    at = 0
    for line in LINES:
        found = text.find("\n" + line, at) if at else text.find(line)
        assert found >= at, line + "\n" + text
        at = found
    assert re.search(r"^SMB2_OP_WRITE +%d " % FILES, text, re.MULTILINE)
    assert re.search(r"^pwrite64 +%d " % FILES, text, re.MULTILINE)
    assert "Lost" not in text


def tells_of_the_exit(events):
    assert re.search(r"^\S+ \d+ ipv4:127\.0\.0\.1:\d+ exit how=", events,
                     re.MULTILINE), events
    assert re.search(r"^    \w[\w.]*\+0x[0-9a-f]+ "
                     r"\(demo-server\+0x[0-9a-f]+\)$", events,
                     re.MULTILINE), events


@pytest.mark.thorough
def test_nothing_happened(tsmbd):
    text = tsmbd("-s", "-d").stop(signal.SIGHUP)
    assert re.search(r"^Number of SMB2 requests +: +0$", text, re.MULTILINE)


def test_slow_has_a_line_for_each(server, tsmbd):
    tracer = tsmbd("--json", "--slow", "0", "--top", "files", "--lines",
                   "100000")
    as_text = tsmbd("--slow", "0")
    with server.login() as connection:
        fid = connection.open("a file", w.READ_DATA | w.WRITE_DATA, w.OPEN_IF)
        connection.call(w.WRITE, w.write_body(fid, b"x" * 300, 4096))
        connection.create("nothing")
        connection.call(w.CLOSE, w.close_body(fid))
    wait_until(server.idle, "child reaped")
    reports, events = tracer.reports()
    assert len(events) == reports[0]["requests"]
    found = {event["name"]: event for event in events}
    write = found["SMB2_OP_WRITE"]
    assert (write["offset"], write["length"]) == (4096, 300)
    assert write["file"] == "a file" and write["share"] == "demo"
    assert write["client"].startswith("ipv4:127.0.0.1:")
    assert write["status"] == "STATUS_OK"
    assert write["total_us"] >= write["vfs_us"] > 0
    assert found["SMB2_OP_CREATE"]["status"] == "STATUS_OBJECT_NAME_NOT_FOUND"
    assert found["SMB2_OP_CLOSE"]["file"] == "a file"
    busy, = [one for one in reports[0]["top"]["files"] if one["name"] == "a file"]
    assert (busy["requests"], busy["bytes"] > 300) == (3, True)
    lines, report = as_text.stop(signal.SIGTERM).split("\nRan for")
    have_the_columns(lines.splitlines())
    # these tables are for those who ask for them
    assert "distribution" not in report and "System call" not in report


def have_the_columns(lines):
    columns = len(lines[0].split())
    assert lines[0].startswith("TIME PID CLIENT")
    assert len(lines) > 3
    for line in lines[1:]:
        assert len(line.split(" ", columns - 1)) == columns, line
        assert re.search(r' "[^"]*"$', line), line
    assert lines[-1].endswith(' "a file"')


def top(tracer, what):
    return {entry["name"]: entry for entry in tracer.report()["top"][what]}


def test_top_clients(server, tsmbd):
    """A host has one row, also if it was connected before the tracing."""
    with server.login() as before:
        tracer = tsmbd("--json", "--top", "clients", "--by", "bytes")
        before.call(w.ECHO, b"\4\0\0\0")
        with server.login() as later:
            later.call(w.ECHO, b"\4\0\0\0")
        report = tracer.report()
    client, = report["top"]["clients"]
    assert client["name"] == "ipv4:127.0.0.1"
    assert client["requests"] == report["requests"] > 2


@pytest.mark.thorough
def test_top_of_what_clients_do(server, tsmbd):
    names = {"shares": "demo", "users": "guest"}
    tracers = {what: tsmbd("--json", "--top", what) for what in names}
    files = tsmbd("--json", "--top", "files", "--lines", "3")
    run_clients(server)
    for what, name in names.items():
        found = top(tracers[what], what)
        assert name in found, found
        assert found[name]["bytes"] > 2 * FILES * SIZE
    assert len(files.report()["top"]["files"]) == 3
