# SPDX-License-Identifier: BSD-2-Clause
"""What a translator of D says, in C: a row of EXPRESSIONS is an expression,
what becomes of it, and its value. What cannot be said is in err/.
"""

import subprocess

import pytest

from probegen_tool import SOURCE, codes

assert codes()

from probegen import (      # noqa: E402  (the path of probegen is set now)
    arguments, diag, lexer, parser, source)
from probegen.translators import translated, translation    # noqa: E402
from programs import which

# D, C, and the value if R points to {6, "abc", {10, 20, 30}, "xy"}
EXPRESSIONS = [
    ("R->n", "r->n", 6),
    ("R->n + 2 * 3", "r->n + (2 * 3)", 12),
    ("(R->n + 2) * 3", "(r->n + 2) * 3", 24),
    ("R->n - 2 - 1", "r->n - 2 - 1", 3),
    ("R->n - (2 - 1)", "r->n - (2 - 1)", 5),
    ("R->n * 2 / 3 % 3", "r->n * 2 / 3 % 3", 1),
    ("R->n > 5 == 1 == 1", "((r->n > 5) == 1) == 1", 1),
    ("1 ^^ 1 ^^ 1", "!(!1 != !1) != !1", 1),
    ("R->n > 7 ? 1 : R->n > 6 ? 2 : R->n > 5 ? 3 : 4",
     "(r->n > 7) ? 1 : (r->n > 6) ? 2 : (r->n > 5) ? 3 : 4", 3),
    ("(0 ? 1 : 0) ? 2 : 3", "(0 ? 1 : 0) ? 2 : 3", 3),
    ("1 ? 0 ? 1 : 2 : 3", "1 ? (0 ? 1 : 2) : 3", 2),
    ("R->n << 1 | 1", "(r->n << 1) | 1", 13),
    ("R->n == 6 && R->n != 7", "(r->n == 6) && (r->n != 7)", 1),
    ("R->n > 5 ^^ R->n > 4", "!(r->n > 5) != !(r->n > 4)", 0),
    ("1 || 0 ^^ 1 && 1", "1 || (!0 != !(1 && 1))", 1),
    ("R->n & 4 ? 7 : R->n ? 8 : 9", "(r->n & 4) ? 7 : r->n ? 8 : 9", 7),
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
    ("strlen(R->text)", "SDTKIT_RECORD_LENGTH(r->text)", 3),
    ("strlen(stringof(R->tag))", "SDTKIT_RECORD_LENGTH(r->tag)", 2),
    ("strlen(copyinstr((uintptr_t)R->text))", "SDTKIT_RECORD_LENGTH("
     "sdtkit_record_text_at((uintptr_t)r->text))", 3),
    ("strlen(R->n ? \"four\" : R->text)",
     'SDTKIT_RECORD_LENGTH(r->n ? "four" : r->text)', 4),
    ("R->text == \"abc\"", 'SDTKIT_RECORD_COMPARE(r->text, "abc") == 0', 1),
    ("stringof(R->tag) >= \"y\"", 'SDTKIT_RECORD_COMPARE(r->tag, "y") >= 0',
     0),
    ("\"abcd\" > stringof(R->text) && 1",
     '(SDTKIT_RECORD_COMPARE("abcd", r->text) > 0) && 1', 1),
    ("ntohs(0x102) + htonl(1)", "sdtkit_record_net16(0x102) + "
     "sdtkit_record_net32(1)", 0x201 + 0x1000000),
    ("offsetof(struct thing, list) / 8", "offsetof(struct thing, list) / 8",
     2),
    ("sizeof (int[3])", "sizeof(int[3])", 12),
    ("(*(int (*)[3])(void *)R->list)[1]",
     "(*((int (*)[3])((void *)r->list)))[1]", 20),
    ("xlate < struct out > (R).m2 + 1",
     "SDTKIT_ARG_CAST(unsigned char, (r->n + 251)) + 1", 2),
    ("strlen(xlate < struct out * > ((struct thing *)R)->m3)",
     "SDTKIT_RECORD_LENGTH(sdtkit_record_text(((struct thing *)r)->text))", 3),
    ("'a' + '\\n'", "'a' + '\\n'", 107),
    ('strlen("??/")', 'SDTKIT_RECORD_LENGTH("?\\?/")', 3),
    ("SIZE / 2", "(3 * 4) / 2", 6),
    ("BYTE - 1", "300 - 1", 299),       # as DTrace 2.0.7 takes it
    ("strlen(WORD)", 'SDTKIT_RECORD_LENGTH("word")', 4),
    ("GREEN + BLUE", "1 + 9", 10),
    ("LAST", "((1 << 4) + 1)", 17),
    ("R->text != NULL", "r->text != NULL", 1),
    ("017 % 4 >= 3", "(017 % 4) >= 3", 1),
]
AROUND = """
typedef int number_t;
enum color { RED, GREEN, BLUE = 9, FIRST = 1 << 4, LAST };
inline int SIZE = 3 * 4;
inline uint8_t BYTE = 300;
inline string WORD = "word";
struct out { int m; uint8_t m2; string m3; };
translator struct out < struct thing *R > {
	m = %s; m2 = R->n + 251; m3 = stringof(R->text);
};
provider p { probe q(); };
"""


def in_c(expression):
    """Returns the C of an expression of D."""
    faults = diag.Diagnostics()
    text = source.Source("x.d", AROUND % expression)
    tree = parser.parse(lexer.lex(text, faults), faults)
    resolver = arguments.Arguments(faults, True)
    context = translated.TranslatedArguments([tree], resolver, faults)
    made = tree.translators[0]
    scope = translation.Scope(tree, context, made.input, "r")
    value = made.members[0].value
    found = translation.translate(value, scope, resolver, faults)
    assert faults.render() == ""
    return found


def test_expressions_in_c(tmp_path):
    """The C has the expected words, and the value that D gives the expression.
    """
    for expression, expected, _ in EXPRESSIONS:
        assert in_c(expression) == expected
    check_values(EXPRESSIONS, "gcc", tmp_path)


# long chains, and their values
CHAINS = [(" + ".join(["R->n"] * 3000), 18000),
          (" - ".join(["R->n"] * 60), -348),
          (" && ".join(["R->n"] * 3000), 1),
          (" | ".join("R->list[%d] * 2 * R->n" % (i % 3)
                      for i in range(500)), 504),
          (" : ".join("R->n == %d ? %d" % (1000 - i, i)
                      for i in range(1000)) + " : -1", 994),
          (" : ".join("R->n == %d ? \"%d\"" % (i, i) for i in range(200))
           + " : \"\"", None)]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_chains_are_not_nested(tmp_path, compiler):
    """They are nested neither in probegen nor in a compiler."""
    if not which(compiler):
        pytest.skip("no " + compiler)
    check_values([("strlen(%s)" % text if value is None else text, None,
                   1 if value is None else value) for text, value in CHAINS],
                 compiler, tmp_path)


def check_values(rows, compiler, tmp_path):
    """Compiles the expressions, and compares their values."""
    lines = ['\tprintf("%%lld\\n", (long long)(%s));\n' % in_c(expression)
             for expression, _, _ in rows]
    (tmp_path / "x.c").write_text("""
#include <stdio.h>
#include <sdtkit/record.h>
int main(void)
{
	struct thing { int n; char *text; int list[3]; char tag[2]; } it = {
		6, "abc", { 10, 20, 30 }, { 'x', 'y' } }, *r = &it;

%s	return 0;
}
""" % "".join(lines))
    subprocess.run([compiler, "-I", SOURCE / "include", "-o", tmp_path / "x",
                    tmp_path / "x.c"], check=True)
    values = subprocess.run([tmp_path / "x"], stdout=subprocess.PIPE,
                            check=True, text=True).stdout.split()
    assert [int(value) for value in values] == [
        value for _, _, value in rows]
