# SPDX-License-Identifier: BSD-2-Clause
"""spans.py reads what sdtkit top prints, and lets no difference pass."""

import json

import pytest

import samba_tool  # noqa: F401, finds spans
import relay
import source
import spans

CANCELLED, DENIED = 0xc0000120, 0xc0000022


def request(name, status):
    made = relay.Request(name, 100, False)
    made.out_bytes, made.status = 110 if status is not None else 0, status
    return made


WIRE = [request("LOCK", 0), request("LOCK", DENIED), request("LOCK", CANCELLED),
        request("CANCEL", None), request("CHANGE_NOTIFY", 0),
        request("CHANGE_NOTIFY", None)]
TSMBD = {"LOCK": {"total_us": 300, "waited_us": 0, "waited_for": None},
         "CANCEL": {"total_us": 0},
         "CHANGE_NOTIFY": {"total_us": 20, "waited_us": 80,
                           "waited_for": "changes"}}


def row(name, count, errors, out_bytes, us):
    return {"name": name, "count": count, "errors": errors, "sum_us": us,
            "sums": {"in_bytes": 100 * count, "out_bytes": out_bytes}}


def text(*more, **totals):
    rows = {"LOCK": row("LOCK", 3, 1, 330, 303.0),
            "CANCEL": row("CANCEL", 1, 0, 0, 0.5),
            "CHANGE_NOTIFY": row("CHANGE_NOTIFY", 1, 0, 110, 100.0)}
    rows.update((changed["name"], changed) for changed in more)
    total = dict({"provider": "smb2", "span": "request", "lost": 0,
                  "unread": 0, "unmatched": 0, "restarted": 0}, **totals)
    return "Collecting data\n%s\nsdtkit top: smb2:request: a note\n" % (
        json.dumps({"spans": list(rows.values()), "totals": [total]}))


def compare(text):
    spans.compare(WIRE, spans.by_top(text), TSMBD)


def test_the_same_passes(capsys):
    compare(text())
    lines = {line.split()[0]: line.split()[1:]
             for line in capsys.readouterr().out.splitlines()}
    assert lines["LOCK"] == ["3", "1", "300", "303", "us", "+1.0", "%"]
    assert lines["CHANGE_NOTIFY"][2:] == ["100", "100", "us", "+0.0", "%"]


@pytest.mark.parametrize("changed", [
    row("LOCK", 4, 1, 330, 303), row("LOCK", 3, 2, 330, 303),
    row("LOCK", 3, 1, 331, 303), row("CLOSE", 1, 0, 110, 1)])
def test_what_differs_does_not_pass(changed):
    with pytest.raises(source.Failed, match="on the wire"):
        compare(text(changed))


@pytest.mark.parametrize("us, fails", [(100, False), (101, False),
                                       (102, True), (98, True)])
def test_times_of_reads_are_the_same(us, fails):
    reads = [request("READ", 0)] * 2
    report = json.dumps({"spans": [row("READ", 2, 0, 220, us)], "totals": []})
    tsmbd = {"READ": {"total_us": 100, "waited_us": 0, "waited_for": None}}
    if not fails:
        spans.compare(reads, spans.by_top(report), tsmbd)
        return
    with pytest.raises(source.Failed, match="READ took %d us by" % us):
        spans.compare(reads, spans.by_top(report), tsmbd)


@pytest.mark.parametrize("what", ["lost", "unread", "unmatched", "restarted"])
def test_what_was_not_counted_does_not_pass(what):
    with pytest.raises(source.Failed, match="smb2:request: .*%s" % what):
        compare(text(**{what: 1}))


def test_the_statuses_are_those_of_the_description():
    text = (samba_tool.SOURCE / "providers" / "smb2" / "smb2.d").read_text()
    line = next(line for line in text.splitlines() if "ok=0,0xc0000016" in line)
    assert tuple(int(word, 0) for word in
                 line.strip()[len("ok="):].split(",")) == spans.OK
