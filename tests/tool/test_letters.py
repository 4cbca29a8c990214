# SPDX-License-Identifier: BSD-2-Clause
"""One set of letters: the table in docs/sdtkit.1 has each option of each command
once, with one name, one argument and one meaning. Patterns, and files before or
after them, are words of their own in all commands."""

import re
import shutil
import subprocess

import pytest

# Where a command has its table of options.
TABLES = {
    "list": "list/command.c", "check": "check/command.c",
    "diff": "diff/command.c", "trace": "trace/command.c",
    "top": "top/options.c", "bt": "bt/command.c",
}
# Those that have tables of settings, in lib/tool/serve/replay.c.
SETTINGS = {"replay": ["replay_rows", "printed_rows"],
            "merge": ["printed_rows"]}
COMMANDS = [*TABLES, *SETTINGS]
# The macros of such tables: docs of them are in common/options.h.
MACROS = {
    "TOOL_OPTION_COLOR": [("", "color", True)],
    "TOOL_OPTIONS_OF_ALL": [("", "color", True), ("", "width", True),
                            ("h", "help", False), ("V", "version", False)],
}
ROW = re.compile(r"^\.It (?:Fl (\w) ?)?(?:, )?(?:Fl -([\w-]+) ?)?"
                 r"(?:(?:Ns = Ns )?Ar (\w+) )?Ta \"([a-z ]+)\" Ta \"(.+)\"$",
                 re.M)


@pytest.fixture(scope="module")
def rows(source):
    """(letter, name, argument, meaning, commands) of each row."""
    text = (source / "docs" / "sdtkit.1").read_text()
    table = re.search(r"^\.Sh OPTIONS\n.*?^\.Bl -column.*?\n(.*?)^\.El$", text,
                      re.M | re.S)[1]
    found = [match.groups(default="") for match in ROW.finditer(table)]
    assert len(found) == table.count("\n")

    def named(commands):
        everything, _, without = commands.partition(" but ")
        return set(COMMANDS) - set(without.split()) \
            if everything == "all" else set(commands.split())

    return [(*row, meaning, named(commands))
            for *row, commands, meaning in found]


def settings_of(source, command):
    """Likewise, with what lib/replay and lib/settings know."""
    text = (source / "lib/tool/serve/replay.c").read_text()
    found = {("", "from", True), ("", "to", True), ("h", "help", False),
             ("V", "version", False)}
    if command == "replay":
        found.add(("", "list", False))
    for name in SETTINGS[command]:
        rows = re.search(r"struct setting %s\[\] = \{\n(.*?)^\};" % name, text,
                         re.M | re.S)[1]
        found |= {(letter, option, kind != "FLAG") for kind, option, letter in
                  re.findall(r'\{ OPTION\((\w+), [\w.]+, "([\w-]+)"[^}]*?'
                             r"(?:\.letter = '(\w)'[^}]*)?\}", rows)}
    return found


def options_of(source, command):
    """{(letter, name, whether it takes an argument)} of the option table, and
    of the letters that getopt() gets."""
    if command in SETTINGS:
        return settings_of(source, command)
    text = (source / "lib/tool" / TABLES[command]).read_text()
    table = re.search(r"struct option \w+\[\] = \{\n(.*?)^\};", text,
                      re.M | re.S)[1]
    found = {("" if len(value) > 1 else value, name,
              argument == "required_argument")
             for name, argument, value in re.findall(
                 r'\{ "([\w-]+)", (\w+), NULL, \'?(\w+)\'? \}', table)}
    for macro, options in MACROS.items():
        if macro in table:
            found |= set(options)
    letters = re.search(r'tool_option\(\w+, argv,\s*(PROBEGEN_LETTERS )?'
                        r'"\+?([\w:]+)"', text)
    if letters[1]:
        found |= {("C", "", False), *((one, "", True) for one in "IDU")}
    short = {(one, bool(colon))
             for one, colon in re.findall(r"(\w)(:?)", letters[2])}
    assert short == {(letter, takes) for letter, name, takes in found
                     if letter and name}
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_the_options_of_the_table(source, rows, command):
    assert options_of(source, command) == {
        (letter, name, argument != "")
        for letter, name, argument, _, commands in rows
        if command in commands}


def test_an_option_has_one_meaning(rows):
    for column in 0, 1, 3:
        seen = [row[column] for row in rows if row[column]]
        assert sorted(seen) == sorted(set(seen))


@pytest.mark.parametrize("command", [*COMMANDS, "init"])
def test_help_has_all_of_them(sdtkit, build, rows, command):
    if command in SETTINGS and not (
            build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    text = sdtkit(command, "--help").stdout
    for letter, name, _, _, commands in rows:
        if command in commands and letter != "U":
            assert not name or "--" + name in text
            assert not letter or re.search(r"[ ,]-%s\b" % letter, text), letter


def noted(assembled, *probes):
    return str(assembled(*((provider, probe, "8@%rdi")
                           for provider, probe in probes)))


@pytest.fixture
def server(assembled, tmp_path):
    return noted(assembled, ("smb2", "start"), ("smb2", "stop"), ("vfs", "open"))


@pytest.mark.parametrize("words", [
    ["FILE", "smb2:*"], ["smb2:*", "FILE"], ["*:*", "FILE", "!vfs:*"]])
def test_patterns_before_and_after_the_file(sdtkit, server, words):
    words = [server if word == "FILE" else word for word in words]
    assert "vfs" not in sdtkit("list", *words).stdout
    assert "2 probes, 2 sites" in sdtkit("check", *words).stdout


def test_diff_of_a_pattern(sdtkit, assembled, server):
    kept = str(server) + ".old"
    with open(server, "rb") as file, open(kept, "wb") as copy:
        copy.write(file.read())
    new = noted(assembled, ("smb2", "start"), ("vfs", "close"))
    assert sdtkit("diff", kept, new).stdout.count("breaking") == 2
    assert sdtkit("diff", kept, new, "vfs:*").stdout.count("breaking") == 1
    done = sdtkit("diff", "smb2:start", kept, new)
    assert (done.stdout, done.returncode) == ("no difference in 1 probe\n", 0)
    done = sdtkit("diff", kept, new, "smb2:strat")
    assert done.returncode == 2 and "smb2:start" in done.stderr


@pytest.mark.parametrize("command", ["list", "check", "diff"])
def test_output_to_a_file(sdtkit, server, command, tmp_path):
    files = [server] * (1 + (command == "diff"))
    usual = sdtkit(command, *files)
    done = sdtkit(command, "-o", tmp_path / "out", *files)
    assert (done.stdout, done.returncode) == ("", usual.returncode)
    assert (tmp_path / "out").read_text() == usual.stdout != ""
    done = sdtkit(command, *files, "--output", tmp_path)
    assert done.returncode == 2 and "Is a directory" in done.stderr


FAILS = [["list", "absent"], ["list", "FILE", "smb2:strat"],
         ["diff", "FILE", "absent"], ["bt", "--print", "-e", "vfs:* {", "FILE"],
         ["check", "FILE", "--description", "absent.d"],
         ["top", "absent", "vfs:*"]]


@pytest.mark.parametrize("words", FAILS, ids=lambda words: " ".join(words[:2]))
def test_an_old_output_stays(sdtkit, server, tmp_path, words):
    out = tmp_path / "out"
    out.write_text("before\n")
    done = sdtkit(words[0], "-o", out, *(
        server if word == "FILE" else word for word in words[1:]))
    assert done.returncode in (1, 2)
    assert out.read_text() == "before\n"


def test_an_output_that_is_a_pipe_is_not_read(sdtkit, server, tmp_path):
    done = subprocess.run(
        "{ echo before; '%s' list '%s' -o /dev/stdout; } | cat" % (
            sdtkit("list", "--help").args[0], server), shell=True, text=True,
        stdout=subprocess.PIPE, check=True)
    assert done.stdout == "before\n" + sdtkit("list", server).stdout


def test_a_long_old_output_is_replaced(sdtkit, server, tmp_path):
    out = tmp_path / "out"
    out.write_text("before\n" * 1000)
    sdtkit("list", server, "-o", out)
    assert out.read_text() == sdtkit("list", server).stdout
    # what a command has not printed when it went well is nothing
    sdtkit("list", "-q", server, "vfs:*", "-o", out)
    assert "before" not in out.read_text()


@pytest.mark.parametrize("words", [
    ["list", "-o"], ["check", "-o"], ["diff", "FILE", "-o"], ["top", "-o"],
    ["top", "--heatmap"], ["top", "--flame"], ["trace", "-o"],
    ["bt", "--print", "-e", "vfs:* { @ = count(); }", "-o"]],
    ids=" ".join)
@pytest.mark.parametrize("name", ["program", "old.d"])
def test_no_input_is_replaced(sdtkit, server, tmp_path, words, name):
    """A program or a description that is named as the output."""
    path = tmp_path / name
    text = b"provider a { probe b(); };\n"
    if name == "program":
        with open(server, "rb") as file:
            text = file.read()
    path.write_bytes(text)
    done = sdtkit(words[0], *(server if word == "FILE" else word
                              for word in words[1:]), path, server)
    assert done.returncode == (125 if words[0] == "trace" else 2)
    assert "and would be lost: name another file" in done.stderr
    assert path.read_bytes() == text


@pytest.mark.parametrize("words", [
    ["list", "-o"], ["top", "--heatmap"], ["top", "--flame"], ["trace", "-o"]],
    ids=" ".join)
def test_no_option_is_an_output(sdtkit, server, words):
    done = sdtkit(*words, "-w", server)
    assert done.returncode == (125 if words[0] == "trace" else 2)
    assert "'-w' stands where the file for the output belongs" in done.stderr


def test_quiet_list(sdtkit, tmp_path):
    for path in "/bin/true", tmp_path:
        assert "no probes" in sdtkit("list", path).stderr
        done = sdtkit("list", "-q", path)
        assert (done.stdout, done.stderr, done.returncode) == ("", "", 1)


@pytest.mark.parametrize("command", ["list", "trace", "bt"])
def test_no_process_of_a_name(sdtkit, command):
    done = sdtkit(command, "--name", "absent-name")
    assert done.stderr == ("sdtkit %s: no process has the name 'absent-name'\n"
                           % command)
    assert done.returncode in (2, 125)


def test_nearly_the_name_of_a_process(sdtkit, tmp_path):
    program = tmp_path / "meantserver"
    shutil.copy("/bin/sleep", program)
    process = subprocess.Popen([program, "100"])
    try:
        done = sdtkit("list", "--name", "meantsrever")
    finally:
        process.kill()
        process.wait()
    assert done.stderr == ("sdtkit list: no process has the name 'meantsrever'"
                           "; did you mean meantserver?\n")


@pytest.mark.parametrize("command", ["list", "trace", "top", "bt"])
def test_a_pattern_is_no_process(sdtkit, command):
    done = sdtkit(command, "-p", "smb2:*")
    assert done.returncode in (2, 125)
    assert "a pattern is a word of its own, without -p" in done.stderr


def test_columns_of_list(sdtkit, assembled, server):
    """A line for each probe; or for each site, if a column tells of one."""
    twice = noted(assembled, ("smb2", "start"), ("smb2", "start"))
    lines = [line.split() for line in sdtkit(
        "list", "--columns=probe,sites,arguments", twice).stdout.splitlines()]
    assert lines == [["PROBE", "SITES", "ARGUMENTS"],
                     ["smb2:start", "2", "u64"]]
    done = sdtkit("list", twice, "--columns", "operands,address,offset,probe")
    sites = [line.split() for line in done.stdout.splitlines()[1:]]
    plain = [line.split() for line in sdtkit(
        "list", "-v", twice).stdout.splitlines()[1:]]
    assert sites == [[row[4], row[1], row[2], row[0]] for row in plain]
    assert len(sites) == 2
    for wrong in "", "sites,", "name", ",".join(["probe"] * 8):
        done = sdtkit("list", "--columns", wrong, server)
        assert done.returncode == 2 and "--columns" in done.stderr
    assert "use either" in sdtkit("list", "-l", "--columns=probe",
                                  server).stderr


@pytest.mark.parametrize("words, guess", [
    (["top", "--colums=count"], "--columns"), (["list", "--wdith=9"], "--width"),
    (["trace", "--snapshots", "x"], "--snapshot"), (["check", "--zzz"], None),
    (["top", "--by"], None), (["list", "--width=9", "-vZ"], None)])
def test_a_misspelt_option(sdtkit, words, guess):
    done = sdtkit(*words)
    lines = done.stderr.splitlines()[1:]
    assert lines == ["sdtkit %s: %s" % (words[0], text) for text in (
        ["did you mean %s?" % guess] if guess else []) + [
            "try 'sdtkit %s --help'" % words[0]]]
