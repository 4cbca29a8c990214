# SPDX-License-Identifier: BSD-2-Clause
"""What a translator of D says, in C: a row of EXPRESSIONS is an expression,
what becomes of it, and its value. What cannot be said is in err/.
"""

import subprocess

from probegen_tool import SOURCE, codes

assert codes()

from probegen import (      # noqa: E402  (the path of probegen is set now)
    arguments, diag, lexer, mapping, parser, source, translation)

# D, C, value where R points to {.n = 6, .text = "abc", .list = {10, 20, 30}}
EXPRESSIONS = [
    ("R->n", "r->n", 6),
    ("R->n + 2 * 3", "r->n + (2 * 3)", 12),
    ("(R->n + 2) * 3", "(r->n + 2) * 3", 24),
    ("R->n - 2 - 1", "(r->n - 2) - 1", 3),
    ("R->n << 1 | 1", "(r->n << 1) | 1", 13),
    ("R->n == 6 && R->n != 7", "(r->n == 6) && (r->n != 7)", 1),
    ("R->n > 5 ^^ R->n > 4", "!(r->n > 5) != !(r->n > 4)", 0),
    ("1 || 0 ^^ 1 && 1", "1 || (!0 != !(1 && 1))", 1),
    ("R->n & 4 ? 7 : R->n ? 8 : 9", "(r->n & 4) ? 7 : (r->n ? 8 : 9)", 7),
    ("~R->n & 0xff", "(~r->n) & 0xff", 0xf9),
    ("- -R->n", "-(-r->n)", 6),
    ("!R->n", "!r->n", 0),
    ("R->list[1 + 1]", "r->list[1 + 1]", 30),
    ("*R->list", "*r->list", 10),
    ("*(R->list + 1)", "*(r->list + 1)", 20),
    ("(*R).n", "(*r).n", 6),
    ("(&R->list[1])[1]", "(&r->list[1])[1]", 30),
    ("(uint8_t)(R->n - 7)", "(uint8_t)(r->n - 7)", 255),
    ("(int64_t)(signed char)200", "(int64_t)((signed char)200)", -56),
    ("*(int *)R->list", "*((int *)r->list)", 10),
    ("*(number_t *)(void *)R->list", "*((int *)((void *)r->list))", 10),
    ("sizeof (R->list)", "sizeof(r->list)", 12),
    ("sizeof (int) + sizeof R->n", "(sizeof(int)) + (sizeof(r->n))", 8),
    ("sizeof (struct thing *)", "sizeof(struct thing *)", 8),
    ("strlen(R->text)", "sdtkit_record_length(r->text)", 3),
    ("strlen(stringof(R->text))",
     "sdtkit_record_length(sdtkit_record_text(r->text))", 3),
    ("strlen(copyinstr((uintptr_t)R->text))", "sdtkit_record_length("
     "sdtkit_record_text_at((uintptr_t)r->text))", 3),
    ("strlen(R->n ? \"four\" : R->text)",
     'sdtkit_record_length(r->n ? "four" : r->text)', 4),
    ("'a' + '\\n'", "'a' + '\\n'", 107),
    ("SIZE / 2", "(3 * 4) / 2", 6),
    ("GREEN + BLUE", "1 + 9", 10),
    ("LAST", "((1 << 4) + 1)", 17),
    ("R->text != NULL", "r->text != NULL", 1),
    ("017 % 4 >= 3", "(017 % 4) >= 3", 1),
]
AROUND = """
typedef int number_t;
enum color { RED, GREEN, BLUE = 9, FIRST = 1 << 4, LAST };
inline int SIZE = 3 * 4;
translator struct out < struct thing *R > { m = %s; };
provider p { probe q(); };
"""


def in_c(expression):
    faults = diag.Diagnostics()
    text = source.Source("x.d", AROUND % expression)
    tree = parser.parse(lexer.lex(text, faults), faults)
    resolver = arguments.Arguments(faults, True)
    context = mapping.Mapping([tree], resolver, faults)
    scope = translation.Scope(tree, "R", "r", context.constants,
                              context.enumerators)
    value = tree.translators[0].members[0].value
    found = translation.translate(value, scope, resolver, faults)
    assert faults.render() == ""
    return found


def test_expressions_in_c(tmp_path):
    """In the expected words, and with the value that D gives them."""
    lines = []
    for expression, expected, _ in EXPRESSIONS:
        found = in_c(expression)
        assert found == expected
        lines.append('\tprintf("%%lld\\n", (long long)(%s));\n' % found)
    (tmp_path / "x.c").write_text("""
#include <stdio.h>
#include <sdtkit/record.h>
int main(void)
{
	struct thing { int n; char *text; int list[3]; } it = {
		6, "abc", { 10, 20, 30 } }, *r = &it;

%s	return 0;
}
""" % "".join(lines))
    subprocess.run(["gcc", "-I", SOURCE / "include", "-o", tmp_path / "x",
                    tmp_path / "x.c"], check=True)
    values = subprocess.run([tmp_path / "x"], stdout=subprocess.PIPE,
                            check=True, text=True).stdout.split()
    assert [int(value) for value in values] == [
        value for _, _, value in EXPRESSIONS]
