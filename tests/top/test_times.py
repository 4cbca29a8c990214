# SPDX-License-Identifier: BSD-2-Clause
"""Spans whose end tells how long they took: one hit, and exact times."""

import subprocess
import time

import pytest

OPTION = "acts:told"


def test_the_end_tells_all(play, form):
    rows, totals = play(["begin 7", "tell 7 1 0 5000 20",
                         "tell 8 1 -1 7000 3", "tell 9 2 0 1000000 0"],
                        OPTION, form=form)
    read = rows["told", "ACTS_READ"]
    assert (read["count"], read["errors"]) == (2, 1)
    assert (read["sum_us"], read["max_us"]) == (12.0, 7.0)
    assert read["sums"] == {"bytes": 23}
    assert rows["told", "ACTS_WRITE"]["sum_us"] == 1000.0
    assert totals["told"] == {
        "provider": "acts", "span": "told", "started": None, "ended": 3,
        "under_way": None, "unmatched": 0, "restarted": 0, "abandoned": 0,
        "lost": 0, "unread": 0, "unkept": 0}


def test_a_time_that_is_not_known(play):
    """0: nobody noted it. More than the machine runs: it is not a time."""
    rows, totals = play(["tell 7 1 0 0 0", "tell 8 1 0 %d 0" % (1 << 62),
                         "tell 9 1 0 2000 0"], OPTION)
    assert rows["told", "ACTS_READ"]["sum_us"] == 2.0
    assert totals["told"]["unmatched"] == 2


def test_what_waits_makes_hits_more(play):
    # They take longer than any wait on a busy machine: what begins a tenth of
    # a second after the last hit of a key is another span.
    began = time.monotonic()
    rows, totals = play(["halt 7 5000000;nap 50;resume 7",
                         "tell 7 1 0 90000000000 0",
                         "halt 8 1000000;nap 30;tell 8 2 0 60000000000 0",
                         "tell 9 2 0 1000000 0"], OPTION)
    most = 1e6 * (time.monotonic() - began)
    read = rows["told", "ACTS_READ"]
    assert read["sum_us"] == 9e7
    assert 50000 <= read["sum_us"] - read["running_us"] <= most
    write = rows["told", "ACTS_WRITE"]
    assert (write["count"], write["sum_us"]) == (2, 60001000.0)
    assert 30000 <= write["sum_us"] - write["running_us"] <= most
    assert totals["told"]["unmatched"] == totals["told"]["restarted"] == 0


def test_a_wait_that_lasts_to_the_end(play):
    """suspend= without resume="""
    rows, _ = play(["halt 7 1000000;nap 30;tell 7 1 0 40000000000 0"],
                   "--span",
                   "a: end=told_end suspend=told_wait duration=elapsed_ns "
                   "key=id", "acts:since")
    assert rows["a", None]["running_us"] <= 4e7 - 30000


@pytest.mark.thorough
def test_a_wait_of_which_nothing_is_known(play):
    rows, _ = play(["halt 7 0;nap 20;tell 7 1 0 30000000 0"], OPTION)
    assert rows["told", "ACTS_READ"]["running_us"] == 30000.0


@pytest.mark.thorough
def test_what_waited_and_never_ended(play):
    """Its address is used again."""
    rows, totals = play(["halt 7 5000;nap 150", "tell 7 1 0 6000 0",
                         "halt 8 5000;nap 50", "halt 8 2000;tell 8 1 0 9000 0"
                         ], OPTION)
    read = rows["told", "ACTS_READ"]
    assert (read["count"], read["sum_us"]) == (2, 15.0)
    assert totals["told"]["restarted"] == 2


def test_a_hit_that_comes_late(start):
    """The program was not on a CPU between reading its clock and the probe. If
    that is for a tenth of a second, it is another span."""
    top, actor = start("{program}", "--json", OPTION)
    longer = 0
    for key in range(5):
        began = time.monotonic()
        actor.do("halt {0} 5000;nap 20;tell {0} 1 0 2000000 0".format(key))
        longer += time.monotonic() - began >= 0.1
    rows, totals = top.report()
    assert rows["told", "ACTS_READ"]["sum_us"] == 5 * 2000.0
    assert totals["told"]["restarted"] <= longer


@pytest.mark.parametrize("extra", [("--by", "who"), ("--slow", "0.000001")])
def test_a_start_that_is_needed(play, extra, start):
    """It has what no end has, or is shown; the time remains the argument's."""
    if extra[0] == "--by":
        rows, totals = play(["begin 7", "nap 10", "tell 7 1 0 5000 20"],
                            OPTION, *extra)
        assert rows["told", "someone"]["sum_us"] == 5.0
        assert rows["told", "someone"]["sums"] == {"bytes": 20}
        assert totals["told"]["started"] == 1
        return
    top, actor = start("{program}", "--json", OPTION, *extra)
    actor.do("begin 7", "nap 10", "tell 7 1 0 5000 20")
    actor.end()
    slow = [line for line in top.lines() if line["event"] == "slow"]
    assert [line["total_us"] for line in slow] == [5.0]
    assert slow[0]["start"]["who"] == "someone"
    assert slow[0]["end"]["elapsed_ns"] == "5000"


def test_a_start_that_did_not_tell_its_time(play):
    """Then the time is that of the hits."""
    rows, _ = play(["begin 7;nap 20;tell 7 1 0 0 0"], OPTION, "--by", "who")
    assert rows["told", "someone"]["sum_us"] >= 20000


@pytest.mark.thorough
def test_parts_of_it_need_its_start(play):
    rows, totals = play(["begin 7", "brief 7 1 3", "tell 7 1 0 5000 20"])
    assert rows["told", "ACTS_READ"]["self_us"] == 2.0
    assert rows["brief", "ACTS_READ"]["sum_us"] == 3.0
    assert totals["told"]["started"] == 1
    assert totals["brief"]["started"] is None


@pytest.mark.thorough
def test_microseconds_may_be_none(play):
    rows, totals = play(["brief 7 1 0", "brief 7 1 12"], "acts:brief")
    brief = rows["brief", "ACTS_READ"]
    assert (brief["count"], brief["sum_us"]) == (2, 12.0)
    assert totals["brief"]["unmatched"] == 0


def test_when_it_began(play):
    rows, totals = play(["since 1 5000000", "since 1 0"], "acts:since")
    assert rows["since", "ACTS_READ"]["count"] == 1
    assert rows["since", "ACTS_READ"]["sum_us"] >= 5000
    assert totals["since"]["unmatched"] == 1


def test_on_the_command_line(play):
    rows, _ = play(["tell 7 1 0 5000 20", "brief 7 1 12"],
                   "--span", "a: end=told_end duration=us(arg3) name=arg1",
                   "--span", "b: start=told_start end=brief_end key=id "
                   "duration=took_us", "acts:since")
    assert rows["a", "ACTS_READ"]["sum_us"] == 5000.0
    assert rows["b", None]["sum_us"] == 12.0


@pytest.mark.parametrize("span, message", [
    ("a: end=told_end duration=id",
     "duration: the unit of arg0 of told_end is not known: write us(arg0), or "
     "ns, ms, s"),
    ("a: end=told_end duration=h(id)",
     "duration: 'h' is not a unit: use ns, us, ms or s"),
    ("a: end=told_end duration=elapsed_ns started=us(id)",
     "use either duration= or started="),
    ("a: end=told_end,brief_end duration=elapsed_ns",
     "duration: acts:brief_end has no argument 'elapsed_ns'; it has "),
    ("a: start=told_start end=told_end duration=elapsed_ns",
     "key= is missing"),
    ("a: end=told_end suspend=told_wait duration=elapsed_ns key=tid",
     "key: a span without a start that is suspended needs an argument"),
    ("a: end=told_end", "start= is missing"),
])
def test_mistakes(sdtkit, acts, privileged, span, message):
    run = subprocess.run([sdtkit, "top", acts(), "--span", span],
                         capture_output=True, text=True, timeout=300)
    assert run.returncode == 2
    assert message in run.stderr
