# SPDX-License-Identifier: BSD-2-Clause
"""A wrong type is an error at the call, not a warning, also where C would
convert it; what is right compiles without a warning."""

import re
import subprocess

import pytest

from opt_in import turns
import probe_tool

DESCRIPTION = """
typedef struct { int fd; string user; } info_t;
translator info_t < struct request *R > {
	fd = R->fd;
	user = R->user;
};
provider shop {
	probe order(char *item, int count, double price);
	probe points(struct request *req, void *any, int *number,
		     void (*done)(int), bool yes);
	probe converted(sdtkit_str_t who, sdtkit_sockaddr_t where,
			sdtkit_timespec_t when, sdtkit_counted_t bytes);
	probe done(struct request *req) : (info_t *req);
};
"""
PROGRAM = """
#define _POSIX_C_SOURCE 200809L
#include <netinet/in.h>
#include <time.h>
#include "shop.h"
enum e { ONE, TWO };
struct request { int fd; const char *user; unsigned bits : 3; } request, *req;
struct other { int a; } other;
char text[8], *name; const char *constant; unsigned char bytes[8];
struct sockaddr_in in; struct timespec when; int number; short small;
uint64_t wide;
extern void done(int);
extern void f(void);
void f(void)
{
	%s;
}
"""
RIGHT = """SHOP_ORDER("a", 2, 3);
	SHOP_ORDER(text, small, 1.5f); SHOP_ORDER(constant, wide != 0, wide > 0);
	SHOP_ORDER(req ? text : constant, ONE, (double)wide);
	SHOP_ORDER(name, (int)request.bits, 0.5);
	SHOP_POINTS(req, req, &number, done, true);
	SHOP_POINTS(&request, text, &number, NULL, number == 1);
	SHOP_POINTS(NULL, NULL, NULL, NULL, false);
	SHOP_CONVERTED(name, &in, &when, bytes, sizeof(bytes));
	SHOP_DONE(req); SHOP_DONE(&request); number--"""
# A void * is any pointer to C, and a 0 is none; to C++ neither is.
RIGHT_IN_C = """SHOP_ORDER(bytes, 2, 3); SHOP_ORDER(0, 2, 3);
	SHOP_ORDER((void *)text, 2, 3); SHOP_DONE((void *)req);
	SHOP_CONVERTED(NULL, NULL, NULL, NULL, 0)"""
WRONG = [
    'SHOP_ORDER(1, 2, 3)',
    'SHOP_ORDER(number, 2, 3)',
    'SHOP_ORDER("a", "b", 3)',
    'SHOP_ORDER("a", &number, 3)',
    'SHOP_ORDER("a", 2, "c")',
    'SHOP_ORDER(&number, 2, 3)',
    'SHOP_ORDER(&request, 2, 3)',
    'SHOP_ORDER(request, 2, 3)',
    'SHOP_ORDER("a", 2)',
    'SHOP_ORDER("a", 2, 3, 4)',
    'SHOP_POINTS(&other, 0, 0, 0, 1)',
    'SHOP_POINTS(number, 0, 0, 0, 1)',
    'SHOP_POINTS(req, number, 0, 0, 1)',
    'SHOP_POINTS(req, 0, 77, 0, 1)',
    'SHOP_POINTS(req, 0, 0, number, 1)',
    'SHOP_POINTS(req, 0, 0, 0, request)',
    'SHOP_CONVERTED(number, 0, 0, 0, 0)',
    'SHOP_CONVERTED(0, &other, 0, 0, 0)',
    'SHOP_CONVERTED(0, 0, &in, 0, 0)',
    'SHOP_CONVERTED(0, 0, 0, number, 0)',
    'SHOP_CONVERTED(0, 0, 0, 0, "x")',
    'SHOP_DONE(&other)',
    'SHOP_DONE(number)',
]
COMPILERS = ["gcc -std=c99", "gcc -std=gnu17", "clang -std=c99",
             "g++ -std=c++11", "clang++ -std=c++17"]
SILENT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wcast-qual",
          "-Werror"]


def compiled(folder, compiler, backend, text, *flags):
    (folder / "shop.d").write_text(DESCRIPTION)
    probe_tool.generate_file(folder / "shop.d")
    command = compiler.split()
    return subprocess.run(
        [*command, *flags, *probe_tool.BACKENDS[backend], "-I", folder, "-I",
         probe_tool.SOURCE / "include", "-fsyntax-only",
         "-xc++" if "++" in command[0] else "-xc", "-"],
        input=PROGRAM % text, text=True, stderr=subprocess.PIPE)


@pytest.mark.parametrize("compiler, backend", turns(COMPILERS,
                                                    ["native", "none"]))
def test_right_types(compiler, backend, tmp_path):
    text = RIGHT if "++" in compiler else RIGHT + ";\n\t" + RIGHT_IN_C
    flags = SILENT if "++" in compiler else SILENT + ["-Wno-pointer-sign"]
    run = compiled(tmp_path, compiler, backend, text, *flags)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""


@pytest.mark.parametrize("compiler, backend", turns(COMPILERS,
                                                    ["native", "none"]))
def test_wrong_types(compiler, backend, tmp_path):
    """Each call has a line of its own, and each line an error."""
    limit = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    run = compiled(tmp_path, compiler, backend, "\n".join(
        '#line %d "wrong"\n\t%s;' % (number, text)
        for number, text in enumerate(WRONG, 1)), "-w", limit)
    assert run.returncode != 0
    lines = {int(found[1]) for found in re.finditer(
        r"^wrong:(\d+):", run.stderr, re.M)}
    assert [text for number, text in enumerate(WRONG, 1)
            if number not in lines] == []


LABELS = "provider shop { probe order(int count); probe take(void *what); };\n"
LABEL = """
#include "shop.h"
int main(int argc, char **argv)
{
	SHOP_ORDER(({ __label__ out; int r = 1; if (argc) goto out; r = 2;
		      out: r; }));
	SHOP_ORDER(({ SHOP_ORDER(3); 4; }));	/* a probe in an argument */
	SHOP_TAKE((const void *)argv);
	return 0;
}
"""


@pytest.mark.parametrize("compiler, optimise, backend", turns(
    ["gcc", "clang", "g++", "clang++"], ["-O0", "-O2"], ["native", "none"]))
def test_statements_in_arguments(compiler, optimise, backend, tmp_path):
    """Arguments stand twice in what a probe becomes: nothing comes of that."""
    (tmp_path / "shop.d").write_text(LABELS)
    probe_tool.generate_file(tmp_path / "shop.d")
    (tmp_path / "p.c").write_text(LABEL)
    language = ["-xc++"] if "++" in compiler else []
    subprocess.run([compiler, "-Wall", "-Wextra", "-Wshadow", "-Werror",
                    optimise, *probe_tool.BACKENDS[backend], "-I", tmp_path,
                    "-I", probe_tool.SOURCE / "include", *language,
                    tmp_path / "p.c", "-o", tmp_path / "p"], check=True)


BRACKETS = """provider shop {
	probe order(int (f)(int), int ((g))(int), int (*(h))(void),
		    int (*(a))[3], int (*b[2])(void), int (c)[3], int (*(*(d)))(int));
};
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_declarators_in_brackets(compiler, tmp_path):
    (tmp_path / "shop.d").write_text(BRACKETS)
    probe_tool.generate_file(tmp_path / "shop.d")
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                    "-xc++" if "++" in compiler else "-xc", "-I",
                    probe_tool.SOURCE / "include", tmp_path / "shop.h"],
                   check=True)
