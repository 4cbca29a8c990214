# SPDX-License-Identifier: BSD-2-Clause
"""Conditions of --when: how they are read, and when an incident begins.

A case of the parser is a file in when/: NAME.good has a condition in each
line, and what is printed for it is in NAME.parsed. NAME.err has a condition,
and below it the message.
"""

import os
import pathlib
import subprocess

import pytest

CASES = pathlib.Path(__file__).resolve().parent / "when"


@pytest.fixture
def when(build, program):
    """when(condition, second...): the finished process"""
    path = build / "tests" / "tsmbd" / "tsmbd-incident"

    def run(condition, *seconds):
        return subprocess.run(
            [path, "when", condition], stdout=subprocess.PIPE,
            input="".join(second + "\n" for second in seconds),
            universal_newlines=True)
    return run


def seconds(when, condition, *lines):
    """The words that are printed for each second."""
    result = when(condition, *lines)
    assert result.returncode == 0, result.stdout
    return [line.split(None, 2) for line in result.stdout.splitlines()]


def states(when, condition, *lines):
    return [line[1] for line in seconds(when, condition, *lines)]


@pytest.mark.parametrize("path", sorted(CASES.glob("*.good")),
                         ids=lambda path: path.stem)
def test_good(when, path):
    printed = ""
    for condition in path.read_text().splitlines():
        result = when(condition)
        assert result.returncode == 0, result.stdout
        printed += result.stdout
    parsed = path.with_suffix(".parsed")
    if os.environ.get("SDTKIT_REGENERATE"):
        parsed.write_text(printed)
    assert printed == parsed.read_text()


@pytest.mark.parametrize("path", sorted(CASES.glob("*.err")),
                         ids=lambda path: path.stem)
def test_errors(when, path):
    condition, _, message = path.read_text().partition("\n")
    result = when(condition)
    assert result.returncode == 1
    if os.environ.get("SDTKIT_REGENERATE"):
        path.write_text(condition + "\n" + result.stdout)
        message = result.stdout
    assert result.stdout == message


def test_too_long(when):
    result = when("rate(*) > 1" + " " * 189)
    assert result.returncode == 0
    result = when("rate(*) > 1" + " " * 190)
    assert (result.returncode, result.stdout) == (
        1, "use at most 200 characters\n")


def test_terminals_are_safe(when):
    result = when("p99(\x1b[2J\x9b) > \u202e1ms")
    assert result.returncode == 1
    assert result.stdout.isascii()
    assert not [c for c in result.stdout if c < " " and c != "\n"]


def test_any_text_is_read(when):
    """Pieces of conditions in many orders."""
    pieces = ["p99", "(", ")", "CREATE", "*", ">", ">=", "!", "50", "1.", "ms",
              "%", "/", "/s", "MiB/s", "and", "for", "again", "10s", "\xff",
              "or", "share", "lost", ""]
    number = 1
    for _ in range(300):
        words = []
        for _ in range(9):
            number = number * 48271 % 2147483647
            words.append(pieces[number % len(pieces)])
        result = when(" ".join(words))
        assert result.returncode in (0, 1)


SLOW, FAST = "5:10x60000", "5:10x40000"


def test_it_holds_at_each_second(when):
    condition = "p99(CREATE) > 50ms for 3s"
    assert states(when, condition, SLOW, SLOW, SLOW) == [
        "waits", "waits", "incident"]
    assert states(when, condition, SLOW, SLOW, FAST, SLOW, SLOW, SLOW) == [
        "waits", "waits", "idle", "waits", "waits", "incident"]
    assert states(when, "p99(CREATE) > 50ms", FAST, SLOW) == [
        "idle", "incident"]


def test_seconds_are_a_little_long_or_short(when):
    condition = "p99(CREATE) > 50ms for 3s"
    for ms in 980, 1000, 1020:
        assert states(when, condition, *[SLOW + " ms=%d" % ms] * 3) == [
            "waits", "waits", "incident"]
    # tsmbd was stopped, so that a report is about four seconds
    assert states(when, condition, SLOW + " ms=4000") == ["incident"]


def test_without_a_request_it_does_not_hold(when):
    for value in ("p50(CREATE) < 1s", "max(CREATE) <= 1s", "avg(*) < 1s",
                  "oplock_wait(CREATE) < 1s", "errors(CREATE) <= 100%",
                  "share(ctdb) < 50%"):
        assert seconds(when, value, "8:0x0")[0][:2] == ["fails", "idle"]
    for value in ("rate(*) < 1", "count(READ) <= 0", "errors(*) <= 0",
                  "bytes_in(*) < 1KiB", "connections < 1", "lost <= 0"):
        assert states(when, value, "8:0x0") == ["incident"]


def test_a_server_that_hangs(when):
    """Requests are under way, but none ends: that interrupts nothing."""
    condition = "p99(CREATE) > 50ms for 5s"
    quiet, hangs, notify = "8:1x9", "8:1x9 under=1", "under=1 notifies=1"
    assert states(when, condition, SLOW, *[hangs] * 3, SLOW) == [
        "waits"] * 4 + ["incident"]
    # the last second has to hold
    assert states(when, condition, SLOW, *[hangs] * 9) == ["waits"] * 10
    # but nobody asks for anything: that does
    for idle in quiet, notify:
        assert states(when, condition, SLOW, hangs, idle, hangs, SLOW) == [
            "waits", "waits", "idle", "idle", "waits"]
    # nor is it taken for the same one after a minute
    assert states(when, condition, SLOW, *[hangs] * 60, SLOW)[-3:] == [
        "waits", "idle", "waits"]


def test_it_is_over_after_ten_seconds(when):
    condition = "p99(CREATE) > 50ms again 1s"
    assert states(when, condition, SLOW, *[FAST] * 10) == (
        ["incident"] * 10 + ["idle"])
    assert states(when, condition, SLOW, *[FAST] * 9, SLOW, *[FAST] * 10) == (
        ["incident"] * 20 + ["idle"])
    assert states(when, condition, SLOW, *["8:1x9 under=1"] * 10) == (
        ["incident"] * 10 + ["idle"])


def test_one_that_flaps(when):
    """A star is an incident that is not reported: too soon."""
    condition = "p99(CREATE) > 50ms again 30s"
    once = [SLOW] + [FAST] * 10
    found = states(when, condition, *once * 4)
    assert [found[i * 11] for i in range(4)] == [
        "incident", "incident*", "incident*", "incident"]
    assert states(when, condition.replace("30s", "11s"), *once * 2)[11] == (
        "incident")
    assert states(when, condition.replace("30s", "12s"), *once * 2)[11] == (
        "incident*")


@pytest.mark.parametrize("condition, second, value", [
    ("p99(CREATE) > 1ms", "5:99x10 5:1x2000", "10 us"),
    ("p99(CREATE) > 1ms", "5:98x10 5:2x2000", "2.0 ms"),
    ("p999(CREATE) > 1ms", "5:998x10 5:2x2000", "2.0 ms"),
    ("p50(CREATE) > 1ms", "5:1x10 5:2x2000", "2.0 ms"),
    ("max(*) > 1ms", "5:1x10 8:1x2000 15:1x9000000", "2.0 ms"),
    ("max(NOTIFY) > 1ms", "15:1x9000000", "9.00 s"),
    ("avg(CREATE) > 1ms", "5:3x1000 5:1x5000", "2.0 ms"),
    ("count(*) > 1", "5:3x1000 15:1x5000", "4"),
    ("rate(CREATE) > 1", "5:3x1000 ms=500", "6.0/s"),
    ("errors(CREATE) > 1", "5:4x1 errors=3", "3"),
    ("errors(CREATE) > 1%", "5:4x1 errors=3", "75.0 %"),
    ("bytes_out(READ) > 1MiB", "8:4x1 out=3145728 ms=1500", "2.0 MiB/s"),
    ("bytes_in(WRITE) > 1", "9:4x1 in=100", "100 B/s"),
    ("oplock_wait(*) > 1ms", "5:4x1 oplock=2500000000", "2.50 s"),
    ("ctdb_wait(CREATE) > 1us", "5:4x1 ctdb_wait=2500000", "2.5 ms"),
    ("share(ctdb) > 1%", "sum=1000 ctdb=250", "25.0 %"),
    ("connections > 1", "connections=7", "7"),
    ("sessions > 1", "sessions=7", "7"),
    ("open_files > 1", "open_files=7", "7"),
    ("under_way > 1", "under=7 notifies=2", "5"),
    ("lost > 1", "lost=7", "7"),
])
def test_values(when, condition, second, value):
    (verdict, _, found), = seconds(when, condition, second)
    assert (verdict, found) == ("holds" if found != "10 us" else "fails",
                                value)


@pytest.mark.parametrize("compare, held", [
    (">", [0, 0, 1]), (">=", [0, 1, 1]), ("<", [1, 0, 0]), ("<=", [1, 1, 0])])
def test_comparisons(when, compare, held):
    for number, holds in zip((6, 7, 8), held):
        (verdict, _, _), = seconds(when, "lost %s 7" % compare,
                                   "lost=%d" % number)
        assert verdict == ("holds" if holds else "fails")


def test_all_terms_have_to_hold(when):
    condition = "p99(CREATE) > 50ms and count(CREATE) >= 20"
    assert seconds(when, condition, SLOW, "5:20x60000", "5:20x40000",
                   "under=1") == [
        ["fails", "idle", "60.0 ms 10"], ["holds", "incident", "60.0 ms 20"],
        ["fails", "incident", "40.0 ms 20"], ["fails", "incident", "nan s 0"]]
