# SPDX-License-Identifier: BSD-2-Clause
"""Sections of the configuration file: what they set, and what is wrong."""

import subprocess

import pytest

LIMIT = 300
SOURCES = ["settings/config.c", "settings/table.c", "settings/values.c",
           "base/text.c", "text/pattern.c", "text/similar.c"]
GOOD = """listen = ::1
slow = 5
[postgres]	# a database
file = /usr/bin/postgres
by = a,b
by = c
slow = 0.5
[ name with  blanks ]
lines = 7
errors = yes
enable = no
"""
SET = ["listen=::1 slow=5 html=-",
       "[postgres] line=3 file=/usr/bin/postgres by=a by=b by=c lines=10 "
       "slow=0.5 errors=0 enable=0",
       "[name with  blanks] line=8 file=- lines=7 slow=0 errors=1 enable=1"]


@pytest.fixture(scope="module")
def program(made_up):
    return made_up("sections.c", *SOURCES)


@pytest.fixture
def read(program, tmp_path):
    """read(text...): what the program does with files of these texts."""
    def run(*texts):
        paths = [tmp_path / ("conf%d" % i) for i in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text)
        return subprocess.run(
            [program, *paths], timeout=LIMIT, capture_output=True, text=True,
            cwd=tmp_path)
    return run


def printed(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_what_is_set(read):
    assert printed(read(GOOD)) == SET


def test_none(read):
    assert printed(read("html = x")) == ["listen=- slow=0 html=x"]


@pytest.mark.parametrize("text, line, says", [
    ("[a]\n[b]\n[a]", 3,
     "[a] begins in line 1 already: write all its lines there"),
    ("[a]\nslow = 1\nslow = 2", 3,
     "'slow' is set in line 2 already: remove one of the two lines"),
    ("[]", 1, "'[]' has no name: write it as in [NAME]"),
    ("\n[  ]", 2, "'[  ]' has no name: write it as in [NAME]"),
    ("[a", 1, "'[a' has no ']' at its end: write it as in [NAME]"),
    ("[a] b", 1, "'[a] b' has no ']' at its end: write it as in [NAME]"),
    ("[\x1b[2J\nslow = 1", 1,
     "'[?[2J' has no ']' at its end: write it as in [NAME]"),
    ("[a]\nslov = 1", 2, "unknown key 'slov': did you mean 'slow'?"),
    ("[a]\nzzzz = 1", 2,
     "unknown key 'zzzz': use one that --help has for a section"),
    ("[a]\nlisten = ::1", 2, "'listen' cannot be set in a section: move the "
     "line above the first section"),
    ("lines = 1\n[a]", 1, "'lines' can be set in a section only: move the "
     "line below a line [NAME]"),
    ("[a]\nslow = x", 2,
     "invalid value 'x' for slow: use a number of milliseconds"),
    ("[a]\nfile = bad", 2, "invalid value 'bad' for file: use another one"),
    ("[a]\nby = 1,2,3,4", 2, "by: at most 3 names can be given"),
])
def test_what_is_wrong(read, tmp_path, text, line, says):
    done = read(text)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "made-up: %s/conf0:%d: %s\n" % (tmp_path, line, says)


def test_more_of_them_than_a_machine_has_programs(read):
    """All are compared by what was noted of them."""
    text = "".join("[%d]\nlines = %d\n" % (i, i % 100) for i in range(500))
    assert printed(read(text))[1:] == [
        "[%d] line=%d file=- lines=%d slow=0 errors=0 enable=0" % (
            i, 2 * i + 1, i % 100) for i in range(500)]
    assert "[499] begins in line 999 already" in read(text + "[499]").stderr


TWO = "[a]\nby = x\n[b]\nfile = y\n"


@pytest.mark.parametrize("other, differs", [
    (TWO, 0),
    ("[b]\nfile = y\n[a]\nby = x\n", 0),
    ("[b]\nfile = y\n[a]\nby = z\n", 1),
    ("[a]\nby = x\n[c]\nfile = y\n", 1),
    ("[a]\nby = x\n", 1),
    (TWO + "[c]\n", 1),
    ("", 1),
])
def test_another_file(read, other, differs):
    lines = printed(read(TWO, other))
    assert lines[3] == "differ: all %d, sections %d, page 0" % (
        differs, differs)
    assert lines[4:] == printed(read(other))    # copied


def test_other_options_do_not_change_sections(read):
    lines = printed(read(TWO, "html = p\n" + TWO))
    assert lines[3] == "differ: all 1, sections 0, page 1"


def test_help(program):
    done = subprocess.run([program, "--help"], stdout=subprocess.PIPE,
                          universal_newlines=True, timeout=LIMIT)
    assert done.stdout.splitlines() == [
        "Own",
        "      --listen=ADDRESS  where to listen",
        "      --slow=MS         print what took MS",
        "In a section [PROGRAM] of the file",
        "      file = FILE       trace FILE",
        "      by = NAMES        count by NAMES",
        "      lines = NUMBER    print NUMBER of rows (10)",
        "      slow = MS         print what took MS",
        "      errors = yes      print failures",
        "      enable = no|yes   whether to trace it",
        "Page",
        "      --html=FILE       write a page to FILE"]
