# SPDX-License-Identifier: BSD-2-Clause
"""The command line: options, exit statuses, and that no output is ever
lost."""

import os
import re
import resource
import shutil
import stat
import subprocess
import sys

import pytest

from probegen_tool import PROBEGEN, SOURCE, run

from probegen import emit

GOOD = "provider a {\n\tprobe event(int x);\n};\n"
BAD = "provider a {\n\tprobe event(Oid x);\n};\n"


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.d"
    path.write_text(GOOD)
    return path


def test_help_fits_a_screen():
    result = run("--help")
    assert result.returncode == 0 and result.stderr == ""
    lines = result.stdout.splitlines()
    # a path is as long as it is
    assert lines[-1].startswith("documentation: /")
    assert len(lines) <= 24 and max(map(len, lines[:-1])) <= 80


def test_version_is_that_of_the_project():
    """It stands in the header; all else derives it, see tests/builds."""
    version = run("--version").stdout.split()[-1]
    header = (SOURCE / "include/sdtkit/probe.h").read_text()
    assert '#define SDTKIT_VERSION "%s"\n' % version in header
    for path in (SOURCE / "probegen").glob("**/*.py"):
        assert '"%s"' % version not in path.read_text(), path


def test_help_names_each_default_output():
    text = run("--help").stdout
    for name, form in emit.FORMATS.items():
        assert re.search(r"[ :]%s %s[,\n]" % (name, re.escape(form.suffix)),
                         text), name
    assert "default FILE + suffix" in text


def test_man_page_names_each_default_output():
    page = (SOURCE / "docs/probegen.1").read_text()
    for name, form in emit.FORMATS.items():
        assert ".It Cm %s Ta Pa server_probes%s Ta " % (
            name, form.suffix) in page


@pytest.mark.parametrize("args", [
    [""], ["-s", ""], ["-h", "-s", ""], [], ["a.d", "-s", "b.d"],
    ["--frobnicate", "a.d"], ["a.d", "-o"],
    ["--emit", "nonsense", "a.d"], ["-h", "-G", "-s", "a.d"],
    ["-Wnonsense", "a.d"], ["--alias", "a", "a.d"]])
def test_bad_command_line_is_2(args):
    result = run(*args)
    assert result.returncode == 2
    assert "usage: probegen" in result.stderr
    assert result.stdout == ""


def test_default_output_is_in_the_current_directory(good, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    assert run("-h", "-s", good, cwd=there).returncode == 0
    assert os.listdir(there) == ["good.h"]


def test_standard_input_and_output():
    result = run("-", "-o", "-", input=GOOD)
    assert result.returncode == 0
    assert "SDTKIT_PROBE(a, event," in result.stdout
    result = run("-", input=BAD)
    assert result.returncode == 1
    assert "<stdin>:2:14: error UNKNOWN_TYPE" in result.stderr
    assert result.stdout == ""


def test_called_as_dtrace(good, tmp_path):
    """With the name dtrace, probegen makes only what dtrace makes."""
    link = tmp_path / "dtrace"
    link.symlink_to(os.path.join(PROBEGEN, "__main__.py"))
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    output = tmp_path / "out.h"
    subprocess.run([sys.executable, link, "-h", "-s", good, "-o", output],
                   check=True, env=env)
    assert "#include <sys/sdt.h>" in output.read_text()
    result = subprocess.run([sys.executable, link, "-s", good, "-o", output],
                            stderr=subprocess.PIPE, env=env)
    assert result.returncode == 2


@pytest.mark.parametrize("args", [
    ["good.d", "-o", "good.d"], ["good.d", "-o", "./good.d"], ["good.h"],
    ["good.d", "-o", "link.d"], ["good.d", "-o", ""],
    ["good.d", "-o", "x.h", "--depfile", "x.h"],
    ["good.d", "-o", "x.h", "--depfile", "good.d"],
    ["good.d", "-o", "-", "--depfile", "x.dep"]])
def test_no_output_takes_the_place_of_an_input(args, good, tmp_path):
    (tmp_path / "good.h").write_text(GOOD)
    (tmp_path / "link.d").symlink_to("good.d")
    before = sorted(os.listdir(tmp_path))
    result = run(*args, cwd=tmp_path)
    assert result.returncode == 2 and result.stderr.startswith("probegen: ")
    assert good.read_text() == GOOD
    assert (tmp_path / "good.h").read_text() == GOOD
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("command,status", [
    ("-o - good.d >&-", 1), ("--help >&-", 1), ("-o out.h - <&-", 1),
    ("good.d -o out.h 2>&-", 0), ("bad.d -o out.h 2>&-", 1),
    ("bad.d -o out.h 2>/dev/full", 1), ("--nonsense 2>/dev/full", 2),
    ("good.d -o - | true", 0)])
def test_closed_and_full_streams(command, status, good, tmp_path):
    (tmp_path / "bad.d").write_text(BAD)
    result = subprocess.run(
        ["sh", "-c", '"$0" "$1" ' + command, sys.executable, PROBEGEN],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    assert result.returncode == status
    assert "Traceback" not in result.stderr
    assert "Exception" not in result.stderr


def test_names_in_messages_come_out_as_they_went_in(tmp_path):
    name = b"\xe9\xff bad.d"
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
        file.write(BAD.encode())
    result = subprocess.run([sys.executable, PROBEGEN, name], cwd=tmp_path,
                            stderr=subprocess.PIPE,
                            env=dict(os.environ, LC_ALL="C"))
    assert result.returncode == 1
    assert result.stderr.startswith(name + b":2:14: error UNKNOWN_TYPE")


@pytest.mark.parametrize("switches,format,expected", [
    ([], "header", "warning"), ([], "dropin", None),
    (["-Wall"], "dropin", "warning"), (["-Wno-all"], "header", None),
    (["-Wno-provider-digit"], "header", None), (["-Werror"], "header", "error"),
    (["-Werror", "-Wno-provider-digit"], "header", None),
    (["-Werror"], "dropin", None), (["-Werror", "-Wall"], "dropin", "error"),
    (["-Werror=provider-digit"], "dropin", "error"),
    (["-Werror=perf-name"], "header", "warning"),
    (["-Werror", "-Wno-error=provider-digit"], "header", "warning")])
def test_warning_switches(switches, format, expected, tmp_path):
    path = tmp_path / "x.d"
    path.write_text("provider smb2 { probe event(int x); };")
    result = run(*switches, "--emit", format, path, "-o", "-")
    assert result.returncode == (1 if expected == "error" else 0)
    if expected:
        assert ": %s provider-digit: " % expected in result.stderr
    else:
        assert result.stderr == ""


def test_errors_are_shown_before_warnings():
    """They come first however many warnings there are, and wherever the
    warnings stand."""
    probes = "".join("probe a%d(double d);\n" % i for i in range(20))
    result = run("-", "-o", "-", input="provider a {\n%s"
                 "probe z1(NTSTATUS s);\n};\n" % probes)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith("<stdin>:22:10: error UNKNOWN_TYPE: ")
    assert result.stderr.count(": warning floating-point: ") == 19
    assert result.stderr.endswith("\nand 1 more warning\n")


def test_errors_and_warnings_are_counted_apart():
    probes = "".join("probe a%d(double d, Oid x);\n" % i for i in range(22))
    result = run("-", "-o", "-", input="provider a {\n%s};\n" % probes)
    assert result.stderr.count(": error UNKNOWN_TYPE: ") == 20
    assert ": warning " not in result.stderr
    assert result.stderr.endswith("\nand 2 more errors and 22 more warnings\n")


@pytest.mark.parametrize("args,code", [
    ("int x, int x", "DUPLICATE_ARGUMENT"), ("NTSTATUS s", "UNKNOWN_TYPE"),
    ("int x", None)])
def test_no_error_is_lost_behind_warnings(args, code):
    seven = ", ".join("int a%d" % i for i in range(7))
    probes = "".join("probe p%d(%s);\n" % (i, seven) for i in range(1200))
    result = run("-", "-o", "/dev/null", input="provider a {\n%s"
                 "probe z(%s);\n};\n" % (probes, args))
    assert result.returncode == (1 if code else 0)
    if code:
        assert result.stderr.startswith("<stdin>:1202:")
        assert ": error %s: " % code in result.stderr.split("\n")[0]
    assert re.search(r"\nand 118[01] more warnings\n\Z", result.stderr)


def test_errors_of_the_first_file_come_first(tmp_path):
    """The parser finds the error in the second file before resolve finds the
    one in the first file."""
    (tmp_path / "one.d").write_text("\n\n\nprovider a { probe b(Oid x); };")
    (tmp_path / "two.d").write_text("provider c { probe d( };")
    result = run("one.d", "two.d", "-o", "-", cwd=tmp_path)
    assert re.findall(r"^(\w+\.d):\d+:\d+: error", result.stderr, re.M) == [
        "one.d", "two.d"]


@pytest.mark.parametrize("line", [
    "#pragma sdtkit alias smb2 smb", "#pragma sdtkit nowarn provider-digit"])
def test_a_line_of_the_description_settles_a_warning(line):
    """The line that the hint names turns the warning off."""
    text = "provider smb2 { probe event(int x); };\n"
    assert line in run("-", "-o", "-", input=text).stderr
    result = run("-Wall", "-", "-o", "-", input=line + "\n" + text)
    assert result.returncode == 0 and result.stderr == ""


@pytest.mark.parametrize("text,is_rule", [
    ("a.o: a.c\n", True), ("\n# 1 \"x.d\"\na.o b.d : \\\n  /x/a.cc b.h\n", True),
    ("server: x/server.c", True), ("a\\ b.o: a\\ b.c\n", True),
    ("a.h: a.d \\\n  b.h\n", True), ("a.lo: a.c .libs/dirs", True),
    ("// a: b.c c.h\n" + GOOD, False), ("/* a: b.c */\n" + GOOD, False),
    ("BEGIN\n{ a = b ? c : d.h; }\n" + GOOD, False), (GOOD, False),
    ("/* x\n * a.o: a.c\n */\n" + GOOD, False),
    ("syscall::open:entry /a.c/ {}\n" + GOOD, False)])
@pytest.mark.parametrize("options", [[], ["-h"], ["-C", "-h"]])
def test_rule_for_make(text, is_rule, options):
    """`gcc -MMD` has replaced the description with a rule."""
    result = run(*options, "-s", "-", "-o", "-", input=text)
    assert ("error DEPENDENCY_RULE: " in result.stderr) == is_rule
    assert result.returncode == int(is_rule)
    assert result.stderr.count(": error ") == int(is_rule)


@pytest.mark.parametrize("options,warns", [
    ([], True), (["--emit", "standalone"], True), (["-h"], False),
    (["-h", "-Wall"], True), (["-Wno-dependency-file"], False)])
@pytest.mark.parametrize("name", ["server.c", "server.cc", "server.cpp",
                                  "server.cxx", "server.C", "server.h"])
def test_name_that_gcc_overwrites(name, options, warns, tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "server.d").write_text(GOOD)
    (tmp_path / "x" / name).write_text("")
    result = run(*options, "-s", "x/server.d", "-o", "out.h", cwd=tmp_path)
    assert result.returncode == 0
    said = ("x/server.d: warning dependency-file: ", "server_probes.d;")
    for text in said:
        assert (text in result.stderr) == (warns and name != "server.h")


def test_name_that_gcc_overwrites_is_settled(tmp_path):
    (tmp_path / "server.c").write_text("")
    (tmp_path / "server.d").write_text(
        "#pragma sdtkit nowarn dependency-file\n" + GOOD)
    assert run("server.d", cwd=tmp_path).stderr == ""
    assert run("-Werror", "server.d", cwd=tmp_path).returncode == 0


def test_own_descriptions_are_not_overwritten():
    """The descriptions of this tree that are named like a C file say that
    objects are written to another directory."""
    paths = [path for path in SOURCE.glob("*/**/*.d")
             if path.parent.name not in ("err", "warn")
             and "build" not in str(path.relative_to(SOURCE))]
    assert paths
    assert [path for path in paths
            if "dependency-file" in run(path, "-o", "-").stderr] == []


def test_comment_that_ends_with_another():
    """For a drop-in header it is reported only beside another error."""
    text = "provider a {\n/* A.\nprobe b(int x);\n/* C. */\n%sprobe d();\n};\n"
    start = "<stdin>:2:1: error OPEN_COMMENT: "
    assert run("-", "-o", "-", input=text % "").stderr.startswith(start)
    assert run("-h", "-s", "-", "-o", "-", input=text % "").returncode == 0
    assert run("-h", "-s", "-", "-o", "-",
               input=text % "};").stderr.startswith(start)


@pytest.mark.parametrize("form", sorted(emit.FORMATS))
def test_one_output_of_a_build_warns(form, tmp_path):
    """Outputs that a build makes beside a header do not repeat its warnings.
    """
    (tmp_path / "x.d").write_text("provider smb2 { probe event(int x); };")
    result = run("--emit", form, "x.d", "-o", "x.out", cwd=tmp_path)
    assert result.returncode == 0
    assert ("provider-digit" in result.stderr) == (
        form in ("header", "standalone"))


@pytest.mark.parametrize("text", [
    "provider : foo bar", "provider", "provider {", "provider provider",
    "provider ; provider x", "provider x y {", "BEGIN {"])
@pytest.mark.parametrize("options", [["-C"], []])
def test_it_always_ends(text, options):
    result = run(*options, "-h", "-s", "-", input=text, timeout=20)
    assert result.returncode in (0, 1)


def test_two_files_make_one_header(tmp_path):
    for name in "one", "two":
        (tmp_path / (name + ".d")).write_text(
            "provider %s { probe event(int x); };\n" % name)
    result = run(tmp_path / "one.d", tmp_path / "two.d", "-o", "-")
    assert result.returncode == 0
    assert "ONE_EVENT" in result.stdout and "TWO_EVENT" in result.stdout
    assert "Generated by probegen from one.d, two.d" in result.stdout


def test_two_files_with_the_same_provider(tmp_path):
    for name in "one", "two":
        (tmp_path / (name + ".d")).write_text(GOOD)
    result = run("-h", "-s", "one.d", "-s", "two.d", "-o", "-", cwd=tmp_path)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith(
        "two.d:1:10: error DUPLICATE_PROVIDER: provider 'a' is declared "
        "twice\n")
    assert "hint: the first declaration is in line 1 of one.d" in result.stderr


def test_a_line_of_a_megabyte(tmp_path):
    """A very long line is accepted; of a line with an error, only a part is
    quoted."""
    path = tmp_path / "long.d"
    probes = " ".join("probe event_%d(int x);" % i for i in range(40000))
    path.write_text("provider a { %s };" % probes)
    assert run("-h", "-s", path, "-o", "/dev/null").returncode == 0
    path.write_text("provider a { %s probe oops(Oid x); };" % probes)
    result = run(path, "-o", "/dev/null")
    assert result.returncode == 1 and len(result.stderr) < 600
    path.write_text("@" * 1000000)
    result = run(path, "-o", "/dev/null")
    assert result.returncode == 1 and len(result.stderr) < 600


def test_drop_in_passes_unknown_types_through(tmp_path):
    path = tmp_path / "x.d"
    path.write_text("provider a { probe b(Oid x, zend_string *s); };")
    result = run("-h", "-s", path, "-o", "-")
    assert result.returncode == 0
    assert "/* A_B (Oid x, zend_string *s) */" in result.stdout


def test_permissions_of_the_output(good, tmp_path):
    """A new output has the permissions of any new file; a replaced one keeps
    its own."""
    output = tmp_path / "out.h"
    old = os.umask(0o027)
    try:
        run(good, "-o", output)
        assert stat.S_IMODE(output.stat().st_mode) == 0o640
        output.chmod(0o604)
        run(good, "-o", output)
        assert stat.S_IMODE(output.stat().st_mode) == 0o604
    finally:
        os.umask(old)


def test_output_behind_a_symbolic_link(good, tmp_path):
    """The file is replaced, and the link stays."""
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "out.h"
    target.write_text("old\n")
    link = tmp_path / "link.h"
    link.symlink_to(target)
    assert run(good, "-o", link).returncode == 0
    assert link.is_symlink() and "SDTKIT_PROBE" in target.read_text()


def test_devices_are_written_to_and_not_replaced(good):
    before = os.stat("/dev/null")
    assert run(good, "-o", "/dev/null").returncode == 0
    assert os.stat("/dev/null").st_rdev == before.st_rdev


def test_options_behind_a_description(good, tmp_path):
    """They are accepted even if POSIXLY_CORRECT is set. What follows `--` is
    not an option."""
    env = dict(os.environ, POSIXLY_CORRECT="1")
    assert run(good, "-o", tmp_path / "y.h", env=env).returncode == 0
    assert "A_EVENT" in (tmp_path / "y.h").read_text()
    (tmp_path / "-G").write_text(GOOD)
    result = run("-o", "z.h", "--", "-G", cwd=tmp_path, env=env)
    assert result.returncode == 0 and "A_EVENT" in (
        tmp_path / "z.h").read_text()


def limited(megabytes, folder, *args):
    """Runs `probegen ARGS` with little memory, at the end of a pipe that never
    ends."""
    return subprocess.run(
        ["sh", "-c", 'yes "x y z" | (ulimit -v %d; exec "$@")'
         % (megabytes << 10), "sh", sys.executable, "-B", PROBEGEN]
        + [str(arg) for arg in args] + ["-o", "out.h"], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)


@pytest.mark.parametrize("source", ["/dev/zero", "-", "fifo"])
def test_input_without_end(tmp_path, source):
    os.mkfifo(tmp_path / "fifo")
    feed = subprocess.Popen(["sh", "-c", "exec yes 'x y z' > fifo 2>&-"],
                            cwd=tmp_path)
    result = limited(200, tmp_path, source)
    feed.kill()
    feed.wait()
    assert result.returncode == 1
    assert result.stderr == ("%s: error UNREADABLE: the file is larger than "
                             "16 MiB, the limit for a description\n" % source)
    assert os.listdir(tmp_path) == ["fifo"]


@pytest.mark.parametrize("args,word", [
    (["large.d"], "probegen: not enough memory for this description\n"),
    (["-C", "/dev/zero"], "/dev/zero: error CPP_FAILED: ")])
def test_not_enough_memory(tmp_path, args, word):
    (tmp_path / "large.d").write_text("x y z\n" * 2000000)
    result = limited(150, tmp_path, *args)
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert word in result.stderr
    assert os.listdir(tmp_path) == ["large.d"]


def test_description_of_the_largest_size(tmp_path):
    path = tmp_path / "large.d"
    text = GOOD + "// " + "x" * (1 << 24)
    path.write_text(text[:1 << 24])
    assert run(path, "-o", "/dev/null").returncode == 0
    path.write_text(text[:(1 << 24) + 1])
    assert "larger than 16 MiB" in run(path, "-o", "/dev/null").stderr


def test_input_that_cannot_be_read(tmp_path):
    result = run(tmp_path, "-o", tmp_path / "out.h")
    assert result.returncode == 1
    assert result.stderr == ("%s: error UNREADABLE: cannot read the "
                             "file: Is a directory\n"
                             % tmp_path)


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))


@pytest.mark.parametrize("output,options,word", [
    ("missing/out.h", {}, "No such file"),
    ("/dev/full", {}, "No space left"),
    ("out.h", {"preexec_fn": limit_file_size}, "File too large"),
])
def test_unwritable_output(good, tmp_path, output, options, word):
    """A full disk, which a limit of file sizes imitates, keeps the old output.
    """
    old = tmp_path / "out.h"
    old.write_text("old\n")
    result = run(good, "-o", os.path.join(tmp_path, output), cwd=tmp_path,
                 env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"), **options)
    assert result.returncode == 1
    assert "error UNWRITABLE: cannot write the file: " + word in result.stderr
    assert "Traceback" not in result.stderr
    assert old.read_text() == "old\n"
    assert sorted(os.listdir(tmp_path)) == ["good.d", "out.h"]


@pytest.mark.parametrize("output,rule", [
    ("out.h", "missing/rule"), ("missing/out.h", "rule"), ("out.h", "folder"),
    ("folder", "rule"), ("out.h", "/dev/full"), ("/dev/full", "rule")])
def test_all_outputs_or_none(good, tmp_path, output, rule):
    (tmp_path / "folder").mkdir()
    for name in "out.h", "rule":
        (tmp_path / name).write_text("old\n")
    before = sorted(os.listdir(tmp_path))
    result = run("-Wno-all", good, "-o", output, "--depfile", rule,
                 cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.count("error UNWRITABLE: ") == 1
    for name in "out.h", "rule":
        assert (tmp_path / name).read_text() == "old\n"
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("old", [b"old\n", None])
@pytest.mark.parametrize("locked", ["rule", "out.h"])
def test_all_outputs_or_none_where_a_rename_fails(tmp_path, monkeypatch, old,
                                                  locked):
    """In /tmp, a rename fails if the file belongs to another user. Then the
    outputs that were replaced already come back as the same files."""
    from probegen import diag, files
    rename = os.replace

    def replace(source, target):
        if target == str(tmp_path / locked):
            raise PermissionError(1, "Operation not permitted")
        rename(source, target)
    monkeypatch.setattr(os, "replace", replace)
    paths = [str(tmp_path / name) for name in ("out.h", "rule")]
    for path in paths if old else ():
        with open(path, "wb") as file:
            file.write(old)
    before = {name: os.stat(tmp_path / name) for name in os.listdir(tmp_path)}
    faults = diag.Diagnostics()
    files.write([(path, b"new\n", True) for path in paths], faults)
    assert faults.render() == ("%s: error UNWRITABLE: cannot write the file: "
                               "Operation not permitted\n"
                               % (tmp_path / locked))
    assert sorted(os.listdir(tmp_path)) == sorted(before)
    for name, status in before.items():
        after = os.stat(tmp_path / name)
        assert (after.st_ino, after.st_mtime) == (status.st_ino,
                                                  status.st_mtime)
        assert (tmp_path / name).read_bytes() == old


def test_closed_standard_output(good):
    result = subprocess.run(
        ["sh", "-c", '"$0" "$1" "$2" -o - > /dev/full', sys.executable,
         PROBEGEN, str(good)], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == ("-: error UNWRITABLE: cannot write the file: No "
                             "space left on device\n")


def test_directory_without_permission(good, tmp_path):
    if os.geteuid() == 0:
        options = {"user": "nobody", "group": "nogroup", "extra_groups": []}
    else:
        options = {}
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "out.h").write_text("old\n")
    folder.chmod(0o555)
    for parent in [tmp_path] + list(tmp_path.parents)[:3]:
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | 0o055)
    # that user may not be allowed to read the checkout, or to run another
    # interpreter than the system's
    program = shutil.copytree(PROBEGEN, tmp_path / "probegen")
    result = subprocess.run(
        ["/usr/bin/python3", "-B", program, str(good), "-o",
         str(folder / "out.h")], stderr=subprocess.PIPE, text=True, **options)
    assert result.returncode == 1
    assert "error UNWRITABLE: cannot write the file: Permission denied" in (
        result.stderr)
    assert "hint: " in result.stderr
    assert (folder / "out.h").read_text() == "old\n"


def test_many_at_once(good, tmp_path):
    """Fifty writers of one output leave one complete file, and no temporary
    files."""
    output = tmp_path / "out.h"
    runs = [subprocess.Popen([sys.executable, PROBEGEN, good, "-o", output])
            for _ in range(50)]
    assert {process.wait() for process in runs} == {0}
    assert output.read_text() == run(good, "-o", "-").stdout
    assert sorted(os.listdir(tmp_path)) == ["good.d", "out.h"]


def test_standard_output_by_its_path(good, tmp_path):
    """What others wrote to the same file is still there."""
    both = tmp_path / "both"
    with open(both, "w") as file:
        file.write("head\n")
        file.flush()
        subprocess.run([sys.executable, PROBEGEN, good, "-o", "/dev/stdout"],
                       stdout=file, check=True)
        file.seek(0, 2)
        file.write("tail\n")
    text = both.read_text()
    assert text.startswith("head\n") and text.endswith("tail\n")
    assert "#define A_EVENT(" in text


def test_output_with_a_long_name(good, tmp_path):
    output = tmp_path / ("n" * 250 + ".h")
    assert run(good, "-o", output).returncode == 0
    assert "#define A_EVENT(" in output.read_text()
