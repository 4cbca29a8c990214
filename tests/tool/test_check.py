# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit check` reports the faults of builds that were made with one:
tests/tool/check has a case for each rule, named by its code."""

import pathlib
import re
import subprocess

import pytest

import case_tool
from programs import which

CASES = case_tool.cases(pathlib.Path(__file__).parent / "check")


def code_of(path):
    return path.stem.split("-")[0]


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_finds(path, tmp_path, build, source, unavailable):
    got = case_tool.run_case(path, tmp_path, build, source, unavailable)
    assert re.search(r"(error|warning) %s:" % code_of(path), got)
    assert got == case_tool.expected(path, got)


def test_a_case_without_expectations_is_refused(tmp_path):
    """The commands of such a case would be overwritten otherwise."""
    path = tmp_path / "CODE-slug.txt"
    text = "It has a fault.\n-- commands --\nsdtkit check program\n"
    path.write_text(text)
    with pytest.raises(ValueError, match="-- expect --"):
        case_tool.parts_of(path)
    path.write_text(text + "-- expect --\n")
    assert case_tool.parts_of(path)[-2:] == ["expect", ""]


def rules(sdtkit):
    """Returns [code, severity, meaning] of each rule."""
    return [line.split(None, 2)
            for line in sdtkit("check", "--rules").stdout.splitlines()]


def test_every_rule_has_a_case(sdtkit):
    assert {rule[0] for rule in rules(sdtkit)} == set(map(code_of, CASES))


def test_every_rule_is_documented(sdtkit, source):
    text = (source / "docs" / "check.md").read_text()
    rows = re.findall(r"^\| `([A-Z_]+)` \| (error|warning) \|", text, re.M)
    assert rows == [tuple(rule[:2]) for rule in rules(sdtkit)]


def test_json(sdtkit, assembled, tmp_path, valid):
    declared = tmp_path / "smb.d"
    declared.write_text("provider smb { probe start(int a, char *b); "
                        "probe stop(); };")
    path = assembled(("smb", "start", "-4@$5 8@%rdi", 16),
                     ("smb", "start", "-4@$6 8@%rdi", 16))
    done = sdtkit("check", "--json", "--for=perf", path, "--description", declared,
                  "--ignore=DESCRIPTION_MISSING")
    findings = valid("check", done.stdout)["findings"]
    assert [(f["code"], f["argument"], f["operand"], f["sites"])
            for f in findings] == [
        ("SEMAPHORE_PLACE", None, None, 2), ("SITE_PLACE", None, None, 2),
        ("OPERAND_UNREADABLE", 0, "-4@$5", 2), ("MISSING_PROBE", None, None, 1)]
    assert findings[0]["address"] == "0x0"
    assert {f["severity"] for f in findings} == {"error"}
    assert done.returncode == 1


DESCRIPTION = """
/* All kinds of arguments. */
provider kinds {
	probe numbers(int8_t a, uint16_t b, int c, unsigned long d, bool e, char f);
	probe others(char *a, void *b, double c, float d, size_t e);
	probe none();
};
"""

PROGRAM = """
#include "kinds.h"
int main(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		KINDS_NUMBERS(i, i, argc, 4, i > 1, 'x');
		KINDS_OTHERS(argv[i], argv, 1.5 * i, 2.5f, sizeof(argc));
		KINDS_NUMBERS(1, 2, 3, 4, 1, *argv[0]);
	}
	KINDS_NONE();
	return 0;
}
"""


@pytest.mark.parametrize("compiler, args", [
    ("gcc", ["-O0"]), ("gcc", ["-O2"]), ("gcc", ["-O2", "-flto"]),
    ("gcc", ["-O2", "-Wl,--gc-sections"]), ("gcc", ["-O2", "-static"]),
    ("clang", ["-O0"]), ("clang", ["-O2"]), ("g++", ["-O2", "-no-pie"]),
    ("aarch64-linux-gnu-gcc", ["-O2"]),
])
def test_nothing_is_wrong_with_what_sdtkit_makes(
        sdtkit, source, tmp_path, unavailable, compiler, args):
    if not which(compiler):
        unavailable(compiler + " is missing")
    (tmp_path / "kinds.d").write_text(DESCRIPTION)
    program = tmp_path / "program.c"
    program.write_text(PROGRAM)
    done = sdtkit("gen", tmp_path / "kinds.d", "-o", tmp_path / "kinds.h")
    assert done.returncode == 0
    subprocess.run([compiler] + args + ["-I", str(source / "include"),
                   str(program), "-o", str(tmp_path / "program")], check=True)
    done = sdtkit("check", tmp_path / "program", "--werror",
                  "--description", tmp_path / "kinds.d")
    assert done.stdout.endswith(": 3 probes, 4 sites: good\n")
    assert (done.stderr, done.returncode) == ("", 0)


def test_a_probe_of_two_files_is_one(sdtkit, assembled, tmp_path):
    path = assembled(("smb", "start", "8@%rdi"), ("smb", "stop", ""))
    done = sdtkit("check", path, path)
    assert "%s, %s: 2 probes, 4 sites: " % (path, path) in done.stdout


def test_findings_are_grouped(sdtkit, assembled, tmp_path):
    """The file, each of its probes and each hint are printed once."""
    path = assembled(*[("smb", name, "16@%rax -4@$5")
                       for name in ("start", "stop") for _ in range(3)])
    done = sdtkit("check", path)
    lines = done.stdout.splitlines()
    assert lines.count("%s:" % path) == 1
    assert lines.count("  smb:start") == lines.count("  smb:stop") == 1
    assert sum("use the native header" in line for line in lines) == 1
    assert "(at 0x0 and 2 more sites)" in done.stdout
    assert ("\n  OPERAND_UNREADABLE (4), OPERAND_MISREAD (2), OPERAND_UNTRIED "
            "(4): use the native header" in done.stdout)


@pytest.mark.parametrize("patterns, found, missing", [
    (["smb:*"], ["smb:start", "smb:stop"], "smb:idle"),
    (["smb:start,smb:stop"], ["smb:start", "smb:stop"], None),
    (["smb:*,!smb:st[ao]*"], [], "smb:idle"),
    (["!smb:stop", "!smb:idle"], ["smb:start", "vfs:open"], None),
    (["*:open"], ["vfs:open"], None),
])
def test_patterns(sdtkit, assembled, tmp_path, patterns, found, missing):
    declared = tmp_path / "smb.d"
    declared.write_text("provider smb { probe start(); probe idle(); };")
    path = assembled(*[(provider, probe, "-4@$5") for provider, probe in (
        ("smb", "start"), ("smb", "stop"), ("vfs", "open"))])
    done = sdtkit("check", path, "--description", declared,
                  *patterns)
    headings = re.findall(r"^  (\w+:\w+)$", done.stdout, re.M)
    assert sorted(headings) == sorted(found + ([missing] if missing else []))
    assert ("MISSING_PROBE" in done.stdout) == bool(missing)
    assert "%s: %d probe" % (path, len(found)) in done.stdout
    assert (done.stderr, done.returncode) == ("", 1)


def test_pattern_that_fits_nothing(sdtkit, assembled):
    """A pattern that selects no probe is an error, so that a check in a build
    cannot pass because of a typo."""
    path = assembled(("smb", "start", "8@%rdi"))
    done = sdtkit("check", path, "smb:strat")
    assert done.stderr == ("sdtkit check: no probe matches 'smb:strat'; "
                           "similar ones: smb:start\n")
    assert done.returncode == 2
    for patterns in ("!smb:*", "smb:*,!*:start"):
        done = sdtkit("check", path, patterns)
        assert done.stderr == "sdtkit check: the patterns exclude all probes\n"
        assert done.returncode == 2
    for patterns in ("!:*,!", "smb:*,!", "smb:*,! smb:*"):
        done = sdtkit("check", path, patterns)
        assert "'!' excludes nothing: write a pattern behind it" in done.stderr
        assert (done.stdout, done.returncode) == ("", 2)
    done = sdtkit("check", path, "smb:*,start")
    assert "'start' is not a pattern: write '*:start'" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


def test_quiet(sdtkit, assembled):
    good = assembled("""
        .text
        990: nop
        .pushsection .stapsdt.base, "a"
        .space 1
        .popsection
        .pushsection .note.stapsdt, "", "note"
        .4byte 8, 994f-993f, 3
        .asciz "stapsdt"
        993: .8byte 990b, 0, 0
        .asciz "smb"
        .asciz "start"
        .asciz "8@%rdi"
        994: .balign 4
        .popsection
        """)
    done = sdtkit("check", "-q", good)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert sdtkit("check", good).stdout == "%s: 1 probe, 1 site: good\n" % good
    # a pattern that matches nothing does not let a build go on
    done = sdtkit("check", "nope:*", good)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nope:*" in done.stderr


def test_a_binary_is_no_description(sdtkit, assembled):
    path = assembled(("smb", "start", "8@%rdi"))
    done = sdtkit("check", path, "--description", path)
    assert "--description takes a description" in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)


def test_descriptions_that_need_the_preprocessor(sdtkit, assembled, tmp_path):
    """Every command prints probegen's message that says: "use the option
    -C"."""
    (tmp_path / "include dir").mkdir()
    (tmp_path / "include dir/types.h").write_text("typedef long id_t_;\n")
    declared = tmp_path / "smb.d"
    declared.write_text(
        '#include "types.h"\nprovider smb {\n#ifdef WITH\n'
        "\tprobe start(id_t_ id);\n#endif\n#ifdef WITHOUT\n"
        "\tprobe stop();\n#endif\n};\n")
    program = assembled(("smb", "start", "-8@%rdi"))
    flags = ["-C", "-I", tmp_path / "include dir", "-DWITH", "-D", "WITHOUT=1",
             "-U", "WITHOUT"]
    for command in (["check", program, "--description", declared],
                    ["diff", declared, declared],
                    ["list", program, "--description", declared]):
        done = sdtkit(*command)
        assert "use the option -C" in done.stderr and done.returncode == 2
        done = sdtkit(*command, *flags)
        assert done.stderr == "" and done.returncode != 2
        assert "_PROBE" not in done.stdout
    done = sdtkit("check", program, "--description", declared, "-DWITHOUT",
                  *flags[:4])
    assert "MISSING_PROBE" in done.stdout and "smb:stop" in done.stdout


@pytest.mark.parametrize("what", ["absent", "/dev/null"])
def test_trouble_is_no_finding(sdtkit, tmp_path, what):
    done = sdtkit("check", tmp_path / what)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith("sdtkit check: ")
