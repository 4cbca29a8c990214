# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit replay and merge: what sdtkit serve has recorded."""

import datetime
import json
import os
import re
import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree

import pytest

from test_counted import (LIMIT, name_of_test, requests,  # noqa: F401
                          run_clients, sdtkit, serve, server, wait_until)


@pytest.fixture
def replay(sdtkit):                                     # noqa: F811
    """replay(word...): what is printed; with fails=True, what is wrong."""
    def run(*words, fails=False, **options):
        done = subprocess.run([sdtkit, *words], timeout=LIMIT,
                              capture_output=True, text=True, **options)
        assert done.returncode == (1 if fails else 0), done.stderr
        return done.stderr if fails else done.stdout

    return run


@pytest.fixture
def recorded(serve, server):                            # noqa: F811
    """A history, its program, and by name what metrics have counted."""
    name = name_of_test("r")
    one = server("r")
    service = serve("--only=" + name, "--slow=0.001")
    history = service.folder / "history.db"
    service.end()
    service = serve("--only=" + name, "--slow=0.001",
                    "--history=%s" % history)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(name, "request") == sent, "counted")
    assert service.end() == 0
    return history, name, sent


def counts(report, span="request"):
    """By name, out of JSON."""
    return {row["name"]: row["count"] for row in report["names"]
            if row["span"] == span and row["count"]}


def test_replay_and_merge(recorded, replay, tmp_path):
    history, name, sent = recorded
    place = "--history=%s" % history
    report = json.loads(replay("replay", place, "-j"))
    assert counts(report) == sent and len(sent) > 3
    spans = {row["span"]: row for row in report["spans"]}
    assert spans["request"]["count"] == sum(sent.values())
    assert sum(spans["request"]["slots"].values()) == sum(sent.values())

    # the spans within it, and what it did itself, are its time
    within = {row["part"]: row["running_us"] for row in report["parts"]
              if row["span"] == "request"}
    assert set(within) == {"smb2:create", "smb2:read", "smb2:write"}
    assert sum(within.values()) + spans["request"]["waiting_us"] + \
        spans["request"]["self_us"] == pytest.approx(
            spans["request"]["sum_us"], abs=9)

    # the parts of the time are all of it
    parts = [json.loads(line) for line in
             replay("replay", place, "-j", "-i", "1").splitlines()]
    assert len(parts) > 1
    assert sum(sum(counts(part).values()) for part in parts) == sum(
        sent.values())
    assert len(replay("replay", place, "-j", "-i1", "-c1").splitlines()) == 1

    # by patterns
    chosen = json.loads(replay("replay", place, "-j", name + ":request"))
    assert counts(chosen) == sent and not chosen["programs"]
    assert {row["span"] for row in chosen["spans"]} == {"request"}
    assert chosen["filters"] == [name + ":request"]
    assert json.loads(replay("replay", place, "-j", name))["programs"]
    assert "nothing in this time has the name 'absent'" in \
        replay("replay", place, "-j", "absent", fails=True)

    # as text: rows in their order, and slow spans before it
    text = replay("replay", place, "smb2:request", "--sort=count",
                  "--lines=2", "--slow=0.01")
    lines = text[text.index("PROGRAM SPAN NAME "):].split("\n\n")[0].split("\n")
    assert len(lines) == 4 and name in lines[1]
    assert lines[3] == "... and %d more: --lines=%d" % (
        len(sent) - 2, len(sent))
    most = max(sent.values())
    assert " %d " % most in lines[1]
    slow = text[:text.index("\n\n")].splitlines()[:-1]
    assert slow and all(" smb2:request " in line for line in slow)
    # what the start and the end of a span tell is there once
    assert all(line.count(" mid=") == 1 for line in slow)

    picture = tmp_path / "map.svg"
    page = tmp_path / "page.html"
    replay("replay", place, "--from=-1h", "smb2:request",
           "--heatmap=%s" % picture, "--html=%s" % page)
    drawn = xml.etree.ElementTree.tostring(
        xml.etree.ElementTree.parse(picture).getroot(), encoding="unicode")
    assert name + ":smb2:request<" in drawn and ":open" not in drawn
    assert name in page.read_text()
    assert "second" in replay("replay", place, "--list")
    for line in replay("replay", place, "--list", "-j").splitlines():
        stretch = json.loads(line)
        assert stretch["from"] < stretch["to"]
        assert stretch["every_s"] in (1, 60)
        assert stretch["host"] == report["host"]

    bars = re.findall(r"^ *[\d.e+]+ \|@* *(\d+)$", replay(
        "replay", place, "-d", "smb2:request").partition(
        " smb2:request distribution (microseconds)\n")[2], re.M)
    assert sum(map(int, bars)) == sum(sent.values())

    event = json.loads(replay("replay", place, "-j", "--slow=0").split("\n")[0])
    assert event["event"] == "slow"
    ended, reported = (datetime.datetime.fromisoformat(one["time"])
                       for one in (event, report))
    assert ended < reported

    # of another host: one file and one history
    other = tmp_path / "beta.json"
    other.write_text(json.dumps(dict(report, host="beta")))

    # what was not counted is told, and what did not happen is left out
    let_go = dict(spans["request"], let_go_us=2500000)
    idle = dict(spans["request"], span="idle", count=0, sum_us=0,
                in_progress=0)
    part = tmp_path / "part.json"
    part.write_text(json.dumps(dict(report, spans=[let_go, idle])))
    text = replay("merge", part)
    assert ":request: not counted for 2.5 s, because of the budget" in text
    assert "smb2:idle" not in text

    chosen = json.loads(replay("merge", "-j", name + ":request", other))
    assert counts(chosen) == sent and not chosen["programs"]
    assert chosen["filters"] == [name + ":request"]
    assert "has the name 'absent:*'" in replay(
        "merge", other, "absent:*", fails=True)
    both = json.loads(replay("merge", "-j", history, other))
    assert both["host"] == report["host"] + ",beta"
    assert counts(both) == {one: 2 * count for one, count in sent.items()}
    assert "of %s,beta" % report["host"] in replay(
        "merge", history, "-", stdin=other.open())


def test_sort(recorded, replay):
    def rows(order):
        report = json.loads(replay("replay", "--history=%s" % recorded[0],
                                   "-j", "smb2:request", *order))
        return report["names"]

    for key in "count", "p99", "avg_us":
        member = key if key == "count" else key[:3] + "_us"
        values = [row[member] for row in rows(["--sort=" + key])]
        assert values == sorted(values, reverse=True) and any(values)
    names = [row["name"] for row in rows(["--sort=name"])]
    assert names == sorted(names) and len(names) > 3
    assert rows([]) == rows(["--sort=sum"]) != rows(["--sort=name"])
    for row in rows([]):
        assert row["avg_us"] == pytest.approx(row["sum_us"] / row["count"],
                                              abs=2)


def test_what_is_missing_is_said(recorded, sdtkit, tmp_path):  # noqa: F811
    history = recorded[0]

    def says(*words):
        return subprocess.run([sdtkit, *words], timeout=LIMIT, text=True,
                              capture_output=True, check=True)

    place = "--history=%s" % history
    done = says("replay", place, "--slow=1e7")
    assert "no slow span of that length was recorded" in done.stderr
    assert says("replay", place, "-q", "--slow=1e7").stderr == ""
    assert says("replay", place, "--slow=0").stderr == ""

    report = json.loads(says("replay", place, "-j").stdout)
    other = tmp_path / "lost.json"
    other.write_text(json.dumps(dict(report, host="beta", lost=dict(
        report["lost"], lines=61))))
    done = says("merge", other)
    assert "slow spans that were lost: 61\n" in done.stdout
    done = says("merge", "--to=@1", history, other)
    assert done.stderr == \
        "sdtkit merge: %s: nothing was recorded in this time\n" % history
    assert says("merge", "-q", "--to=@1", history, other).stderr == ""


def test_output_and_colours(recorded, replay, tmp_path):
    """The old file stays if there is nothing to print."""
    place = "--history=%s" % recorded[0]
    plain = replay("replay", place, "--width=100")
    out = tmp_path / "out"
    assert replay("replay", place, "--width=100", "-o", out) == ""
    assert out.read_text() == plain
    assert "\033" not in plain
    coloured = replay("replay", place, "--width=100", "--color=always")
    assert re.sub(r"\033\[[\d;]*m", "", coloured) == plain
    assert "\033[1mPROGRAM SPAN" in coloured
    for wrong in (["replay", place, "--to=@1000000000"],
                  ["replay", place, "absent"],
                  ["replay", place, "-j", "absent", "--slow=0"],
                  ["replay", "--history=%s" % tmp_path],
                  ["replay", "--history=%s" % tmp_path, "--list"],
                  ["merge", "--to=@1", recorded[0]]):
        replay(*wrong, "-o", out, fails=True)
        assert out.read_text() == plain
    replay("replay", place, "--list", "--output=%s" % out)
    assert out.read_text() == replay("replay", place, "--list")
    replay("merge", "-qj", "-o", out, recorded[0])
    assert counts(json.loads(out.read_text())) == recorded[2]
    assert "would be lost" in replay("merge", recorded[0], "-o",
                                     "/bin/sleep", fails=True)
    if os.path.exists("/dev/full"):
        assert "No space left" in replay("replay", place, "-o", "/dev/full",
                                         fails=True)


def damaged(history, path, change):
    shutil.copy(history, path)
    with sqlite3.connect(path) as database:
        database.execute(change)
    return path


def test_width_and_columns(recorded, replay):
    place = "--history=%s" % recorded[0]
    wide = replay("replay", place)
    assert max(map(len, wide.splitlines())) > 100
    narrow = replay("replay", place, "--width=80").splitlines()
    assert 70 < max(map(len, narrow)) <= 80
    assert len(narrow) == len(wide.splitlines())
    assert replay("replay", place, "--width=0") == wide
    chosen = replay("replay", place, "--columns=p99_us,count", "--width=80",
                    "smb2:request")
    titles = [line.split() for line in chosen.splitlines()
              if line.startswith("PROGRAM")]
    assert titles == [["PROGRAM", "SPAN", "p99", "us", "Count"],
                      ["PROGRAM", "SPAN", "NAME", "p99", "us", "Count"],
                      ["PROGRAM", "SPAN", "PART", "Count"]]


def test_what_is_refused(recorded, replay, sdtkit, tmp_path):  # noqa: F811
    """Each with one line; nothing is printed that was not recorded."""
    history, _, _ = recorded
    with sqlite3.connect(history) as database:
        database.execute("PRAGMA journal_mode = DELETE")

    def refuses(what, path, *words, **options):
        said = replay("replay", "--history=%s" % path, *words, fails=True,
                      **options)
        assert what in said, said
        assert said.count("\n") == 1 + ("Try 'sdtkit replay --help'." in said)

    text = tmp_path / "text"
    text.write_text("SQLite format 3" + "x" * 5000)
    refuses("not a history of sdtkit", text)
    refuses("not a history of sdtkit, but of tsm?bd", damaged(
        history, tmp_path / "tsmbd", "UPDATE run SET program = 'tsm\x1bbd'"))
    refuses("not a history of sdtkit", damaged(
        history, tmp_path / "table", "DROP TABLE second"))
    short = tmp_path / "short"
    short.write_bytes(history.read_bytes()[:20000])
    refuses("is damaged: ", short)
    refuses("is a directory", tmp_path)
    refuses("No such file", tmp_path / "absent")
    refuses("not a regular file", "/dev/null")
    if not os.path.exists("/var/lib/sdtkit/history.db"):
        assert "use --history=FILE" in replay("replay", fails=True)
    refuses("invalid value 'nosuch' for --columns: use count, errors, "
            "avg, p99, sum", history, "--columns=nosuch,count")
    refuses("invalid value 'nosuch' for --sort: use count, errors, avg",
            history, "--sort=nosuch")
    refuses("invalid value 'count,errors' for --sort", history,
            "--sort=count,errors")
    refuses("nothing was recorded in this time: 'sdtkit replay --list'",
            history, "--to=@1000000000")
    refuses("--interval: a history has a report for each second", history,
            "-i", "0.5")
    refuses("--from is not before --to", history, "--from=now", "--to=-1h")
    refuses("invalid value 'yesterday' for --from", history,
            "--from=yesterday")
    history.chmod(0o600)
    os.chown(history, 0, 0)
    # nobody may not enter each directory of a build
    if all(path.stat().st_mode & 1 for path in [sdtkit, *sdtkit.parents]):
        refuses("Permission denied", history, user="nobody",
                group="nogroup", extra_groups=[])
    for file in text, history.parent:
        assert replay("merge", file, fails=True).count("\n") == 1
