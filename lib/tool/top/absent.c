/* SPDX-License-Identifier: BSD-2-Clause */
/* absent.c - "sdtkit top" in a build without libbpf: says what is missing. */
#include "common/tool.h"
#include "top/absent.h"

int tool_top(int argc, char **argv)
{
	tool_complain("this sdtkit was built without it: install libbpf, libdw, "
		      "clang and bpftool, and build with -Dtop=enabled");
	return TOOL_TROUBLE;
}
