# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit top on a terminal."""

import re
import threading
from shlex import quote

import pytest

from top_run import Acts


@pytest.fixture
def live(open_terminal, sdtkit, acts, privileged):
    """live(words): the terminal with sdtkit top, and the acts."""
    started = []

    def start(words, **options):
        actor = Acts(acts())
        started.append(actor)
        terminal = open_terminal(**dict({"width": 150, "height": 30},
                                        **options))
        terminal.run("%s top -p %d -i 0.2 %s; echo status $?" %
                     (quote(str(sdtkit)), actor.pid, words))
        terminal.until_there("q quit")
        return terminal, actor
    yield start
    for actor in started:
        if actor.process.poll() is None:
            actor.end()


def row_of(lines, name):
    """The words of the row with this name."""
    for line in lines:
        if name in line.split():
            return line.split()
    return None


def show_totals(terminal):
    terminal.type("t")
    terminal.until(lambda lines: "  all of " in lines[0])


def until_shown(terminal, actor):
    """Acts until an interval shows it; returns how often."""
    shown, count = threading.Event(), 0

    def go_on():
        nonlocal count
        while not shown.is_set():
            actor.do("start 1 1 100;nap 20;end 1 0 50")
            count += 1

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        terminal.until(lambda lines: row_of(lines, "ACTS_READ"))
    finally:
        shown.set()
        thread.join()
    return count


def test_totals(live):
    terminal, actor = live("request call", width=200)
    show_totals(terminal)
    actor.do("start 1 1 100", "end 1 0 50", "start 1 1 11", "end 1 -5 0",
             "enter f;leave f")
    lines = terminal.until(lambda lines: row_of(lines, "ACTS_READ") and
                           row_of(lines, "f"))
    titles = lines[1].split()
    assert titles[:5] == ["SPAN", "NAME", "COUNT", "ERRORS", "AVG"]
    assert lines[0].startswith("sdtkit top: process %d" % actor.pid)
    read = row_of(lines, "ACTS_READ")
    assert read[0] == "request" and read[2:4] == ["2", "1"]
    assert read[-2:] == ["111", "50"]       # bytes and out
    assert row_of(lines, "f")[2] == "1"
    # and goes on
    actor.do("start 1 1 100", "end 1 0 50")
    terminal.until(lambda lines: (row_of(lines, "ACTS_READ") or [""] * 3
                                  )[2] == "3")


def test_an_interval_shows_what_it_has(live):
    terminal, actor = live("request")
    until_shown(terminal, actor)
    terminal.until(lambda lines: not row_of(lines, "ACTS_READ"))
    actor.do("start 1 1 100")
    terminal.until(lambda lines: "1 under way" in lines[0])


def test_the_whole_time_remains_on_the_terminal(live):
    terminal, actor = live("request")
    count = until_shown(terminal, actor)
    terminal.until(lambda lines: not row_of(lines, "ACTS_READ"))
    actor.do("start 1 1 100", "end 1 0 50", "end 9 0 0")
    terminal.until_there("1 ended whose start was not seen")
    terminal.type("q")
    lines = terminal.until_there("status 0")
    assert terminal.value("alternate_on") == "0"
    assert row_of(lines, "ACTS_READ")[2] == str(count + 1)
    assert any("sdtkit top: acts:request: 1 ended whose start" in line
               for line in lines)


@pytest.mark.thorough
def test_nothing_was_counted(live):
    terminal, _ = live("request")
    terminal.type("C-c")
    terminal.until_there("status 1", "no span has ended")


def test_the_process_ends(live):
    """What is said of it comes when the terminal is as it was."""
    terminal, actor = live("request")
    actor.do("start 1 1 100", "end 1 0 50")
    actor.end()
    lines = terminal.until_there("status 0")
    assert "sdtkit top: process %d has ended" % actor.pid in lines


def test_on_eighty_columns(live):
    """The filter and the longest text of the help are not cut."""
    terminal, actor = live("request call", width=80)
    terminal.type("h")
    terminal.until_there("are at most a sixteenth off")
    terminal.type("h", "/", "A", "C", "T", "S", "_", "Enter")
    terminal.until(lambda lines: lines[-1].endswith(", with: ACTS_"))


def test_slow_lines(live):
    terminal, actor = live("request --slow 20")
    for key in range(8):
        actor.do("start %d 1 100" % key, "nap 25", "end %d 0 50" % key)
    # 25 ms, or longer where there is load
    lines = terminal.until(lambda lines: any(" key=7 op" in line and
                                             "acts:request " in line
                                             for line in lines))
    slow = [line for line in lines if re.search(r"acts:request ACTS_", line)]
    assert len(slow) == 5
    assert all((" key=%d " % key) in line
               for key, line in zip(range(3, 8), slow))
    assert lines.index(slow[0]) > lines.index(
        next(line for line in lines if line.startswith("SPAN")))


@pytest.mark.thorough
def test_rows_on_a_low_screen(live):
    """Lines of --slow leave half of it to them."""
    terminal, actor = live("request --slow 20", height=8)
    show_totals(terminal)
    for key in range(6):
        actor.do("start %d 1 100" % key, "nap 25", "end %d 0 50" % key)
    lines = terminal.until(lambda lines: any(" key=5 op" in line
                                             for line in lines))
    assert row_of(lines, "ACTS_READ")
    assert [re.search(r" <- key=(\d) op", line).group(1) for line in lines
            if "acts:request " in line] == ["3", "4", "5"]


@pytest.mark.thorough
def test_columns_that_are_hidden(live):
    """The first five numbers are there, none of them cut."""
    terminal, _ = live("request", width=80)
    lines = terminal.until_there("more columns")
    assert re.split("  +", lines[1].strip())[:2] == ["SPAN", "NAME"]
    assert " COUNT  ERRORS  AVG us  P99 us  SUM us" in lines[1]
    assert re.search(r"  < > \d more columns  \|  ", lines[-1])
    terminal.resize(250, 20)
    terminal.until(lambda lines: "bytes            out" in lines[1] and
                   "more columns" not in lines[-1])


@pytest.mark.thorough
def test_slow_lines_of_a_span_with_a_long_name(live):
    """It is cut, so that there is room for the arguments."""
    terminal, actor = live("--span '%s: request_start..request_end key=key' "
                           "call --slow 20" % (490 * "n"))
    actor.do("start 7 1 100", "nap 25", "end 7 0 50")
    terminal.until(lambda lines: any(
        "acts:" + 99 * "n" + " " in line for line in lines))


@pytest.mark.thorough
def test_probes_without_a_span(live):
    terminal, actor = live("acts:tick")
    show_totals(terminal)
    actor.do("tick 1", "tick 2")
    terminal.until(lambda lines: (row_of(lines, "tick") or [0] * 3)[1] == "2")
    assert terminal.lines()[1].split() == ["SPAN", "COUNT", "RATE/s"]


@pytest.mark.parametrize("words", [
    "--plain", *[pytest.param(words, marks=pytest.mark.thorough) for words in (
        "-c 1", "-w 0.1", "--json", "-d -w 0.1")]])
def test_lines_if_wanted(open_terminal, sdtkit, acts, privileged, words):
    terminal = open_terminal(width=150)
    terminal.run("%s top %s %s; echo status $?" %
                 (quote(str(sdtkit)), acts(), words))
    terminal.until_there("Collecting data")
    assert terminal.value("alternate_on") == "0"
    terminal.type("C-c")
    terminal.until_there("status")


@pytest.mark.thorough
def test_lines_where_the_cursor_cannot_move(open_terminal, sdtkit, acts,
                                            privileged):
    terminal = open_terminal(TERM="dumb")
    terminal.run("%s top %s" % (quote(str(sdtkit)), acts()))
    terminal.until_there("Collecting data")
    terminal.type("C-c")
    terminal.until_there("no span has ended")
