# SPDX-License-Identifier: BSD-2-Clause
"""Sites of other headers: nobody describes their arguments, and the compiler
chose the operands."""

import platform
import re
import subprocess

import pytest

CODE = r"""
#define NOTE(name, arguments) \
	"990: nop\n\t.pushsection .note.stapsdt,\"?\",\"note\"\n\t" \
	".balign 4\n\t.4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993: .8byte 990b, 0, 0\n\t.asciz \"other\"\n\t.asciz \"" name "\"\n\t" \
	".asciz \"" arguments "\"\n994: .balign 4\n\t.popsection\n"

static char text[] = "some text", binary[] = "\1\2", empty[] = "";
static char tabs[] = "a\tb\n", wide[] = "gr\303\274n", broken[] = "\303(";

int main(void)
{
	double wide_number = -1.5;
	float narrow_number = 2.25f;

	__asm__ volatile (NOTE("texts", "8@%0 8@%1 8@%2 8@%3 8@%4 8@%5")
			  : : "r" (text), "r" (binary), "r" (empty),
			    "r" (tabs), "r" (wide), "r" (broken));
	__asm__ volatile (NOTE("numbers", "8@%0 8@%1 8@%2 -8@%3")
			  : : "r" (0UL), "r" (7UL), "r" (~0UL), "r" (text));
	__asm__ volatile (NOTE("vectors", "8f@%0 4f@%1 8f@%0")
			  : : "x" (wide_number), "x" (narrow_number));
	return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory, unavailable):
    if platform.machine() != "x86_64":
        unavailable("the program is one of x86-64")
    folder = tmp_path_factory.mktemp("guesses")
    (folder / "other.c").write_text(CODE)
    subprocess.run(["gcc", "-O1", "other.c", "-o", "other"], check=True,
                   cwd=folder)
    return folder / "other"


def shown(trace, program, probe, **more):
    hit, = trace(program, options=["other:" + probe], **more).hits
    return re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", hit)


def test_text_is_shown_where_there_is_one(trace, program):
    assert re.sub(r"\b\d{6,}\b", "NUMBER", shown(trace, program, "texts")) == (
        'other:texts(ADDRESS "some text", NUMBER, NUMBER, '
        'ADDRESS "a\\x09b\\n", ADDRESS "grün", NUMBER)')


def test_long_text_is_cut(trace, program):
    hit, = trace(program, options=["--strings", "4", "other:texts"]).hits
    assert '"some"...' in hit and '"grü"...' in hit


def test_numbers_are_no_addresses(trace, program):
    assert re.fullmatch(
        r"other:numbers\(0, 7, 18446744073709551615, \d{6,}\)",
        shown(trace, program, "numbers"))


def test_vector_registers(trace, program):
    assert shown(trace, program, "vectors") == (
        "other:vectors(-1.5, 2.25, -1.5)")
