# SPDX-License-Identifier: BSD-2-Clause
"""What a tracer sees of the demo server, against what the client did.

Counts are compared with "equal": probes do not lose events.
"""

import json
import re
import subprocess

import pytest

import demo_wire as w
from demo_clients import FILES, SIZE, by_opcode, run_clients
from demo_server import LIMIT, wait_until
from demo_trace import Bpftrace

# one clause per line, SERVER is the program; arg numbers as in the .d files
COUNT = """
BEGIN { printf("counting\\n"); }
usdt:SERVER:smb2:request_start { @start[arg1] = count(); }
usdt:SERVER:smb2:request_exec { @exec[arg1] = count(); }
usdt:SERVER:smb2:request_end { @end[arg1] = count();
	@out[arg1] = sum(arg4); if (arg2 != 0) { @errors[arg1] = count(); } }
usdt:SERVER:smb2:credit_grant { @credit[arg1] = count(); }
usdt:SERVER:smb2:create_start { @detail["create_start"] = count(); }
usdt:SERVER:smb2:create_done { @detail["create_done"] = count(); }
usdt:SERVER:smb2:read_start { @detail["read_start"] = count(); }
usdt:SERVER:smb2:read_done { @detail["read_done"] = count();
	@nread = sum(arg3); }
usdt:SERVER:smb2:write_start { @detail["write_start"] = count(); }
usdt:SERVER:smb2:write_done { @detail["write_done"] = count();
	@nwritten = sum(arg3); }
usdt:SERVER:smb2:session_start { @life["session_start"] = count(); }
usdt:SERVER:smb2:session_end { @life["session_end"] = count(); }
usdt:SERVER:smb2:tree_start { @life["tree_start"] = count(); }
usdt:SERVER:smb2:tree_end { @life["tree_end"] = count(); }
usdt:SERVER:smbnet:connection_start { @life["connection_start"] = count(); }
usdt:SERVER:smbnet:connection_end { @life["connection_end"] = count(); }
usdt:SERVER:smbd:client_start { @life["client_start"] = count(); }
usdt:SERVER:smbd:exit { @life["exit"] = count(); @requests = sum(arg4); }
usdt:SERVER:smbd:child_start { @life["child_start"] = count(); }
usdt:SERVER:smbd:child_exit { @life["child_exit"] = count(); }
usdt:SERVER:smbnet:pdu_received { @pdu["received"] = count();
	@in = sum(arg2); }
usdt:SERVER:smbnet:pdu_parsed { @pdu["parsed"] = count(); }
usdt:SERVER:smbnet:send_queued { @pdu["queued"] = count(); }
usdt:SERVER:smbnet:pdu_sent { @pdu["sent"] = count(); }
usdt:SERVER:smbnet:recv_start { @pair["recv"] = sum(1); }
usdt:SERVER:smbnet:recv_done { @pair["recv"] = sum(-1); }
usdt:SERVER:smbnet:send_start { @pair["send"] = sum(1); }
usdt:SERVER:smbnet:send_done { @pair["send"] = sum(-1); }
usdt:SERVER:vfs:op_start { @op[str(arg0)] = sum(1); @ops = count(); }
usdt:SERVER:vfs:op_done { @op[str(arg0)] = sum(-1); }
"""


def maps_of(output):
    """The maps in bpftrace's JSON output, one object per line."""
    maps = {}
    for line in output.splitlines():
        if line.startswith("{"):
            item = json.loads(line)
            if item["type"] in ("map", "stats", "hist"):
                maps.update(item["data"])
    return maps


def added(reports, field):
    return {str(opcode): number
            for opcode, number in by_opcode(reports, field).items()}


@pytest.mark.parametrize("clients", [
    pytest.param(1, marks=pytest.mark.thorough), 3])
def test_counts_are_equal(server, tracer, clients):
    program = COUNT.replace("SERVER", str(server.program))
    with Bpftrace("-f", "json", "-e", program, ready="counting") as bpftrace:
        reports = run_clients(server, clients)
        maps = maps_of(bpftrace.stop())
    sent = added(reports, "sent")
    assert maps["@start"] == maps["@exec"] == sent
    assert maps["@end"] == maps["@credit"] == added(reports, "answered")
    assert maps.get("@errors", {}) == added(reports, "errors") == {}
    assert maps["@out"] == added(reports, "bytes_in")
    assert maps["@in"] == sum(added(reports, "bytes_out").values())
    total = sum(sent.values())
    assert maps["@pdu"] == dict.fromkeys(
        ("received", "parsed", "queued", "sent"), total)
    assert maps["@requests"] == total
    assert maps["@life"] == dict.fromkeys((
        "session_start", "session_end", "tree_start", "tree_end",
        "connection_start", "connection_end", "client_start", "exit",
        "child_start", "child_exit"), clients)
    assert maps["@detail"] == {
        name + when: sent[str(opcode)] for when in ("_start", "_done")
        for name, opcode in (("create", w.CREATE), ("read", w.READ),
                             ("write", w.WRITE))}
    assert maps["@nread"] == maps["@nwritten"] == clients * FILES * SIZE
    assert maps["@pair"] == {"recv": 0, "send": 0}
    assert maps["@op"] == dict.fromkeys(("syscall_" + call for call in (
        "openat", "mkdirat", "unlinkat", "fstat", "close", "pread",
        "pwrite")), 0)


def test_errors_are_seen(server, tracer):
    """Status codes, and requests that a client gets no answer to."""
    program = COUNT.replace("SERVER", str(server.program))
    with Bpftrace("-f", "json", "-e", program, ready="counting") as bpftrace:
        with server.login() as connection:
            connection.create("missing")
            connection.create("..\\x")
            connection.call(99, w.EMPTY)
            connection.send(connection.request(w.CANCEL, w.EMPTY))
            connection.call(w.ECHO, w.EMPTY)
        wait_until(server.idle, "child reaped")
        maps = maps_of(bpftrace.stop())
    assert maps["@errors"] == {"5": 2, "99": 1}
    assert maps["@start"] == {"0": 1, "1": 1, "3": 1, "5": 2, "12": 1,
                              "13": 1, "99": 1}
    assert maps["@end"] == {"0": 1, "1": 1, "3": 1, "5": 2, "13": 1, "99": 1}
    assert maps["@exec"] == {"0": 1, "1": 1, "3": 1, "5": 2, "13": 1}
    # the name with ".." is refused before anything is created
    assert maps["@detail"] == {"create_start": 1, "create_done": 1}


STRINGS = """
BEGIN { printf("counting\\n"); }
usdt:SERVER:smb2:request_exec /arg1 == 8/ {
	printf("exec %s %s %s\\n", str(arg3), str(arg4), str(arg5)); }
usdt:SERVER:smbnet:connection_terminate {
	printf("terminate %s %s %s\\n", str(arg1), str(arg2), str(arg3)); }
usdt:SERVER:smbd:exit {
	printf("exit %d [%s]\\n", arg0, str(arg1)); @exited[pid] = 1; }
usdt:SERVER:smbnet:connection_end /@exited[pid]/ { @late = count(); }
usdt:SERVER:smb2:session_start {
	printf("session %s [%s] %x\\n", str(arg1), str(arg2), arg4);
	@session = arg0; }
usdt:SERVER:smb2:tree_end /arg2 == @session/ {
	printf("end of tree %d\\n", arg0); }
usdt:SERVER:smb2:tree_start { printf("tree %d %s\\n", arg0, str(arg2)); }
usdt:SERVER:tevent:fd_begin { @fd[str(arg4)] = sum(1); }
usdt:SERVER:tevent:fd_end { @ends = count(); }
usdt:SERVER:tevent:wait_begin { @wait = sum(1); }
usdt:SERVER:tevent:wait_end { @wait = sum(-1); }
usdt:SERVER:smbd:idle_begin { @idle = sum(1); }
usdt:SERVER:smbd:idle_end { @idle = sum(-1); }
"""


def test_strings_are_readable(server, tracer):
    """Literals too, which the server itself never reads."""
    (server.directory / "name").write_text("content")
    program = STRINGS.replace("SERVER", str(server.program))
    with Bpftrace("-e", program, ready="counting") as bpftrace:
        with server.login() as connection:
            fid = connection.open("name")
            connection.call(w.READ, w.read_body(fid, 7))
            connection.send(b"garbage")
            assert connection.closed()
        for text in ("exec ", "session ", "tree 1 ", "terminate ", "exit 1 ",
                     "end of tree "):
            bpftrace.wait_for(text)
        wait_until(server.idle, "child reaped")
        output = bpftrace.stop()
    assert "exec demo name guest\n" in output
    assert "session guest [] 210\n" in output
    assert "tree 1 demo\n" in output
    assert re.search(r"terminate ipv4:127\.0\.0\.1:\d+ no SMB2 framing "
                     r".*connection\.c:\d+\n", output)
    assert "exit 1 [no SMB2 framing]\n" in output
    assert "end of tree 1\n" in output
    # nothing of the connection follows exit
    assert not re.search(r"^@late: [1-9]", output, re.MULTILINE)
    assert "@fd[accept_handler]: 1\n" in output
    begins = sum(map(int, re.findall(r"@fd\[\w+\]: (\d+)", output)))
    assert begins == int(re.search(r"@ends: (\d+)", output).group(1))
    # the parent waits on; the child's last wait has ended
    assert int(re.search(r"@wait: (-?\d+)", output).group(1)) in (0, 1)
    assert re.search(r"@idle: 0\n", output)


def report_counts(output, name):
    """{command: first number} of a block like "@requests[READ]: count 3, ..".

    bpftrace 0.27 writes { .count = 3, ... }.
    """
    return {command: int(number) for command, number in re.findall(
        r"^@%s\[(\w+)\]: \D*(\d+)" % name, output, re.M)}


def histogram_total(output, command):
    """The sum of the rows of a block like "[2, 4)   12 |@@@@  |"."""
    rows = output.partition("@latency[%s]:" % command)[2].partition("\n\n")[0]
    return sum(map(int, re.findall(r"^\[.*[\])] +(\d+) \|", rows, re.M)))


@pytest.mark.parametrize("clients", [1, 2])
def test_report__counts_are_equal(server, source, tracer, clients):
    report = source / "examples" / "reports" / "smb2.bt"
    with Bpftrace(report, server.program, ready="Tracing ") as bpftrace:
        reports = run_clients(server, clients)
        output = bpftrace.stop()
    expected = {}
    for counts in reports:
        for command, row in counts["requests"].items():
            expected[command] = expected.get(command, 0) + row["answered"]
    assert report_counts(output, "requests") == expected
    assert set(report_counts(output, "fastest")) == set(expected)
    assert set(report_counts(output, "slowest")) == set(expected)
    for command in expected:
        assert histogram_total(output, command) == expected[command]
    assert report_counts(output, "clients") == {
        "came": clients, "left": clients}
    times = {state: int(us) for state, us in re.findall(
        r"^@time\[([\w ]+)\]: (\d+)$", output, re.M)}
    assert set(times) == {"waiting for events", "receiving",
                          "parsing requests", "running requests", "sending",
                          "other"}
    traced = int(re.search(r"in (\d+) ms of tracing", output).group(1))
    assert 0 < sum(times.values()) <= clients * (traced + 1) * 1000
    span = int(re.search(r"last answer: (\d+) ms", output).group(1))
    assert 0 < span <= traced
    # the second client may begin when the first has left: the time between
    # both is in the span, but in the time of neither
    if clients == 1:
        assert span <= sum(times.values()) / 1000
    # nothing but what has a title is printed
    assert set(re.findall(r"^@(\w+)", output, re.M)) == {
        "requests", "fastest", "slowest", "latency", "time", "clients"}


def test_report__counts_errors(server, source, tracer):
    report = source / "examples" / "reports" / "smb2.bt"
    with Bpftrace(report, server.program, ready="Tracing ") as bpftrace:
        with server.login() as connection:
            connection.create("missing")
            connection.call(99, w.EMPTY)
            connection.send(connection.request(w.CANCEL, w.EMPTY))
            connection.call(w.ECHO, w.EMPTY)
            output = bpftrace.stop()
    assert report_counts(output, "failed") == {"CREATE": 1, "UNKNOWN": 1}
    assert report_counts(output, "requests") == {
        "NEGOTIATE": 1, "SESSION_SETUP": 1, "TREE_CONNECT": 1, "CREATE": 1,
        "UNKNOWN": 1, "ECHO": 1}
    assert report_counts(output, "clients") == {"came": 1}


@pytest.mark.thorough
def test_report__parses(build, source, tracer):
    """Every report, as bpftrace understands it before it attaches."""
    usage = subprocess.run(["bpftrace", "--help"], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=LIMIT,
                           universal_newlines=True).stdout
    dry_run = "--dry-run" if "--dry-run" in usage else "-d"
    reports = list((source / "examples" / "reports").glob("*.bt"))
    assert reports
    server = build / "examples" / "demo" / "demo-server"
    for report in reports:      # a second file is where ctdb's probes are
        subprocess.run(["bpftrace", dry_run, report, server, server],
                       check=True, timeout=LIMIT, stdout=subprocess.DEVNULL)
