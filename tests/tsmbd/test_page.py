# SPDX-License-Identifier: BSD-2-Clause
"""The page of --html without JavaScript: it has the numbers of the report, and
names of clients are nothing but text."""

import json
import os
import re
import signal
import subprocess

import pytest

import demo_wire as w
from demo_server import LIMIT
from page_file import PageFile, hash_of
from test_counts import run_clients

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
        for slot, count in zip(heat[1::3], heat[2::3]):
            slots[slot] = slots.get(slot, 0) + count
    return found


def test_data_is_that_of_the_report(server, tsmbd, path, source):
    tracer = tsmbd("--json", "--html", str(path))
    run_clients(server)
    report = tracer.report()
    data = PageFile(path).data
    check_schema(data, source)
    assert data["report"] == report
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
            assert sum(sum(row[7][1::2]) for row in rows) == \
                report["requests"]


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


def trace_name(act, trace, path, name):
    actor = act(b"file:" + name, b"share:" + name, b"user:" + name,
                "begin:%d" % w.CREATE, "spin:1", "end:0")
    tracer = trace(actor, "--slow", "0", "--html", str(path))
    actor.play()
    tracer.stop()
    actor.end()
    page = PageFile(path)
    os.unlink(path)
    return page


@pytest.mark.parametrize("name, expected", HOSTILE)
def test_names_are_text(act, trace, path, name, expected):
    expected = expected or name.decode()
    harmless = trace_name(act, trace, path, b"harmless")
    page = trace_name(act, trace, path, name)
    assert page.tags == harmless.tags
    data = page.data
    assert expected in data["names"]
    overall = data["overall"]
    assert data["names"][overall["users"][0][0]] == expected
    assert data["names"][overall["slow"][0][1]] == expected
    shown = re.sub(r"[\x00-\x1f\x7f]", "\ufffd", expected)
    assert page.tables["The slowest requests since the start"][1][5] == \
        shown + "/" + shown


def test_slow_requests_have_their_times(act, trace, path):
    actor = act("file:a", "begin:%d" % w.WRITE, "spin:30", "ctdb:20", "end:0",
                "wait:1", "file:b", "begin:%d" % w.READ, "spin:90", "end:0")
    tracer = trace(actor, "--json", "--slow", "10", "--html", str(path))
    actor.play()
    _, events = tracer.reports()
    page = PageFile(path)
    data = page.data
    keys = data["slow_times"]
    rows = data["overall"]["slow"]
    assert [dict(zip(keys, row[7:])) for row in rows] == [
        {key: event[key] for key in keys}
        for event in sorted(events, key=lambda one: -one["total_us"])]
    assert [data["names"][row[3]] for row in rows] == ["b", "a"]
    table = page.tables["The slowest requests since the start"]
    assert [row[1] for row in table[1:]] == ["SMB2_OP_READ", "SMB2_OP_WRITE"]
    assert [row[6] for row in table[1:]] == [
        "%d.%03d" % divmod(row[7], 1000) for row in rows]


def test_waits_are_those_of_the_report(act, trace, path):
    holder = act("open:0")
    holder.play()
    actor = act("open:0", "wait:5", "begin:%d" % w.CREATE,
                "defer:%d" % holder.pid, "wait:1", "retry:30", "end:0",
                "wait:5")
    tracer = trace(actor, "--json", "--oplocks", "--html", str(path))
    actor.play()
    (report,), _ = tracer.reports()
    data = PageFile(path).data
    names = data["names"]
    assert [[*(names[number] for number in row[:4]), *row[4:]]
            for row in data["overall"]["waits"]] == [
        [one["client"], one["holder"], one["share"], one["file"],
         one["count"], one["total_us"], one["max_us"]]
        for one in report["waits"]]
    assert len(report["waits"]) == 1


def test_functions_of_the_flame_graph(act, trace, path, tmp_path):
    actor = act("begin:%d" % w.WRITE, "spin:300", "end:0", "wait:1")
    tracer = trace(actor, "--flame", str(tmp_path / "x.svg"), "-F", "499",
                   "--html", str(path))
    actor.play()
    tracer.stop()
    flame = PageFile(path).data["flame"]

    def names(node):
        inner = node.get("children", [])
        assert sum(child["count"] for child in inner) <= node["count"]
        return {node["name"]}.union(*map(names, inner))

    assert flame["tree"]["count"] == flame["samples"] > 0
    assert {"SMB2_OP_WRITE", "spin_for"} <= names(flame["tree"])


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
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        universal_newlines=True)
    assert (result.returncode, result.stdout) == (1, "")
    assert word in result.stderr
