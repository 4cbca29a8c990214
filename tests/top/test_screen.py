# SPDX-License-Identifier: BSD-2-Clause
"""The screen of sdtkit top: what keys do, and that the terminal gets back."""

import os
import pty
import select
import signal
import time
from shlex import quote

import pytest

ROWS = """3 1.5 alpha
20 7.2 select * from "x"
7 100.1 beta
"""
BOTTOM = "q quit"


@pytest.fixture
def rows(tmp_path):
    """rows(text): replaces the file that the program reads."""
    def write(text):
        (tmp_path / "new").write_text(text)
        (tmp_path / "new").rename(tmp_path / "rows")
        return tmp_path / "rows"
    write(ROWS)
    return write


@pytest.fixture
def program(build):
    path = build / "tests" / "top" / "top-rows"
    if not path.exists():
        pytest.skip("sdtkit was built without ncurses")
    return path


@pytest.fixture
def screen(open_terminal, program, rows):
    terminal = open_terminal(width=72, height=14)
    terminal.run("%s %s" % (quote(str(program)), rows(ROWS)))
    terminal.until_there(BOTTOM)
    return terminal


def table(lines):
    """The lines between the titles and the notes."""
    titles = next(i for i, line in enumerate(lines) if "MEAN US" in line)
    notes = next(i for i, line in enumerate(lines) if "ends without" in line)
    return [line for line in lines[titles + 1:notes] if line]


def test_largest_first(screen):
    lines = screen.lines()
    assert lines[0] == "rows of a file"
    assert lines[1] == "   COUNT    MEAN US NAME"
    assert lines[2:5] == ['      20        7.2 select * from "x"',
                          "       7      100.1 beta",
                          "       3        1.5 alpha"]
    assert lines[12] == "3 ends without a start"
    assert lines[13].endswith("|  3 of 3 rows by COUNT")


@pytest.mark.parametrize("keys, column, first", [
    (["Right"], "MEAN US", "beta"),
    ([">", ">"], "NAME", "alpha"),
    (["<"], "NAME", "alpha"),
    (["Right", "Right", "Right"], "COUNT", "select"),
    (["r"], "COUNT, reversed", "alpha"),
    (["<", "r"], "NAME, reversed", "select"),
    (["r", "Right"], "MEAN US", "beta"),
])
def test_sort(screen, keys, column, first):
    screen.type(*keys)
    screen.until(lambda lines: lines[-1].endswith(" by " + column) and
                 first in lines[2])


def test_equal_rows_keep_their_order(screen, rows):
    rows("".join("5 1.0 name%d\n" % i for i in range(8)))
    names = ["name%d" % i for i in range(8)]
    for key in ("Right", "r"):
        screen.type(key)
        screen.until(lambda lines: [line.split()[-1]
                                    for line in table(lines)] == names)


def test_filter(screen):
    screen.type("/", "A", "L")
    lines = screen.until_there("filter: AL")
    assert table(lines) == ["       3        1.5 alpha"]
    screen.type("BSpace")
    screen.until(lambda lines: len(table(lines)) == 2)
    screen.type("q")        # a letter, now
    screen.until(lambda lines: table(lines) == [])
    screen.type("BSpace", "Enter")
    screen.until_there("2 of 3 rows by COUNT, with: A")
    screen.type("/", "Escape")
    screen.until(lambda lines: lines[-1].endswith("3 of 3 rows by COUNT"))
    screen.type("/", "A", "Enter")
    screen.until_there("2 of 3 rows by COUNT, with: A")
    screen.type("Escape")
    screen.until(lambda lines: lines[-1].endswith("3 of 3 rows by COUNT"))


def test_filter_of_letters_beyond_ascii(screen, rows):
    rows(ROWS + "1 1 gr\u00fcn\n")
    screen.type("/", "\u00fc")
    screen.until(
        lambda lines: table(lines) == ["       1        1.0 gr\u00fcn"])
    screen.type("BSpace")
    screen.until(lambda lines: len(table(lines)) == 4)


def test_new_rows_appear(screen, rows):
    rows("8 1.0 gamma\n")
    screen.until(lambda lines: table(lines) == ["       8        1.0 gamma"])


def test_pause(screen, rows):
    screen.type("p")
    screen.until_there("PAUSED")
    rows("8 1.0 gamma\n")
    screen.type("Right")            # keys are obeyed all the same
    screen.until_there("by MEAN US")
    assert "beta" in screen.lines()[2]
    screen.type("Space")
    screen.until(lambda lines: table(lines) == ["       8        1.0 gamma"])
    screen.until_gone("PAUSED")


def test_help(screen):
    screen.type("h")
    screen.until_there("sort by another column", "how long it took")
    screen.type("?")
    screen.until_there("alpha")
    screen.until_gone("another column")


def test_scroll(screen, rows):
    rows("".join("%d 1.0 name\n" % i for i in range(100)))

    def shows(first, last):
        screen.until(lambda lines: [table(lines)[i].split()[0]
                                    for i in (0, -1)] ==
                     [str(first), str(last)])
    shows(99, 90)
    for key, first in (("Down", 98), ("NPage", 88), ("Up", 89),
                       ("End", 9), ("Down", 9), ("PPage", 19),
                       ("Home", 99), ("Up", 99)):
        screen.type(key)
        shows(first, first - 9)
    # keys that come faster than it draws
    screen.type("Home", "End", "Down", "Down", "PPage")
    shows(19, 10)
    # fewer rows than it was scrolled by
    screen.type("End")
    shows(9, 0)
    rows("".join("%d 1.0 name\n" % i for i in range(5)))
    shows(4, 0)


@pytest.mark.parametrize("width, height", [
    (120, 40), (30, 6), (10, 4), (5, 2), (2, 1), (72, 3)])
def test_resize(screen, width, height):
    screen.resize(width, height)
    top = "rows of a file"[:width].rstrip() if height > 1 else "q "[:width]
    screen.until(lambda lines: len(lines) == height and
                 lines[0].startswith(top.rstrip()))
    screen.resize(72, 14)
    screen.until(lambda lines: len(lines) == 14 and BOTTOM in lines[-1] and
                 lines[0] == "rows of a file" and "alpha" in lines[4] and
                 not any(lines[5:12]))


def test_narrow_shows_the_column_to_sort_by(screen):
    screen.resize(22, 14)
    screen.until(lambda lines: lines[1] == "   COUNT    MEAN US NA")
    screen.type("<")
    screen.until(lambda lines: lines[1] == "   MEAN US NAME")


def test_names_stay_when_columns_scroll(open_terminal, program, rows):
    terminal = open_terminal(width=24, height=8)
    terminal.run("%s %s names" % (quote(str(program)), rows(ROWS)))
    terminal.until(lambda lines: lines[1:3] ==
                   ["NAME          COUNT", "alpha             3"])
    terminal.type("<")
    terminal.until(lambda lines: lines[1:3] ==
                   ["NAME          MEAN US", "beta            100.1"])


def test_numbers_that_do_not_fit_are_left_out(open_terminal, program, rows):
    """They do not go on in the next line, over its name."""
    terminal = open_terminal(width=24, height=8)
    terminal.run("%s %s names" %
                 (quote(str(program)), rows("8 123456.7 x\n9 123456.7 y\n")))
    terminal.until(lambda lines: lines[1:5] == [
        "NAME          COUNT", "x                 8", "y                 9",
        ""])


def test_long_names_are_cut(screen, rows):
    rows("1 1.0 %s\n" % ("x" * 150))
    screen.until(lambda lines: lines[2:4] == [
        "       1        1.0 " + "x" * 52, ""])


def test_wide_letters_are_cut_at_the_edge(screen, rows):
    rows("1 1.0 x%s\n" % ("\u4e2d" * 50))
    screen.until(lambda lines: lines[2:4] == [
        "       1        1.0 x" + "\u4e2d" * 25, ""])


def test_hostile_names(screen, rows):
    """They come from the program that is traced, or from its clients."""
    rows("1 1.0 a\\e[2J\\nb\u202ec\n")
    screen.until(lambda lines: lines[2].endswith(
        " a\\x1b[2J\\x0ab\\xe2\\x80\\xaec"))


def test_other_locale(open_terminal, program, rows):
    terminal = open_terminal(LC_ALL="C")
    terminal.run("%s %s" % (quote(str(program)), rows("1 1.0 gr\u00fcn\n")))
    terminal.until(lambda lines: lines[2].endswith(" gr??n"))


@pytest.fixture
def begun(open_terminal, program, rows):
    """begun(arguments): the program, and the state of the terminal before."""
    def begin(arguments="", **options):
        terminal = open_terminal(width=90, **options)
        terminal.run("stty -g > %s/before" % terminal.place)
        terminal.run("%s %s %s; echo status $?; "
                     "stty -g > %s/after" %
                     (quote(str(program)), rows(ROWS), arguments,
                      terminal.place))
        terminal.until_there(BOTTOM)
        assert terminal.value("alternate_on") == "1"
        assert terminal.value("cursor_flag") == "0"
        return terminal
    return begin


def is_as_before(terminal, status):
    terminal.until(lambda lines: "status %d" % status in lines and
                   lines[lines.index("status %d" % status) + 1] == "$")
    assert terminal.value("alternate_on") == "0"
    assert terminal.value("cursor_flag") == "1"
    assert (terminal.place / "before").read_text() == \
        (terminal.place / "after").read_text()


@pytest.mark.parametrize("arguments, key, status", [
    ("", "q", 0), ("catch", "C-c", 0), ("", "C-c", 1)])
def test_terminal_is_given_back(begun, arguments, key, status):
    terminal = begun(arguments)
    terminal.type(key)
    is_as_before(terminal, status)


def test_terminal_is_given_back_after_a_signal(begun):
    terminal = begun()
    os.kill(child_of(terminal), signal.SIGTERM)
    is_as_before(terminal, 1)


def test_terminal_is_given_back_by_exit(begun, tmp_path):
    """The program exits with 3 when its file is gone."""
    terminal = begun()
    (tmp_path / "rows").unlink()
    is_as_before(terminal, 3)


def child_of(terminal):
    shell = terminal.value("pane_pid")
    with open("/proc/%s/task/%s/children" % (shell, shell)) as file:
        children = file.read().split()
    return int(children[0])


def test_stop_and_go_on(begun):
    terminal = begun()
    terminal.type("C-z")
    terminal.until_there("Stopped")
    assert terminal.value("alternate_on") == "0"
    terminal.run("fg")
    lines = terminal.until_there(BOTTOM, "alpha")
    assert lines[0] == "rows of a file"
    terminal.type("q")
    terminal.until_there("closed")


def has_ended(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):  # ended meanwhile
        return True


@pytest.mark.parametrize("how", ["", "nohup"])
def test_ends_with_its_terminal(open_terminal, program, rows, how):
    terminal = open_terminal()
    ignore = "trap '' HUP; " if how else ""
    terminal.run("%s%s %s" % (ignore, quote(str(program)), rows(ROWS)))
    terminal.until_there(BOTTOM)
    pid = child_of(terminal)
    terminal.tmux("kill-server")
    end = time.monotonic() + 300
    while not has_ended(pid):
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("kind", ["dumb", "no-such-terminal"])
def test_terminal_that_cannot_do_it(open_terminal, program, rows, kind):
    terminal = open_terminal(TERM=kind)
    terminal.run("%s %s" % (quote(str(program)), rows(ROWS)))
    terminal.until_there("no screen: Operation not supported")


@pytest.mark.parametrize("redirection", ["< /dev/null", "| cat"])
def test_no_terminal(open_terminal, program, rows, redirection):
    terminal = open_terminal()
    terminal.run("%s %s %s" % (quote(str(program)), rows(ROWS), redirection))
    terminal.until_there("no screen: Inappropriate ioctl for device")


def read_output(fd, text):
    """All output until a text has come, and then a second without any; until
    the program has ended, without a text."""
    data = b""
    while select.select([fd], [], [], 1 if text and text in data else 300)[0]:
        try:
            data += os.read(fd, 65536)
        except OSError:     # EIO: the program has ended
            break
    return data


def test_only_changes_are_written(program, rows):
    """A screen that is written anew each time flickers, and is slow over a
    network. What does not change is not written at all."""
    path = rows(ROWS)
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execv(str(program), [str(program), str(path)])
    try:
        first = read_output(fd, b"alpha")
        assert b"alpha" in first
        assert not select.select([fd], [], [], 0.5)[0]
        rows(ROWS.replace("7 100.1", "9 100.1"))
        change = read_output(fd, b"9")
        assert b"9" in change and b"alpha" not in change
        assert len(change) < 60
    finally:
        os.write(fd, b"q")
        read_output(fd, b"")
        os.close(fd)
        assert os.waitpid(pid, 0)[1] == 0
