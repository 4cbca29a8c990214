# SPDX-License-Identifier: BSD-2-Clause
"""--enum: an enum of a C header as a description has it. The values are the
compiler's; no program is run."""

import re

import pytest

from probegen_tool import run
from programs import which

HEADER = """#include <stdint.h>
#include <stdio.h>
#define BASE 7
enum color {
	RED = 1 << 3, GREEN = RED + 1, SIZE = sizeof(long) * 4, BASED = BASE,
	LOW = -2, LETTER = 'x', /* , HIDDEN */ NEXT,
};
enum color pick(enum color from);
typedef enum color color_t, *color_p;
typedef enum { KIND_A, KIND_B = 16 } kind_t;
struct request {
	enum { MODE_OFF, MODE_ON } mode;
	enum __attribute__((packed)) fine {
		FINE_X __attribute__((deprecated)) = (sizeof(char[3])), FINE_Y
	};
};
enum status { GOOD, BAD = 0xC0000022 };
#define KIND_B KIND_B
#ifdef MORE
enum more { ONE = MORE };
#endif
"""
COLORS = {"RED": 8, "GREEN": 9, "SIZE": 32, "BASED": 7, "LOW": -2,
          "LETTER": 120, "NEXT": 121}


@pytest.fixture
def header(tmp_path):
    path = tmp_path / "server.h"
    path.write_text(HEADER)
    return path


def values(text):
    return {name: int(number, 0) for name, number in re.findall(
        r"^\t(\w+) = (\S+?),?$", text, re.M)}


@pytest.mark.parametrize("name, line, expected", [
    ("color", "enum color {", COLORS),
    ("color_t", "enum color {", COLORS),
    ("NEXT", "enum color {", COLORS),
    ("kind_t", "typedef enum {", {"KIND_A": 0, "KIND_B": 16}),
    ("MODE_ON", "enum mode {", {"MODE_OFF": 0, "MODE_ON": 1}),
    ("fine", "enum fine {", {"FINE_X": 3, "FINE_Y": 4}),
    ("status", "enum status {", {"GOOD": 0, "BAD": 0xC0000022}),
    ("GOOD", "enum status {", {"GOOD": 0, "BAD": 0xC0000022}),
])
def test_values(header, name, line, expected):
    result = run("--enum", header, name)
    assert (result.stderr, result.returncode) == ("", 0)
    assert result.stdout.split("\n")[:2] == [
        "/* Made by: probegen --enum server.h %s */" % name, line]
    assert values(result.stdout) == expected


def test_a_description_takes_it(header, tmp_path):
    made = tmp_path / "server_probes.d"
    made.write_text(run("--enum", header, "color").stdout +
                    run("--enum", header, "kind_t").stdout +
                    "provider server { probe start(enum color c, kind_t k); };")
    result = run(made, "-o", "-")
    assert (result.stderr, result.returncode) == ("", 0)
    assert 'SDTKIT_TELL("s4", "enum color", "c")' in result.stdout
    assert "KIND_B" in result.stdout


@pytest.mark.parametrize("compiler, size", [
    ("clang", 32), ("gcc -flto", 32), ("i686-linux-gnu-gcc", 16),
    ("aarch64-linux-gnu-gcc", 32), ("s390x-linux-gnu-gcc", 32)])
def test_other_machines(header, compiler, size):
    """Of both byte orders and word sizes; without their emulators."""
    if not which(compiler.split()[0]):
        pytest.skip(compiler + " is missing")
    result = run("--enum", header, "color", env={
        "CC": compiler, "CFLAGS": "-Wall -Wextra -Werror -g -O2",
        "PATH": "/usr/bin:/bin"})
    assert values(result.stdout) == dict(COLORS, SIZE=size), result.stderr


def test_options_of_the_compiler(header, tmp_path):
    result = run("--enum", "server.h", "more", "-I", tmp_path, "-DMORE=5")
    assert values(result.stdout) == {"ONE": 5}


def test_a_file_that_is_kept(header, tmp_path):
    made = tmp_path / "colors.d"
    words = ["--enum", header, "color", "-o", made]
    assert "there is no such file" in run(*words, "--check-current").stderr
    assert run(*words, "--depfile", tmp_path / "rule").returncode == 0
    assert "stdint.h" in (tmp_path / "rule").read_text()
    assert run(*words, "--check-current").returncode == 0
    header.write_text(HEADER.replace("BASE 7", "BASE 6"))
    result = run(*words, "--check-current")
    assert "NOT_CURRENT" in result.stderr and result.returncode == 1
    assert values(made.read_text()) == COLORS


def test_two_names_of_a_value(tmp_path):
    path = tmp_path / "a.h"
    path.write_text("enum a {\n\tONE = 1,\n\tLAST = ONE\n};\n")
    result = run("--enum", path, "a")
    assert result.returncode == 0
    assert result.stderr.startswith(
        "%s:3:2: warning enum-names: 'ONE' and 'LAST' are both 1: tools show "
        "'ONE' [-Wenum-names]\n" % path)
    assert values(result.stdout) == {"ONE": 1, "LAST": 1}
    assert run("--enum", path, "a", "-Wno-all").stderr == ""
    result = run("--enum", path, "a", "-Werror")
    assert (result.stdout, result.returncode) == ("", 1)


@pytest.mark.parametrize("words, env, said", [
    (["server.h", "colour"], {}, "server.h: error UNKNOWN_ENUM: no enum with "
     "enumerators is called 'colour' here, and none has an enumerator of that "
     "name\nhint: did you mean 'color'?\n"),
    (["absent.h", "color"], {}, "absent.h: No such file"),
    (["absent.h", "color"], {}, "absent.h: error CC_FAILED: 'cc "),
    (["server.h", "color"], {"CC": "absent-cc"}, "server.h: error CC_FAILED: "
     "cannot run 'absent-cc': No such file or directory\nhint: CC and CFLAGS "
     "name the compiler and its options, and -I a directory with headers\n"),
])
def test_what_is_wrong(header, words, env, said):
    result = run("--enum", *words, cwd=header.parent,
                 env=dict({"PATH": "/usr/bin:/bin"}, **env))
    assert (result.stdout, result.returncode) == ("", 1)
    assert said in result.stderr


@pytest.mark.parametrize("words", [
    [], ["a.h"], ["a.h", "b", "c"], ["a.h", "b", "-h"]])
def test_wrong_usage(words):
    result = run("--enum", *words)
    assert result.returncode == 2 and "usage: probegen" in result.stderr
