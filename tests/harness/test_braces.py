# SPDX-License-Identifier: BSD-2-Clause
"""All C of the tree has its braces as braces.py says."""

import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import braces   # noqa: E402

ROOMS = ("include", "lib", "examples", "tests")

# what probegen has written
GENERATED = ("tests/probegen/",)


def files(source):
    for room in ROOMS:
        for path in sorted((source / room).rglob("*.[ch]")):
            name = str(path.relative_to(source))
            if not name.startswith(GENERATED):
                yield path, name


def test_all_files(source):
    wrong = ["%s:%d" % (name, braces.line_of(text, body.begin))
             for path, name in files(source)
             for text in [path.read_text()]
             for body in braces.faults(text)]
    assert wrong == [], "run tests/harness/braces.py --fix on these"


# text, and the same with the faults corrected
CASES = {
    "one statement": (
        "if (a) {\n\tb();\n}\nc();\n",
        "if (a)\n\tb();\nc();\n"),
    "a loop in a condition": (
        "if (a)\n\tfor (;;)\n\t\tb();\nc();\n",
        "if (a) {\n\tfor (;;)\n\t\tb();\n}\nc();\n"),
    "one branch of two": (
        "if (a)\n\tb();\nelse {\n\tc();\n\td();\n}\n",
        "if (a) {\n\tb();\n} else {\n\tc();\n\td();\n}\n"),
    "both branches": (
        "if (a) {\n\tb();\n} else {\n\tc();\n}\n",
        "if (a)\n\tb();\nelse\n\tc();\n"),
    "three branches": (
        "if (a) {\n\tb();\n} else if (c) {\n\td();\n} else {\n\te();\n}\n",
        "if (a)\n\tb();\nelse if (c)\n\td();\nelse\n\te();\n"),
    "a statement of two lines": (
        "while (a) {\n\tb(c,\n\t  d);\n}\n",
        "while (a)\n\tb(c,\n\t  d);\n"),
    "within another": (
        "for (;;) {\n\tif (a) {\n\t\tb();\n\t}\n}\n",
        "for (;;) {\n\tif (a)\n\t\tb();\n}\n"),
    "a loop that is a macro": (
        "FOR_EACH_ROW(a, b) {\n\tc();\n}\nif (d) {\n\te();\n}\n",
        "FOR_EACH_ROW(a, b)\n\tc();\nif (d)\n\te();\n"),
    "in a function": (
        "static int f(void)\n{\n\tif (a) {\n\t\treturn 1;\n\t}\n"
        "\treturn 0;\n}\n",
        "static int f(void)\n{\n\tif (a)\n\t\treturn 1;\n\treturn 0;\n}\n"),
}

RIGHT = {
    "a comment and a statement": "if (a) {\n\t/* so */\n\tb();\n}\n",
    "a directive": "if (a) {\n#ifdef B\n\tb();\n#endif\n}\n",
    "nothing": "while (a())\n\t;\nif (b) {\n}\n",
    "do": "do {\n\ta();\n} while (b);\nif (c)\n\td();\n",
    "a compound literal": "if (a)\n\tb = (struct c){ .d = 1 };\n",
    "in a string": "if (a)\n\tb(\"if (c) {\");\n",
    "two statements": "if (a) {\n\tb();\n\tc();\n}\n",
    "a macro": "#define A(b) \\\n\tif (b) { \\\n\t\tc(); \\\n\t}\n",
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_fault_is_found_and_corrected(name):
    wrong, right = CASES[name]
    assert braces.faults(wrong) and not braces.faults(right)
    assert braces.fixed(wrong) == right


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_what_is_right_stays(name):
    assert braces.faults(RIGHT[name]) == []


def test_the_command(tmp_path):
    path = tmp_path / "a.c"
    path.write_text("if (a) {\n\tb();\n}\n")
    command = [sys.executable, "-B", str(HERE / "braces.py")]
    said = subprocess.run(command + [str(path)], stdout=subprocess.PIPE,
                          universal_newlines=True)
    assert said.returncode == 1
    assert said.stdout == "%s:1: braces around a single statement\n" % path
    subprocess.run(command + ["--fix", str(path)], check=True)
    assert path.read_text() == "if (a)\n\tb();\n"
