# SPDX-License-Identifier: BSD-2-Clause
"""The page of --html without JavaScript: it has the numbers of the report, and
names of clients are nothing but text."""

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess

import pytest

import demo_wire as w
from demo_server import LIMIT
from page_file import PageFile, hash_of, trace_flame, trace_name
from serving import has_no_http
from test_counts import run_clients
from tsmbd_run import is_same

KINDS = ("clients", "users", "shares", "files")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "page.html"


def check_schema(data, source):
    jsonschema = pytest.importorskip("jsonschema")
    docs = source / "docs"
    schema = json.loads((docs / "tsmbd-page.schema.json").read_text())
    report = json.loads((docs / "tsmbd.schema.json").read_text())
    assert not set(schema["definitions"]) & set(report["definitions"])
    schema["definitions"].update(report["definitions"])
    jsonschema.validate(data, schema)


def folded(spans):
    """opcode -> slot -> requests, of a span."""
    found = {}
    for command in spans["commands"]:
        slots = found.setdefault(command["opcode"], {})
        heat = command["heat"]
        assert len(heat) == len(command["count"])
        for first, *counts in filter(None, heat):
            for slot, count in enumerate(counts, first):
                slots[slot] = slots.get(slot, 0) + count
        found[command["opcode"]] = {slot: count
                                    for slot, count in slots.items() if count}
    return found


def test_data_is_that_of_the_report(server, tsmbd, path, source):
    tracer = tsmbd("--json", "--html", str(path))
    run_clients(server)
    report = tracer.report()
    # names of clients, users and files are in it, as in a history
    assert path.stat().st_mode & 0o137 == 0
    data = PageFile(path).data
    check_schema(data, source)
    assert is_same(data["report"], report)
    assert report["requests"] > 0
    expected = {
        one["opcode"]: {int(least).bit_length() - (least != "0"): count
                        for least, count in one["distribution"].items()}
        for one in report["operations"]}
    for span in data["spans"]:
        assert folded(span) == expected
        assert sum(span["bytes_in"]) == report["bytes_in"]
        assert sum(span["bytes_out"]) == report["bytes_out"]
        assert {one["opcode"]: sum(one["count"])
                for one in span["commands"]} == {
            one["opcode"]: one["count"] for one in report["operations"]}
        steps = len(span["elapsed_us"])
        assert {len(list_) for list_ in span["phases_us"].values()} == {steps}
        for kind in KINDS:
            rows = [row for detail in span["details"]
                    for row in detail[kind] + [detail["others"][kind]]]
            assert sum(row[2] for row in rows) == report["requests"]
            assert sum(sum(row[7][1:]) for row in rows) == \
                report["requests"]


@pytest.fixture
def recorded(tsmbd, server, tmp_path):
    """A history, and the report of all of it."""
    tracer = tsmbd("--json", "--slow=0", "--history=%s" %
                   (tmp_path / "history"))
    run_clients(server)
    report, = (one for one in map(json.loads, tracer.stop().splitlines())
               if "operations" in one)
    return tmp_path / "history", report


def numbers_of(data, opcode_of_report):
    """What spans have of the requests of a report."""
    expected = {one["opcode"]: one["count"]
                for one in opcode_of_report["operations"]}
    for span in data["spans"]:
        assert {one["opcode"]: sum(one["count"])
                for one in span["commands"]} == expected
        assert sum(sum(heat[1:]) for one in span["commands"]
                   for heat in one["heat"]) == sum(expected.values())
        assert sum(span["bytes_out"]) == opcode_of_report["bytes_out"]
        for kind in KINDS:
            assert sum(row[2] for detail in span["details"]
                       for row in detail[kind] + [detail["others"][kind]]) \
                == sum(expected.values())
        # a request that was slower than 0 ms may not have been recorded
        assert sum(len(detail["slow"]) + detail["other_slow"]
                   for detail in span["details"]) > 0


def test_replay_makes_the_same_page(program, recorded, path, source):
    history, report = recorded
    subprocess.run([program, "replay", "--history", history, "--html", path],
                   check=True, stdout=subprocess.DEVNULL, timeout=LIMIT)
    page = PageFile(path)
    check_schema(page.data, source)
    numbers_of(page.data, report)
    assert page.data["report"]["requests"] == report["requests"]
    assert page.data["host"] == report["host"]
    summary = dict(page.tables["Since the start"][1:])
    assert summary["Requests"] == str(report["requests"])
    slow = page.tables["The slowest requests since the start"]
    assert re.match(r"\d{4}-\d\d-\d\d ", slow[1][0])


@pytest.mark.thorough
def test_it_goes_on_after_a_restart(tsmbd, server, recorded, path, source):
    """It has what was recorded before, but sums begin anew."""
    history, report = recorded
    before = subprocess.run(["date", "+%s%3N"], check=True,
                            stdout=subprocess.PIPE).stdout
    tsmbd("--history=%s" % history, "--html", str(path)).stop()
    data = PageFile(path).data
    check_schema(data, source)
    numbers_of(data, report)
    assert data["report"]["requests"] == 0
    assert data["begin_ms"] > int(before)
    for span in data["spans"]:
        steps = len(span["elapsed_us"]) * span["step_ms"]
        assert span["end_ms"] - steps < int(before)
        assert all(detail["end_ms"] - detail.get("ms", span["detail_ms"]) <
                   int(before) for detail in span["details"]
                   if detail["clients"])


def test_the_rest_of_a_history_is_no_name(program, build, tmp_path, path):
    """It records 20 names of each kind, and the sum of the others."""
    history = tmp_path / "history"
    subprocess.run([build / "tests" / "tsmbd" / "tsmbd-history-make", history,
                    "300"], check=True, timeout=LIMIT)
    subprocess.run([program, "replay", "--history", history, "--html", path],
                   check=True, stdout=subprocess.DEVNULL, timeout=LIMIT)
    data = PageFile(path).data
    assert "(other)" not in data["names"]
    others = data["overall"]["others"]
    assert all(others[kind][2] > 0 for kind in KINDS)
    assert others["waits"][4] > 0


@pytest.mark.thorough
def test_names_that_were_recorded_stay_private(tsmbd, recorded, path):
    history, report = recorded
    tsmbd("--history=%s" % history, "--privacy=omit", "--html",
          str(path)).stop()
    data = PageFile(path).data
    assert sum(sum(one["count"]) for one in data["spans"][0]["commands"]) == \
        report["requests"]
    assert data["names"] == [""]


@pytest.mark.thorough
def test_tables_have_the_numbers(server, tsmbd, path):
    tracer = tsmbd("--json", "--html", str(path))
    run_clients(server)
    report = tracer.report()
    page = PageFile(path)
    titles, *rows = page.tables["Requests since the start"]
    keys = ("name", "count", "errors", "p50_us", "p95_us", "p99_us", "max_us",
            "total_us", "bytes_in", "bytes_out")
    assert rows == [[str(one[key]) for key in keys]
                    for one in report["operations"]]
    summary = dict(page.tables["Since the start"][1:])
    assert summary["Requests"] == str(report["requests"])
    assert summary["Bytes sent"] == str(report["bytes_out"])
    phases = dict(page.tables["Time of the processes since the start"][1:])
    assert phases == {key: "%d.%03d" % divmod(us, 1000)
                      for key, us in report["phases_us"].items()}


@pytest.mark.thorough
def test_only_its_own_script_and_style(tsmbd, path):
    tsmbd("--html", str(path)).stop()
    page = PageFile(path)
    assert page.policy() == {
        "default-src": "'none'", "style-src": hash_of(page.content("style")),
        "script-src": hash_of(page.content("script")), "img-src": "data:",
        "connect-src": "'self'", "base-uri": "'none'",
        "form-action": "'none'"}
    for tag, attributes in page.tags:
        for name, value in attributes:
            assert not name.startswith("on") and name != "style", (tag, name)
            assert name not in ("src", "action"), tag
            assert name != "href" or value.startswith(("#", "data:"))
    script = page.content("script")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|"
                         r"\beval\b|new Function|https?:(?!//www\.w3\.org)",
                         script)
    assert "No request yet." in page.source


def ask(path, page, encoding="", method="GET"):
    """The headers of the answer, and its body."""
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(LIMIT)
        one.connect(str(path))
        one.sendall(("%s %s HTTP/1.0\r\nAccept-Encoding: %s\r\n\r\n" %
                     (method, page, encoding)).encode())
        with one.makefile("rb") as file:
            assert b" 200 " in file.readline()
            headers = http.client.parse_headers(file)
            return headers, file.read()


@pytest.mark.parametrize("page, kind", [
    ("/", "text/html; charset=utf-8"),
    pytest.param("/data.json", "application/json", marks=pytest.mark.thorough)])
def test_it_is_served_as_gzip(program, tsmbd, server, path, page, kind):
    listening = path.with_name("socket")
    if has_no_http(program):
        pytest.skip("tsmbd was built without libmicrohttpd")
    tsmbd("--html", str(path), "--listen", "unix:%s" % listening)
    run_clients(server)
    headers, text = ask(listening, page)
    assert headers["Content-Encoding"] is None
    assert headers["Content-Type"] == kind
    assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert int(headers["Content-Length"]) == len(text) > 1000
    head, nothing = ask(listening, page, method="HEAD")
    assert nothing == b"" and int(head["Content-Length"]) > 1000
    for encoding in "gzip", "br, GZIP;q=0.5":
        headers, packed = ask(listening, page, encoding)
        assert headers["Content-Encoding"] == "gzip"
        # all of it, though it may have been made again, and have other numbers
        unpacked = gzip.decompress(packed)
        assert len(packed) < len(unpacked)
        if kind == "application/json":
            assert isinstance(json.loads(unpacked), dict)
        else:
            assert unpacked[:80] == text[:80]
            assert unpacked[-10:] == text[-10:]
    headers, _ = ask(listening, page, "gzip;q=0, identity")
    assert headers["Content-Encoding"] is None


def test_html5lib_finds_no_error(tsmbd, server, path):
    html5lib = pytest.importorskip("html5lib")
    tracer = tsmbd("--html", str(path))
    run_clients(server)
    tracer.stop()
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(path.read_bytes())
    assert parser.errors == []


HOSTILE = [
    (b"</script><img src=x onerror=alert(1)>", None),
    (b"</td></table><!--", None), (b"]]>&lt;&#60;&amp;", None),
    (b"'\"><svg/onload=alert(1)>", None), (b"{{data}}", None),
    (b"a\nb\x1b[2J\x7f", "a\nb\x1b[2J\x7f"),
    (b"\xe2\x80\xae\xe2\x81\xa6txt.exe", "\u202e\u2066txt.exe"),
    (b"\xe2\x80\xa8</SCRIPT\t>", "\u2028</SCRIPT\t>"),
    (b"\xff\xc0\xaf\xed\xa0\x80<b>", "\ufffd" * 6 + "<b>"),
]


@pytest.mark.parametrize("name, expected", [
    HOSTILE[0], *[pytest.param(*row, marks=pytest.mark.thorough) for row in HOSTILE[1:]]])
def test_names_are_text(act, trace, path, name, expected):
    expected = expected or name.decode()
    harmless = trace_name(act, trace, path, b"harmless")
    os.unlink(path)
    page = trace_name(act, trace, path, name)
    assert page.tags == harmless.tags
    data = page.data
    assert expected in data["names"]
    overall = data["overall"]
    assert data["names"][overall["users"][0][0]] == expected
    assert data["names"][overall["slow"][0][1]] == expected
    shown = re.sub(r"[\x00-\x1f\x7f]", "\ufffd", expected)
    assert page.columns("The slowest requests since the start")["File"][0] == \
        shown + "/" + shown


def test_slow_requests_have_their_times(act, trace, path):
    actor = act("file:a", "begin:%d" % w.WRITE, "spin:30", "ctdb:20", "end:0",
                "wait:1", "file:b", "begin:%d" % w.READ, "spin:90", "end:0")
    tracer = trace(actor, "--json", "--slow", "10", "--html", str(path))
    actor.play()
    _, events = tracer.reports()
    page = PageFile(path)
    rows = page.slow()
    # that of b is first, unless others had the CPU during that of a
    slowest = sorted(events, key=lambda one: -one["total_us"])
    assert {event["file"] for event in events} == {"a", "b"}
    keys = [key for key in rows[0] if key.endswith("_us")]
    assert len(keys) == 8
    assert [{key: row[key] for key in keys} for row in rows] == [
        {key: event[key] for key in keys} for event in slowest]
    assert [page.data["names"][row["file"]] for row in rows] == [
        event["file"] for event in slowest]
    table = page.columns("The slowest requests since the start")
    assert list(table["Command"]) == [event["name"] for event in slowest]
    assert list(table["Total ms"]) == [
        "%d.%03d" % divmod(row["total_us"], 1000) for row in rows]


@pytest.mark.parametrize("acts,prefix", [
    pytest.param([], "", marks=pytest.mark.thorough), (["node:3"], "3:")])
def test_waits_are_those_of_the_report(act, trace, path, acts, prefix):
    """A holder on another node of a cluster has that before its name."""
    holder = act("open:0")
    holder.play()
    actor = act("open:0", "wait:5", *acts, "begin:%d" % w.CREATE,
                "defer:%d" % holder.pid, "wait:1", "retry:30", "end:0",
                "wait:5")
    tracer = trace(actor, "--json", "--oplocks", "--html", str(path))
    actor.play()
    (report,), _ = tracer.reports()
    data = PageFile(path).data
    names = data["names"]
    assert [[*(names[number] for number in row[:4]), *row[4:]]
            for row in data["overall"]["waits"]] == [
        [one["client"], prefix + one["holder"], one["share"], one["file"],
         one["count"], one["total_us"], one["max_us"]]
        for one in report["waits"]]
    assert len(report["waits"]) == 1


@pytest.mark.thorough
def test_functions_of_the_flame_graph(act, trace, path):
    flame = trace_flame(act, trace, path)

    def names(node):
        inner = node.get("children", [])
        assert sum(child["count"] for child in inner) <= node["count"]
        return {node["name"]}.union(*map(names, inner))

    assert flame["tree"]["count"] == flame["samples"] > 0
    assert {"SMB2_OP_WRITE", "spin_for"} <= names(flame["tree"])


@pytest.mark.thorough
def test_the_old_one_stays_until_the_new_one_is_whole(tsmbd, path):
    path.write_text("old")
    before = sorted(os.listdir(path.parent))
    tracer = tsmbd("--html", str(path))
    tracer.process.send_signal(signal.SIGKILL)
    tracer.process.wait(LIMIT)
    assert path.read_text() == "old"
    assert sorted(os.listdir(path.parent)) == before


@pytest.mark.parametrize("where, word", [
    ("/no/dir/x.html", "No such file"), ("/proc/x.html", "/proc/x.html"),
    ("/tmp", "Is a directory"), ("", "--html")])
def test_it_cannot_be_written(program, server, where, word):
    """The error comes at once, and not after hours of tracing."""
    result = subprocess.run(
        [program, "-p", str(server.pid), "--html", where], timeout=LIMIT,
        capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (1, "")
    assert word in result.stderr
