# SPDX-License-Identifier: BSD-2-Clause
"""include/sdtkit/arg.h: what a tracer reads of a string, and what compiles."""

import shutil
import subprocess

import pytest

from demo_server import LIMIT

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wcast-qual",
          "-Werror"]

USE = """
#include <sdtkit/arg.h>
const char *use(const char *text);
const char *use(const char *text) { return sdtkit_arg_str(text); }
"""


@pytest.mark.parametrize("compiler,suffix,standards", [
    ("gcc", "c", ("c99", "c11", "c2x")),
    ("clang", "c", ("c99", "c11", "c2x")),
    ("g++", "cc", ("c++11", "c++20")),
    ("clang++", "cc", ("c++11", "c++20")),
])
def test_compiles_without_a_warning(source, tmp_path, compiler, suffix,
                                    standards):
    if not shutil.which(compiler):
        pytest.skip(compiler + " is not installed")
    file = tmp_path / ("use." + suffix)
    file.write_text(USE)
    for standard in standards:
        for extra in ([], ["-O2"], ["-DSDTKIT_DISABLE"]):
            subprocess.run([compiler, "-std=" + standard, *STRICT, *extra,
                            "-I", source / "include", "-c", file,
                            "-o", tmp_path / "use.o"], check=True)


def test_reads_no_further_than_the_string(source, tmp_path):
    """The page behind the string is not there."""
    file = tmp_path / "edge.c"
    file.write_text("""
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <sdtkit/arg.h>
int main(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *edge = p + 4096;

	assert(p != MAP_FAILED && munmap(edge, 4096) == 0);
	memset(p, 'x', 4096);
	edge[-1] = 0;
	assert(sdtkit_arg_str(edge - 1) == edge - 1);
	assert(sdtkit_arg_str(edge - 4) == edge - 4);
	edge[-1] = 'x';		/* no end at all, but beyond the bound */
	assert(sdtkit_arg_str(edge - SDTKIT_ARG_STR_MAX) ==
	       edge - SDTKIT_ARG_STR_MAX);
	assert(sdtkit_arg_str(NULL)[0] == 0);
	return 0;
}
""")
    for level in ("-O0", "-O2"):
        program = tmp_path / ("edge" + level)
        subprocess.run(["cc", "-D_GNU_SOURCE", level, "-I",
                        source / "include", file, "-o", program], check=True)
        subprocess.run([program], check=True, timeout=LIMIT)


def test_tracer_reads_untouched_pages(build, source, tmp_path, tracer):
    text = "from one page to the next"
    (tmp_path / "pages").write_bytes(b"\0" * 4088 + text.encode() +
                                     b"\0" * 4096)
    program = tmp_path / "arg_pages"
    subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-I", source / "include",
                    "-I", build / "examples" / "demo",
                    source / "tests" / "demo" / "arg_pages.c",
                    "-o", program], check=True)
    traced = subprocess.run(
        ["bpftrace", "-q", "-e", 'usdt:%s:vfs:op_start '
         '{ printf("%%d [%%s]\\n", arg1, str(arg0)); }' % program,
         "-c", "%s %s" % (program, tmp_path / "pages")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT,
        universal_newlines=True)
    lines = [line for line in traced.stdout.splitlines() if line]
    # the first case shows why the function exists
    assert lines == ["1 []", "2 [%s]" % text, "3 []"], traced.stderr
