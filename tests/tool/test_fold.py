# SPDX-License-Identifier: BSD-2-Clause
"""Text that is too long for a line of the terminal is folded, and nothing
else: tables and the long form of `sdtkit list`, findings of check, and changes
of diff."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from conftest import comments, description, names, span
from test_list import PROBES, SUMMARY
from test_list_many import command, read_terminal

WIDTHS = [60, 80, 120, 200]

LONG = [("smb2", "request_cancel", " ".join(["8@%rdi"] * 12), 16),
        ("smb2", "c", "8@-123456789(%rsp) 4@global_variable(%rip)"),
        description("smb2", "request_cancel",
                    "A command was cancelled by another command, which itself "
                    "gets no reply",
                    *[("u8", "const struct number_%d *" % i, "argument")
                      for i in range(12)])]

DECLARED = """
provider smb2 {
	/* Another sentence. */
	probe request_cancel(
		uint64_t argument /* the first word of a comment, which goes on
		                     for more than one line */);
	probe gone(uint64_t mid, uint16_t opcode, uint32_t status, char *name,
		   char *user);
};
provider smb {
	/* From the description. */
	probe start(uint64_t mid /* the message */, char *user);
};
"""


def on_terminal(args, width, **environ):
    """Returns what the command writes to a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ,
                struct.pack("HHHH", 24, width, 0, 0))
    process = subprocess.Popen(args, stdout=slave,
                               env={"PATH": os.environ["PATH"], **environ})
    os.close(slave)
    text = read_terminal(master).replace("\r\n", "\n")
    process.wait(timeout=300)
    return text


@pytest.fixture
def declared(tmp_path):
    path = tmp_path / "smb2.d"
    path.write_text(DECLARED)
    return path


@pytest.fixture(params=[
    ["list"], ["list", "-s"], ["list", "-v"], ["list", "-l"],
    ["list", "--description", "DECLARED"], ["check"], ["check", "--description", "DECLARED"],
    ["diff", "DECLARED"]], ids=" ".join)
def args(request, build, assembled, declared):
    words = [declared if word == "DECLARED" else word
             for word in request.param]
    return command(build, *words, assembled(*LONG))


@pytest.mark.parametrize("width", WIDTHS)
def test_lines_fit(args, width, tmp_path):
    text = on_terminal(args, width)
    lines = text.splitlines()
    assert len(lines) > 1
    for line in lines:
        assert line == line.rstrip()
        assert len(line) <= width or str(tmp_path) in line
    plain = subprocess.run(args, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout
    assert "".join(text.split()) == "".join(plain.split())


@pytest.mark.parametrize("option", [[], ["-v"], ["-l"]])
def test_a_name_that_does_not_fit(build, assembled, option):
    name = "a_name_that_is_longer_than_the_line_in_which_it_has_to_stand"
    args = command(build, "list", *option,
                   assembled((name, name, "8@%rdi 4@(%rsp)"), ("p", "a", "")))
    text = on_terminal(args, 60)
    assert name + ":" + name in text
    for line in text.splitlines():
        assert line == line.rstrip()
        assert len(line) <= 60 or name in line or option == ["-v"]


def test_a_pipe_is_not_folded(args):
    environ = dict(os.environ, COLUMNS="60")
    plain = [subprocess.run(args + more, stdout=subprocess.PIPE, env=environ,
                            universal_newlines=True).stdout
             for more in ([], ["--width=0"], ["--width=60"])]
    assert plain[0] == plain[1] != plain[2]
    assert max(map(len, plain[0].splitlines())) > 100 or "-l" in args
    assert on_terminal(args, 60) == plain[2]
    assert on_terminal(args, 200, COLUMNS="60") == plain[2]
    assert on_terminal(args, 60, COLUMNS="wide") == plain[2]
    assert on_terminal(args + ["--width=0"], 60) == plain[0]


def test_what_fits_is_not_folded(build, assembled):
    args = command(build, "list", assembled(*PROBES))
    assert on_terminal(args, 80) == on_terminal(args, 0) == SUMMARY


def test_arguments_below_the_name(sdtkit, assembled):
    path = assembled(("smb2", "request_cancel", "8@%rdi 8@%rsi -4@%edx"),
                     description("smb2", "request_cancel", "",
                                 ("u8", "uint64_t", "mid"),
                                 ("p", "const struct request *", "request"),
                                 ("s4", "int", "status")))
    assert sdtkit("list", "--width=60", path).stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         smb2:request_cancel(uint64_t mid,
                          const struct request *request,
                          int status)
"""


def test_operands_below_each_other(sdtkit, assembled):
    path = assembled(("p", "a", "8@[x0, x1, lsl 2] 8@[x2, 16] -4@[x3, x4]"))
    assert sdtkit("list", "-v", "--width=64", path).stdout == """\
PROBE  ADDRESS  OFFSET  SEMAPHORE  OPERANDS
p:a    0        -       -          8@[x0, x1, lsl 2] 8@[x2, 16]
                                   -4@[x3, x4]
"""


# The long form, `sdtkit list -l`.

def test_long(sdtkit, assembled):
    path = assembled(*PROBES[-1:], ("vfs", "idle", ""),
                     ("smb", "start", "8@%rdi 8@%rsi"),
                     description("smb", "start", "A request begins.",
                                 ("u8", "uint64_t", "mid"),
                                 ("z", "char *", "user")))
    for option in "-l", "--long":
        assert sdtkit("list", option, path).stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         odd:types
                      u8
                      s16
                      f64
                      u128
                      ?
                      u32
    1  no         smb:start
                      A request begins.
                      uint64_t mid
                      char *user
    1  no         vfs:idle
"""


OWN = [("smb", "start", "8@%rdi 8@%rsi -4@%edx"),
       description("smb", "start", "", ("u8", "uint64_t", "mid"),
                   ("z", "char *", "user"), ("s4", "int", "new")),
       comments("smb", "start", "MessageId", "who asks", "")]


def test_long_with_comments_of_the_file(sdtkit, assembled):
    assert sdtkit("list", "-l", assembled(*OWN)).stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         smb:start
                      uint64_t mid  MessageId
                      char *user    who asks
                      int new
"""


def test_comments_of_the_description_win(sdtkit, assembled, declared):
    """The comments of the description are printed instead of those of the
    file. It has none for the user, so that of the file is printed."""
    done = sdtkit("list", "--description", declared, assembled(*OWN))
    assert done.stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         smb:start
                      From the description.
                      uint64_t mid  the message
                      char *user    who asks
                      int new
"""


@pytest.mark.parametrize("docs", [
    ["one"], ["one", "two"], ["one", "two", "three", "four"],
    ["one", "two", r"\377"]], ids=len)
def test_comments_that_do_not_fit_are_not_printed(sdtkit, assembled, docs):
    done = sdtkit("list", "-l", assembled(*OWN[:2],
                                          comments("smb", "start", *docs)))
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("int new\n") and "one" not in done.stdout


def test_comments_of_members(sdtkit, assembled):
    """In a note of a record, the comment of a member is the string after its
    name."""
    path = assembled(
        ("smb", "done", "8@%rdi"),
        description("smb", "done", "", ("p", "info_t *", "req")),
        comments("smb", "done", "all of it"),
        description("smb", "info_t *", "16", ("0", "u8", "uint64_t"),
                    ("mid", "MessageId", "8"), ("z", "char *", "user"),
                    [""]).replace("2f-1f, 1", "2f-1f, 2"))
    assert sdtkit("list", "-l", path).stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         smb:done
                      info_t *req         all of it
                        uint64_t req.mid  MessageId
                        char *req.user
"""


def test_long_with_names_of_values(sdtkit, assembled):
    """They follow the argument, and are folded at blanks."""
    path = assembled(
        ("p", "n", "8@%rax -8@%rdx"),
        description("p", "n", "", ("u2", "uint16_t", "op"),
                    ("s4", "enum e", "kind")),
        names("p", "command", [("uint16_t", "op")],
              *((i, "COMMAND%d" % i) for i in range(4))),
        names("p", "e", [("enum e", "")], (-1, "LOW"), (2**63 - 1, "TOP")))
    assert sdtkit("list", "-l", path).stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         p:n
                      uint16_t op
                        COMMAND0=0 COMMAND1=1 COMMAND2=2 COMMAND3=3
                      enum e kind
                        LOW=-1 TOP=9223372036854775807
"""
    assert sdtkit("list", "-l", "--width=50", path).stdout.splitlines()[3:5] \
        == [" " * 24 + "COMMAND0=0 COMMAND1=1", " " * 24 +
            "COMMAND2=2 COMMAND3=3"]
    listed = json.loads(sdtkit("list", "--json", path).stdout)
    _, kind = listed["files"][0]["probes"][0]["arguments"]
    assert (kind["enum"], kind["names"]) == ("e", [
        {"name": "LOW", "value": -1},
        {"name": "TOP", "value": "9223372036854775807"}])


def test_many_names_of_values_are_printed_once(sdtkit, assembled):
    """Below the first argument that has them; few names, each time."""
    few, many = "BAD=0 GOOD=1", " ".join("NAME%d=%d" % (i, i)
                                         for i in range(40))
    path = assembled(
        ("p", "n", "8@%rax -8@%rdx"), ("p", "o", "8@%rax -8@%rdx"),
        *(description("p", probe, "", ("u2", "uint16_t", "op"),
                      ("s4", "enum e", "kind")) for probe in "no"),
        names("p", "command", [("uint16_t", "op")],
              *((i, "NAME%d" % i) for i in range(40))),
        names("p", "e", [("enum e", "")], (0, "BAD"), (1, "GOOD")))
    lines = sdtkit("list", "-l", path).stdout.splitlines()
    assert [line.strip() for line in lines[2:]] == [
        "uint16_t op", many, "enum e kind", few, "1  no         p:o",
        "uint16_t op", "names of enum command, see above", "enum e kind", few]


def test_long_with_spans_whose_errors_have_names(sdtkit, assembled):
    """The file has numbers, and names of them."""
    path = assembled(
        ("p", "begin", ""), ("p", "end", "8@%rax 8@%rdx"),
        description("p", "end", "", ("s4", "enum e", "code"),
                    ("s4", "int", "plain")),
        names("p", "e", [("enum e", "")], (0, "OK"), (-3, "REPLAY")),
        span("p", "a", "", ("start", "begin"), ("end", "end"),
             ("error", "code"), ("ok", "0,-3,7")),
        span("p", "b", "", ("start", "begin"), ("end", "end"),
             ("error", "end.code<0"), ("ok", "0")),
        span("p", "c", "", ("start", "begin"), ("end", "end"),
             ("error", "plain"), ("ok", "0,0x3")))
    assert re.findall(r"ok=(\S+)", sdtkit("list", "-l", path).stdout) == [
        "OK,REPLAY,7", "OK", "0,0x3"]


def test_long_with_spans(sdtkit, assembled):
    path = assembled(
        ("p", "begin", ""), ("p", "end", ""),
        span("p", "request", "From here to there", ("start", "begin"),
             ("end", "end"), ("key", "tid")),
        span("p", "plain", "", ("start", "begin"), ("end", "end")))
    assert sdtkit("list", "-l", path).stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         p:begin
    1  no         p:end

SPAN
p:plain
    start=begin end=end
p:request
    From here to there
    start=begin end=end key=tid
"""
    assert sdtkit("list", "-l", "--width=24", path).stdout.splitlines()[5:] \
        == ["p:plain", "    start=begin end=end", "p:request",
            "    From here to there", "    start=begin end=end",
            "    key=tid"]


def test_long_with_comments(sdtkit, assembled, declared):
    """Comments are assigned to arguments by name, because the file may be of
    another version than the description."""
    path = assembled(("smb", "start", "8@%rdi 8@%rsi -4@%edx"),
                     description("smb", "start", "From the file.",
                                 ("z", "char *", "user"),
                                 ("u8", "uint64_t", "mid"),
                                 ("s4", "int", "new")))
    done = sdtkit("list", "--description=%s" % declared, path)
    assert done.stdout == """\
SITES  SEMAPHORE  PROBE
    1  no         smb:start
                      From the file.
                      char *user
                      uint64_t mid  the message
                      int new
"""
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("operands, arguments", [
    ("8@%rdi 8@%rsi", "uint64_t mid  the message\n" + 22 * " " +
     "char *user\n"),
    ("8@%rdi", "u64\n"),
])
def test_long_of_what_is_not_described(sdtkit, assembled, declared, operands,
                                       arguments):
    path = assembled(("smb", "start", operands))
    assert sdtkit("list", "--description", declared, path).stdout == (
        "SITES  SEMAPHORE  PROBE\n"
        "    1  no         smb:start\n" +
        22 * " " + "From the description.\n" + 22 * " " + arguments)


def test_comments_below_where_there_is_no_room(sdtkit, assembled, declared):
    path = assembled(*LONG)
    lines = sdtkit("list", "--description", declared, "--width=70", path).stdout
    assert """
                      const struct number_0 *argument
                          the first word of a comment, which goes on
                          for more than one line
                      const struct number_1 *argument
""" in lines


NONE = "sdtkit list: %s describes none of the probes %s\n"


def test_description_of_something_else(sdtkit, assembled, declared, tmp_path):
    other = tmp_path / "other.d"
    other.write_text("provider other { probe start(); };\n")
    path = assembled(("smb", "start", "8@%rdi"))
    done = sdtkit("list", "--description", other, path)
    assert done.stderr == NONE % (other, "of %s" % path)
    assert done.stdout == sdtkit("list", "-l", path).stdout
    assert done.returncode == 0
    done = sdtkit("list", "--description", declared, "--description", other, path, path)
    assert done.stderr == NONE % (other, "listed")
    assert sdtkit("list", "--description", declared, path, "/bin/sh").stderr.count(
        "describes none") == 0


def test_description_without_the_probes_of_a_pattern(sdtkit, assembled,
                                                     declared):
    path = assembled(("smb", "start", "8@%rdi"), ("smb", "new", "8@%rdi"))
    done = sdtkit("list", "--description", declared, path, "smb:new")
    assert done.stderr == NONE % (declared, "listed")


def test_long_and_verbose(sdtkit, assembled):
    done = sdtkit("list", "-lv", assembled(*PROBES))
    assert "use either -l and --description, or -v" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


def test_no_comments_of_a_binary(sdtkit, assembled):
    path = assembled(*PROBES)
    done = sdtkit("list", "--description", path, path)
    assert "--description takes a description" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)
