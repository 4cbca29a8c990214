# SPDX-License-Identifier: BSD-2-Clause
"""Waits that only newer versions of smbd tell: for the rate limits of a
share, and opens that meet a persistent handle of a client that is away."""

import json
import re
import subprocess

import pytest

import demo_wire as w
from actor import is_between
from demo_server import LIMIT
from openmetrics import Metrics
from page_file import PageFile
from tsmbd_run import validate

pytestmark = pytest.mark.shared

NOT_AVAILABLE = 0xc0000467


def command(report, opcode):
    one, = [row for row in report["operations"] if row["opcode"] == opcode]
    return one


def share(report, name):
    one, = [row for row in report["top"]["shares"] if row["name"] == name]
    return one


def limited_read(key, ms, share="media"):
    return ["share:" + share, "begin:%d" % w.READ, "limit:%d" % key,
            "wait:%d" % ms, "limited:%d" % key, "wait:10", "end:0", "wait:0"]


def kept_open(refused, status, share="media"):
    return ["share:" + share, "begin:%d" % w.CREATE, "kept:%d" % refused,
            "end:%d" % status, "wait:0"]


def test_a_read_waits_for_its_share(act, trace):
    """The time is that between the probes, and a part of the wait."""
    actor = act("wait:1", *limited_read(1, 30), *limited_read(2, 20),
                "share:other", "begin:%d" % w.READ, "wait:200", "end:0",
                "wait:0", "begin:%d" % w.WRITE, "end:0", "wait:0")
    tracer = trace(actor, "--json", "--top=shares")
    times = actor.play()
    report = tracer.report()
    read = command(report, w.READ)
    assert (read["count"], read["limited"]) == (3, 2)
    assert is_between(read["limit_us"], [
        sum(pair) for pair in zip(times["limit1"], times["limit2"])])
    assert read["limit_us"] <= read["waited_us"] - 29000
    media = share(report, "media")
    assert media["limited"] == 2
    assert media["limit_us"] == pytest.approx(read["limit_us"], abs=1)
    for row in share(report, "other"), command(report, w.WRITE):
        assert not {"limited", "limit_us", "kept", "refused"} & set(row)


def test_several_wait_at_a_time(act, trace):
    """They end in another order, and one of them does not wait for it."""
    acts = []
    for which in range(6):
        acts += ["req:%d" % which, "begin:%d" % w.READ]
        acts += ["limit:%d" % which] * (which != 3) + ["wait:10"]
    for which in reversed(range(6)):
        acts += ["req:%d" % which]
        acts += ["limited:%d" % which] * (which != 3) + [
            "wait:1", "file:%d" % which, "end:0", "wait:0"]
    actor = act(*acts)
    tracer = trace(actor, "--json", "--slow=0")
    times = actor.play()
    (report,), events = tracer.reports()
    assert command(report, w.READ)["limited"] == 5
    found = {event["file"]: event.get("limit_us") for event in events}
    assert found.pop("3") is None
    assert set(found) == set("01245")
    for name, us in found.items():
        assert is_between(us, times["limit" + name]), name


def test_one_that_is_not_told_to_begin(act, trace):
    """Its client has gone, or withdrawn it; its address is used again, and
    so is the key."""
    actor = act("begin:%d" % w.READ, "limit:1", "wait:120", "end:%d" %
                0xc0000120, "begin:%d" % w.READ, "wait:150", "limited:1",
                "end:0", "wait:0", *limited_read(1, 10))
    tracer = trace(actor, "--json")
    actor.play()
    read = command(tracer.report(), w.READ)
    assert (read["count"], read["limited"]) == (3, 1)
    assert 9000 <= read["limit_us"] < read["waited_us"] - 250000


def test_a_copy_goes_on_without_a_request(act, trace):
    """The first part of it belongs to the IOCTL, and no other one to a
    request that comes later."""
    actor = act("begin:11", "limit:1", "wait:20", "limited:1", "limit:2",
                "wait:10", "req:1", "begin:%d" % w.READ, "wait:20",
                "limited:2", "end:0", "req:0", "end:0", "wait:0")
    tracer = trace(actor, "--json")
    times = actor.play()
    report = tracer.report()
    copy = command(report, 11)
    assert copy["limited"] == 1
    assert is_between(copy["limit_us"], times["limit1"])
    assert "limited" not in command(report, w.READ)


def test_handles_that_are_kept(act, trace):
    """An open counts once, however many handles it meets and however often
    it is tried."""
    actor = act("wait:1", *kept_open(1, NOT_AVAILABLE),
                "share:media", "begin:%d" % w.CREATE, "kept:0", "kept:1",
                "end:%d" % NOT_AVAILABLE, "wait:0",
                "begin:%d" % w.CREATE, "kept:0", "refuse:0", "wait:10",
                "retry:0", "kept:0", "end:0", "wait:0",
                "share:other", "begin:%d" % w.CREATE, "end:0", "wait:0")
    tracer = trace(actor, "--json", "--top=shares")
    actor.play()
    report = tracer.report()
    create = command(report, w.CREATE)
    assert (create["count"], create["kept"], create["refused"]) == (4, 3, 2)
    media = share(report, "media")
    assert (media["kept"], media["refused"]) == (3, 2)
    assert "kept" not in share(report, "other")


def test_an_open_that_waits_in_between(act, trace):
    """What it has met is not that of the one that runs meanwhile."""
    actor = act("inode:5", "begin:%d" % w.CREATE, "kept:0", "refuse:0",
                "wait:10", "req:1", "share:other", "begin:%d" % w.CREATE,
                "end:0", "wait:1", "req:0", "share:media", "retry:0",
                "end:0", "wait:0")
    tracer = trace(actor, "--json", "--top=shares")
    actor.play()
    report = tracer.report()
    create = command(report, w.CREATE)
    assert (create["count"], create["kept"], create["refused"]) == (2, 1, 0)
    assert share(report, "media")["kept"] == 1
    assert "kept" not in share(report, "other")


@pytest.mark.alone
def test_columns_only_if_there_is_something(act, trace):
    actor = act("begin:%d" % w.READ, "wait:10", "end:0", "wait:0", "hold:0",
                *limited_read(1, 10), "hold:0", *kept_open(1, NOT_AVAILABLE))
    tracer = trace(actor, "-c", "1", "--top=shares")
    actor.play()
    text = tracer.stop()
    assert not re.search("(?i)limit|Kept|Refused", text), text
    tracer = trace(actor, "-c", "1", "--top=shares")
    actor.play()
    text = tracer.stop()
    assert re.search(r"^Their time .* waiting us  Limited +limit us limit % "
                     r" for\nSMB2_OP_READ( +\d+){4} +1 +\d+ +\d+  threads$",
                     text, re.MULTILINE), text
    assert re.search(r" Max us  Limited +limit us  Share\n.* +1 +\d+  media$",
                     text, re.MULTILINE), text
    assert "Kept" not in text
    tracer = trace(actor, "--top=shares")
    actor.play()
    text = tracer.stop()
    assert re.search(r"^Their time .* waiting us     Kept  Refused  for\n"
                     r"SMB2_OP_CREATE( +\d+){4} +1 +1$", text,
                     re.MULTILINE), text
    assert re.search(r" Max us     Kept  Refused  Share$", text,
                     re.MULTILINE), text
    assert "Limited" not in text


def subcommand(program, *args):
    result = subprocess.run([program, *args], timeout=LIMIT, check=True,
                            stdout=subprocess.PIPE, universal_newlines=True)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    for line in lines:
        validate(line)
    return lines


MEMBERS = ("limited", "limit_us", "kept", "refused")


def numbers(rows):
    return [{key: row[key] for key in MEMBERS if key in row} for row in rows]


def test_history_replay_and_merge(act, trace, program, tmp_path):
    actor = act("file:a", *limited_read(1, 30), *kept_open(1, NOT_AVAILABLE))
    history = tmp_path / "history"
    tracer = trace(actor, "--json", "--slow=0", "--top=shares",
                   "--history=%s" % history)
    actor.play()
    (report,), events = tracer.reports()
    assert sum(len(row) for row in numbers(report["operations"])) == 4
    *slow, again = subcommand(program, "replay", "--history", history, "-j",
                              "--top=shares", "--slow=0")
    assert numbers(again["operations"]) == numbers(report["operations"])
    assert numbers(again["top"]["shares"]) == numbers(report["top"]["shares"])
    assert [one.get("limit_us") for one in slow] == [
        one.get("limit_us") for one in events]
    for name in "one", "two":
        (tmp_path / name).write_text(json.dumps(dict(report, host=name)))
    both, = subcommand(program, "merge", "-j", tmp_path / "one",
                       tmp_path / "two")
    assert numbers(both["operations"]) == [
        {key: 2 * value for key, value in row.items()}
        for row in numbers(report["operations"])]
    assert numbers(both["top"]["shares"]) == [
        {key: 2 * value for key, value in row.items()}
        for row in numbers(report["top"]["shares"])]


def test_metrics_and_page(act, trace, tmp_path):
    actor = act(*limited_read(1, 30), *kept_open(1, NOT_AVAILABLE),
                *kept_open(0, 0))
    page, text = tmp_path / "page.html", tmp_path / "smbd.prom"
    tracer = trace(actor, "--json", "--slow=25", "--html=%s" % page,
                   "--textfile=%s" % text)
    times = actor.play()
    (report,), events = tracer.reports()
    event, = [one for one in events if one["name"] == "SMB2_OP_READ"]
    assert is_between(event["limit_us"], times["limit1"])
    row, = [row for row in PageFile(page).slow() if row["opcode"] == w.READ]
    assert row["limit_us"] == event["limit_us"]
    metrics = Metrics(text.read_bytes(), False)
    assert metrics.get("smbd_limited_requests_total", command="read") == 1
    assert metrics.by("smbd_kept_handle_opens_total", "result") == {
        "refused": 1, "allowed": 1}
    parts = {part: metrics.get("smbd_request_time_seconds_total",
                               command="read", part=part)
             for part in ("running", "threads", "limit")}
    read = command(report, w.READ)
    assert parts["limit"] == pytest.approx(read["limit_us"] / 1e6, abs=1e-6)
    assert sum(parts.values()) == pytest.approx(read["total_us"] / 1e6,
                                                abs=3e-6)


@pytest.mark.thorough
def test_no_such_series_without_them(act, trace, tmp_path):
    actor = act("begin:%d" % w.READ, "wait:10", "end:0", "wait:0")
    text = tmp_path / "smbd.prom"
    tracer = trace(actor, "--textfile=%s" % text)
    actor.play()
    tracer.stop()
    found = text.read_text()
    assert not re.search("limit|kept", found), found
