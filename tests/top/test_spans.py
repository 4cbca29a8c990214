# SPDX-License-Identifier: BSD-2-Clause
"""What sdtkit top counts, of acts in an order that the test knows."""

import signal

import pytest

OLD = {"SDTKIT_TOP_OLD_KERNEL": "1"}


def test_requests_by_name_with_errors_and_sums(play, form):
    rows, totals = play(
        ["start 1 1 100", "start 2 2 7", "end 2 0 5", "end 1 0 50",
         "start 1 1 11", "end 1 -5 0", "start 3 -3 1", "cancel 3"],
        form=form)
    read = rows["request", "ACTS_READ"]
    assert (read["count"], read["errors"]) == (2, 1)
    assert read["sums"] == {"bytes": 111, "out": 50}
    write = rows["request", "ACTS_WRITE"]
    assert (write["count"], write["errors"]) == (1, 0)
    assert write["sums"] == {"bytes": 7, "out": 5}
    odd = rows["request", "ACTS_ODD"]
    assert (odd["count"], odd["errors"]) == (1, 0)
    assert totals["request"] == {
        "provider": "acts", "span": "request", "started": 4, "ended": 4,
        "under_way": 0, "unmatched": 0, "restarted": 0, "abandoned": 0,
        "lost": 0, "unread": 0, "unkept": 0}


@pytest.mark.thorough
def test_a_kernel_without_uprobe_multi(play):
    rows, _ = play(["start 1 1 100", "end 1 0 50"], env=OLD)
    assert rows["request", "ACTS_READ"]["sums"] == {"bytes": 100, "out": 50}


def test_negative_values_are_not_added(play, form):
    rows, _ = play(["start 1 1 10", "end 1 1 -3", "start 1 1 10", "end 1 0 5"],
                   form=form)
    assert rows["request", "ACTS_READ"]["sums"] == {"bytes": 20, "out": 5}


def test_keys_that_are_used_again(play):
    _, totals = play(["start 1 1 0", "start 1 1 0", "end 1 0 0", "end 1 0 0"])
    assert totals["request"]["ended"] == 1
    assert totals["request"]["restarted"] == 1
    assert totals["request"]["unmatched"] == 1


@pytest.mark.thorough
def test_a_key_with_all_bits(play, form):
    _, totals = play(["start 0xfedcba9876543210 1 0",
                      "end 0x7edcba9876543210 0 0",
                      "end 0xfedcba9876543210 0 0"], form=form)
    assert totals["request"]["ended"] == 1
    assert totals["request"]["unmatched"] == 1


def test_what_is_suspended_is_not_running(play):
    rows, _ = play(["start 1 1 0;wait 1;nap 50;go 1;nap 20;end 1 0 0",
                    "start 2 2 0;nap 20;wait 2;nap 30;end 2 0 0"])
    read = rows["request", "ACTS_READ"]
    assert read["sum_us"] >= 70000
    assert 20000 <= read["running_us"] <= read["sum_us"] - 50000
    write = rows["request", "ACTS_WRITE"]
    assert 20000 <= write["running_us"] <= write["sum_us"] - 30000


def test_the_time_of_parts_is_not_the_parents_own(play):
    rows, _ = play(["start 1 1 0;part 9 1;nap 40;whole 9;nap 20;end 1 0 0"])
    request = rows["request", "ACTS_READ"]
    part = rows["part", None]
    assert part["sum_us"] >= 40000
    assert request["sum_us"] >= 60000
    assert 20000 <= request["self_us"] <= request["sum_us"] - 40000
    # the part ran within it: no gap, and no more than a rounding
    assert (request["sum_us"] - request["self_us"] ==
            pytest.approx(part["sum_us"], abs=0.3))


def test_functions_of_a_thread_nest(play):
    rows, totals = play(["enter outer;nap 10;enter inner;nap 30;leave inner;"
                         "leave outer"])
    outer, inner = rows["call", "outer"], rows["call", "inner"]
    assert outer["count"] == inner["count"] == 1
    assert 10000 <= outer["self_us"] <= outer["sum_us"] - 30000
    assert inner["self_us"] == inner["sum_us"]
    assert totals["call"]["under_way"] == 0


@pytest.mark.parametrize("depth", [
    *[pytest.param(depth, marks=pytest.mark.thorough) for depth in (1, 2, 10)], 500])
def test_recursion(play, depth):
    rows, totals = play(["recurse %d" % depth] * 2)
    assert rows["call", "recurse"]["count"] == 2 * depth
    assert totals["call"]["ended"] == totals["call"]["started"] == 2 * depth


@pytest.mark.thorough
def test_recursion_that_is_too_deep_is_counted(play):
    rows, totals = play(["recurse 1030"])
    assert rows["call", "recurse"]["count"] == 1024
    assert totals["call"]["lost"] == 6
    assert totals["call"]["unmatched"] == 0


def test_ends_that_never_come(play):
    """A stack that grows for ever does not stay full."""
    rows, totals = play(["enter lost;enter f;leave f"] * 3000)
    assert rows["call", "f"]["count"] == totals["call"]["ended"] == 3000
    assert totals["call"]["restarted"] > 1000
    assert totals["call"]["lost"] == totals["call"]["unmatched"] == 0


def test_each_thread_has_its_stack(play):
    rows, totals = play(["enter a", "thread enter b;leave b;leave b",
                         "thread recurse 3", "leave a"])
    assert rows["call", "a"]["count"] == rows["call", "b"]["count"] == 1
    assert rows["call", "recurse"]["count"] == 3
    assert totals["call"]["unmatched"] == 1


@pytest.mark.thorough
def test_a_thread_that_ends_leaves_its_stack(play):
    _, totals = play(["thread enter a;enter b", "enter c;leave c"])
    assert totals["call"]["abandoned"] == 2
    assert totals["call"]["under_way"] == 0
    assert totals["call"]["ended"] == 1


def test_a_request_moves_between_threads(play):
    rows, totals = play(["start 1 1 0", "thread wait 1", "thread go 1",
                         "thread end 1 0 0"])
    assert rows["request", "ACTS_READ"]["count"] == 1
    assert totals["request"]["unmatched"] == 0


def test_a_child_has_keys_of_its_own(play):
    rows, totals = play(["start 1 1 0", "fork start 1 2 0;end 1 0 0",
                         "fork end 1 0 0", "end 1 0 0"])
    assert rows["request", "ACTS_READ"]["count"] == 1
    assert rows["request", "ACTS_WRITE"]["count"] == 1
    assert totals["request"]["unmatched"] == 1
    assert totals["request"]["restarted"] == 0


@pytest.mark.thorough
def test_what_a_process_leaves_is_removed(play):
    _, totals = play(["fork start 1 1 0;start 2 1 0", "start 3 1 0",
                      "fork start 1 1 0;end 1 0 0", "end 3 0 0"])
    assert totals["request"]["abandoned"] == 2
    assert totals["request"]["under_way"] == 0
    assert totals["request"]["ended"] == 2


@pytest.mark.thorough
def test_more_processes_end_than_the_command_is_told_of(start):
    """It stands still meanwhile; the kernel has room for 16,384."""
    top, actor = start("{program}", "--json")
    actor.do("start 1 1 0", "start 3 1 0", "end 3 0 0")
    top.process.send_signal(signal.SIGSTOP)
    actor.do("children 17000", "fork start 2 1 0")
    top.process.send_signal(signal.SIGCONT)
    _, totals = top.report()
    assert totals["request"]["abandoned"] == 1
    assert totals["request"]["under_way"] == 1


@pytest.mark.parametrize("args", [(), ("-p", "{pid}")])
def test_a_process_lives_on_when_its_main_thread_has_ended(start, args):
    top, actor = start(*(args or ["{program}"]), "--json")
    # longer than it takes to look for processes that have ended
    actor.do("start 1 1 0", "alone", "nap 700", "end 1 0 0")
    actor.end()
    _, totals = top.report()
    assert totals["request"]["ended"] == 1
    assert totals["request"]["abandoned"] == 0


def test_a_program_that_begins_anew_has_left_what_was_under_way(play):
    rows, totals = play(["start 1 1 0;enter a", "exec",
                         "end 1 0 0;leave a", "enter b;leave b"])
    assert list(rows) == [("call", "b")]
    for span in "request", "call":
        assert totals[span]["unmatched"] == totals[span]["abandoned"] == 1
        assert totals[span]["under_way"] == 0


@pytest.mark.thorough
def test_spans_that_were_too_deep_are_not_left(play):
    _, totals = play(["thread deepen 1030"], status=1)
    assert totals["call"]["lost"] == 6
    assert totals["call"]["abandoned"] == 1024


@pytest.mark.thorough
def test_threads_that_end_in_many_calls_leave_nothing(play):
    """A thread that has ended needs no room for spans under way."""
    _, totals = play(["thread deepen 1000"] * 140 + ["enter a;leave a"])
    assert totals["call"]["lost"] == 0
    assert totals["call"]["abandoned"] == 140 * 1000
    assert totals["call"]["under_way"] == 0


def test_what_is_under_way_is_counted(start):
    top, actor = start("{program}", "--json")
    actor.do("start 1 1 0", "start 2 1 0", "end 2 0 0")
    _, totals = top.report()
    assert totals["request"]["under_way"] == 1


@pytest.mark.thorough
def test_100000_under_way(play):
    rows, totals = play(["many 100000"])
    assert rows["request", "ACTS_WRITE"]["count"] == 100000
    assert rows["request", "ACTS_WRITE"]["sums"] == {
        "bytes": 100000, "out": 200000}
    assert totals["request"]["lost"] == 0


@pytest.mark.thorough
def test_more_than_fit_are_counted(play):
    rows, totals = play(["many 180000"])
    assert totals["request"]["started"] == 180000
    count = rows["request", "ACTS_WRITE"]["count"]
    # a CPU keeps some free entries for itself
    assert 133000 <= count <= 131072 + 8192
    assert totals["request"]["lost"] == 180000 - count
    assert totals["request"]["unmatched"] == 180000 - count


def test_strings_and_two_names(play):
    rows, _ = play(["files 4"])
    assert {name for span, name in rows if span == "file"} == {
        "/f/0 | 0", "/f/1 | 1", "/f/2 | 0", "/f/3 | 1"}


def test_two_names_that_are_empty_or_have_blanks(play):
    rows, _ = play(["enter a b;leave ", "enter ;leave c"], "--span",
                   "x: call_enter..call_leave key=tid "
                   "name=call_enter.function,call_leave.function", "x")
    assert {name for span, name in rows} == {"a b | -", "- | c"}


@pytest.mark.thorough
def test_names_that_do_not_fit_are_together(play):
    rows, totals = play(["files 9000"])
    counts = {name: row["count"] for (span, name), row in rows.items()
              if span == "file"}
    assert sum(counts.values()) == totals["file"]["ended"] == 9000
    # each of the seven spans has a row for the others, too
    assert counts.pop("(other)") == 9000 - (8192 - 7)
    assert set(counts.values()) == {1}


@pytest.mark.thorough
def test_strings_that_do_not_fit(play):
    _, totals = play(["files 20000"])
    assert totals["file"]["unkept"] == 20000 - 16384
    assert totals["call"]["unkept"] == 0


def test_a_string_that_cannot_be_read(play):
    """By name and, for --slow, by argument: of this span, not another one."""
    rows, totals = play(["unreadable", "start 1 1 0", "end 1 0 0"],
                        "--slow", "0.000001")
    assert rows["file", "- | 0"]["count"] == 1
    assert {name: total["unread"] for name, total in totals.items()
            if total["unread"]} == {"file": 2}


def test_by_another_argument(play):
    rows, _ = play(["start 1 1 0", "end 1 0 0", "start 2 2 0", "end 2 0 0",
                    "enter a;leave a"], "--by", "who")
    assert rows["request", "somebody"]["count"] == 2
    assert rows["call", None]["count"] == 1
