# SPDX-License-Identifier: BSD-2-Clause
"""Values of enumerators, against what the C compiler makes of them. A row is
an expression, and its value or None if probegen leaves it to the compiler."""

import subprocess

from probegen_tool import codes

assert codes()

from probegen.translators import constant   # noqa: E402 (the path is set now)

KNOWN = {"FIRST": 3, "SECOND": -4, "UNKNOWN": None}
ROWS = [
    ("5", 5), ("0x1F", 31), ("010", 8), ("7UL", 7), ("1 << 4", 16),
    ("-1", -1), ("- 1 - 2 - 3", -6), ("~0", -1), ("!5", 0), ("!0 + 1", 2),
    ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("-7 / 2", -3), ("-7 % 2", -1),
    ("7 / -2", -3), ("7 % -2", 1), ("1 | 6 & 3", 3), ("1 << 2 + 1", 8),
    ("5 > 4 == 1", 1), ("2 && 0 || 3", 1), ("6 ^ 3", 5), ("-8 >> 1", -4),
    ("'a'", 97), ("'\\n'", 10), ("'\\0'", 0), ("'\\''", 39), ("'('", 40),
    ("FIRST", 3), ("FIRST + SECOND", -1), ("FIRST<<2", 12),
    ("(" * 40 + "1" + ")" * 40, 1), ("+".join("1" * 3000), 3000),
    ("0xC0000022", 0xC0000022), ("1ULL << 40", 1 << 40),
]
UNKNOWN = [
    "~0u", "-1u", "~0xFFFFFFFF", "UNKNOWN", "NOWHERE + 1", "sizeof(int)",
    "(int)1", "1 / 0", "1 % 0", "1 << 64", "1 << -1", "", "(", ")", "1 +",
    "(1", "1 2", "1 ? 2 : 3", "'ab'", "'\\x41'", "1.5", "9" * 30, "\"a\"",
    "1 << 63 << 63", "\u00e9", "(" * 390 + "1" + ")" * 390, "-" * 390 + "1", "a(1)", "*1",
]


def test_values_are_those_of_the_compiler(tmp_path):
    for text, value in ROWS:
        assert constant.evaluate(text, KNOWN) == value, text
    code = tmp_path / "values.c"
    code.write_text("enum { FIRST = 3, SECOND = -4 };\n" + "".join(
        "_Static_assert((%s) == %d, \"\");\n" % row for row in ROWS))
    subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-w", str(code)],
                   check=True, timeout=300)


def test_how_deep_brackets_are_nested():
    for depth, value in (49, 1), (50, None):
        text = "(" * depth + "1" + ")" * depth
        assert constant.evaluate(text, KNOWN) == value, depth


def test_what_only_the_compiler_knows():
    for text in UNKNOWN:
        assert constant.evaluate(text, KNOWN) is None, text
