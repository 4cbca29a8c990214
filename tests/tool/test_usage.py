# SPDX-License-Identifier: BSD-2-Clause
"""The command line of sdtkit: help, versions, wrong usage, full disks, and the
manual page."""

import re
import shlex
import subprocess

import pytest

COMMANDS = ["list", "check", "diff", "trace", "bt"]


def note():
    return ("smb2", "request_start", "8@%rdi")


@pytest.mark.parametrize("args", [
    [], ["--nonsense"], ["-v"], ["frobnicate"], [""],
    ["list"], ["list", "--nonsense"], ["list", "-x"], ["list", "-v"],
    ["list", "--verbose=yes", "/dev/null"], ["list", "smb2:*"],
    ["list", "-p", "1", "/dev/null"], ["list", "--color=often", "/dev/null"],
    ["check"], ["check", "--for=bpftrace,strace", "/dev/null"],
    ["check", "--ignore=NONSENSE", "/dev/null"], ["check", "--description"],
    ["diff"], ["diff", "/dev/null"], ["diff", "a", "b", "c"],
])
def test_wrong_usage(sdtkit, args):
    done = sdtkit(*args)
    assert done.stdout == ""
    assert "--help" in done.stderr or "--rules" in done.stderr \
        or "always, auto or never" in done.stderr
    assert done.returncode == 2


def test_a_command_that_there_is_not(sdtkit):
    assert "did you mean 'list'?" in sdtkit("lst").stderr
    assert "did you mean 'check'?" in sdtkit("chekc").stderr
    assert "did you mean" not in sdtkit("frobnicate").stderr
    assert sdtkit("help").stdout == sdtkit("--help").stdout


def test_traced_probes_of_a_file(sdtkit):
    """A file is not traced, a process is."""
    done = sdtkit("list", "-t", "/bin/true")
    assert (done.returncode, done.stdout) == (2, "")
    assert "use -t with -p, -a or a core dump" in done.stderr


def test_messages_cannot_drive_the_terminal(build):
    """Names may have letters of any language, and escape sequences, which
    messages must not print as they are."""
    name = "caf\u00e9\u202e\x1b[2J".encode() + b"\xc2\x9b2J\xff\\"
    done = subprocess.run([build / "lib/tool/sdtkit", "list", name],
                          stderr=subprocess.PIPE)
    assert done.stderr.startswith(
        "sdtkit list: caf\u00e9\\xe2\\x80\\xae"
        "\\x1b[2J\\xc2\\x9b2J\\xff\\: ".encode())


@pytest.mark.parametrize("args", [
    [command, *wrong] for command in COMMANDS
    for wrong in (["--nonsense"], [], ["absent", "absent"])])
def test_one_prefix(sdtkit, args, tmp_path):
    """All messages begin with "sdtkit COMMAND: ", those of getopt too."""
    done = sdtkit(*args, cwd=str(tmp_path))
    assert done.stderr and done.returncode in (2, 125, 127)
    for line in done.stderr.splitlines():
        assert line.startswith("sdtkit %s: " % args[0])
        assert not line.startswith("sdtkit %s: %s:" % (args[0], args[0]))


def test_no_message_repeats_the_command(source):
    for path in (source / "lib" / "tool").rglob("*.c"):
        assert not re.search(r'tool_complain\("(%s|gen): ' %
                             "|".join(COMMANDS), path.read_text()), path.name


def test_numbers_have_singulars(source):
    """No message prints "at 1 sites": the word after a number has %s for the
    plural."""
    for room in "tool", "trace", "notes", "attach", "tap":
        for path in (source / "lib" / room).rglob("*.c"):
            text = re.sub(r'"\s*"', "", path.read_text())
            assert not re.findall(r"%(?:l*u|zu|d) (?:site|probe|hit|file|note|"
                                  r"error|librarie|process(?=es)|finding)e?s\b",
                                  text), path.name


@pytest.mark.parametrize("command", ["list", "check", "diff"])
@pytest.mark.parametrize("option, use", [
    ("--color=often", "use always, auto or never"),
    ("--width=wide", "use a number of characters, or 0 for no limit"),
    ("--width=-1", "use a number of characters, or 0 for no limit"),
])
def test_looks_are_the_same_everywhere(sdtkit, command, option, use):
    name, value = option.split("=")
    done = sdtkit(command, option, "/dev/null")
    assert done.stderr == "sdtkit %s: invalid value '%s' for %s: %s\n" % (
        command, value, name, use)
    assert (done.stdout, done.returncode) == ("", 2)


@pytest.mark.parametrize("args", [["--help"], ["-h"]] + [
    [command, "--help"] for command in COMMANDS])
def test_help_fits_a_screen(sdtkit, args):
    done = sdtkit(*args)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Usage: sdtkit ")
    assert "Examples:" in done.stdout
    assert len(lines) <= 28 and max(map(len, lines)) <= 80
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version_and_parts(sdtkit, option, source):
    """The first line is that of each command; then what it was built with."""
    done = sdtkit(option)
    lines = done.stdout.splitlines()
    assert lines[0] == sdtkit("list", "--version").stdout.rstrip("\n")
    assert lines[1] == "components: headers, arg, notes, tap, recorder, tool"
    libraries = dict(each.split(" ") for each in lines[2].replace(
        "libraries: ", "", 1).split(", "))
    assert {"libelf", "zlib", "jansson"} <= set(libraries)
    assert all(re.match(r"[0-9]+[.][0-9]", number)
               for number in libraries.values())
    without = lines[3] if len(lines) > 3 else ""
    for name in "libbpf", "ncursesw":
        assert (name in libraries) != (name in without)
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("args", [
    [command, "--version"] for command in COMMANDS])
def test_version(sdtkit, args):
    done = sdtkit(*args)
    assert re.fullmatch(r"sdtkit [0-9]+\.[0-9]+\.[0-9]+\n", done.stdout)
    assert (done.stderr, done.returncode) == ("", 0)


def options_in(text):
    return set(re.findall(r"^\s+(?:(-\w), )?\s*(?:--([\w-]+))", text, re.M))


def section_of(manual, command):
    """Returns the part of the manual page about a command."""
    parts = re.split(r"^\.S[sh] ", manual, flags=re.M)
    return next(part for part in parts
                if part.startswith("sdtkit %s\n" % command))


@pytest.mark.parametrize("command", [*COMMANDS, "init", "top"])
def test_manual_knows_all_options(sdtkit, source, command):
    manual = (source / "docs" / "sdtkit.1").read_text().replace("\\-", "-")
    manual = section_of(manual, command)
    options = options_in(sdtkit(command, "--help").stdout)
    assert options
    for short, long in options - {("", "help"), ("-h", "help")}:
        assert "Fl -" + long in manual
        assert not short or "Fl " + short[1:] in manual


EXAMPLE = re.compile(r"^(?:\.Dl )?[$#] (?:\w+=\S+ )*(sdtkit|probegen) (.*)",
                     re.M)


@pytest.mark.parametrize("page", ["sdtkit.1", "probegen.1"])
def test_examples_have_options_that_there_are(sdtkit, source, page):
    """What operators and authors of servers do most: each has an example, and
    the help of its command has the options."""
    manual = (source / "docs" / page).read_text().replace("\\(aq", "'")
    examples = EXAMPLE.findall(manual[manual.index("\n.Sh EXAMPLES"):])
    assert len(examples) >= 4
    for program, words in examples:
        command, *words = shlex.split(words)
        if program == "probegen":
            command, words = "gen", [command, *words]
        known = sdtkit(command, "--help").stdout
        for word in words:
            for option in re.findall(r"^(--[\w-]+|-\w)", word):
                assert re.search(r"(^|[ ,|\[])%s\b" % option, known,
                                 re.M), (command, option)


@pytest.mark.parametrize("page", ["sdtkit.1", "probegen.1"])
def test_manual_is_sound(source, page):
    done = subprocess.run(["groff", "-man", "-mdoc", "-Tutf8", "-ww", "-z",
                           str(source / "docs" / page)],
                          stderr=subprocess.PIPE, universal_newlines=True)
    assert done.stderr == ""


@pytest.mark.parametrize("args", [
    ["list"], ["list", "-v"], ["list", "--json"], ["check"], ["--help"],
    ["list", "--help"], ["check", "--rules"], ["--version"],
    ["init", "--help"]])
def test_full_disk(sdtkit, assembled, args):
    if args[-1] in ("list", "-v", "--json", "check"):
        args = args + [assembled(note())]
    with open("/dev/full", "w") as full:
        done = sdtkit(*args, stdout=full)
    command = " ".join(["sdtkit"] + args[:1]) if args[0][0] != "-" else "sdtkit"
    assert done.stderr == (command + ": cannot write the output: "
                           "No space left on device\n")
    assert done.returncode == 2


def test_gen_is_probegen(sdtkit, source, tmp_path):
    description = tmp_path / "smb2.d"
    description.write_text("provider smb { probe start(int a); };\n")
    done = sdtkit("gen", description, "-o", "-")
    assert "SMB_START(a)" in done.stdout and done.returncode == 0
    assert sdtkit("gen", "--help").stdout.startswith("usage: probegen")


def test_gen_hands_over_the_exit_status(sdtkit, tmp_path):
    description = tmp_path / "bad.d"
    description.write_text("provider smb { probe start(int a) };\n")
    done = sdtkit("gen", description)
    assert "error MISSING_SEMICOLON" in done.stderr
    assert done.returncode == 1


def test_gen_without_probegen(build, tmp_path):
    """There is no probegen beside the command and in $PATH."""
    command = tmp_path / "sdtkit"
    command.write_bytes((build / "lib" / "tool" / "sdtkit").read_bytes())
    command.chmod(0o755)
    done = subprocess.run([str(command), "gen"], env={"PATH": str(tmp_path)},
                          stderr=subprocess.PIPE, universal_newlines=True)
    assert "cannot run probegen: No such file or directory" in done.stderr
    assert done.returncode == 2
    beside = tmp_path / "probegen"
    beside.write_text("#!/bin/sh\n")
    beside.chmod(0o600)
    done = subprocess.run([str(command), "gen"], env={"PATH": str(tmp_path)},
                          stderr=subprocess.PIPE, universal_newlines=True)
    assert done.stderr == "sdtkit gen: cannot run %s: Permission denied\n" % (
        beside)
    assert done.returncode == 2
