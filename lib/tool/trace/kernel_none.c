/* SPDX-License-Identifier: BSD-2-Clause */
/* Instead of kernel.c, in a build without libbpf. */
#include <stdio.h>

#include "common/tool.h"
#include "lib/uprobe/allowed.h"
#include "trace/kernel.h"

static const char missing[] = "this sdtkit was built without programs for the "
	"kernel: install libbpf, libdw, clang and bpftool, and build with "
	"-Dtop=enabled";

bool tracing_kernel_may(char *text)
{
	snprintf(text, ALLOWED_TEXT, "%s", missing);
	return false;
}

int tracing_kernel_begin(struct tracing *tracing)
{
	tool_complain("%s", missing);
	return -1;
}

void tracing_kernel_say(const struct tracing *tracing)
{
}

bool tracing_kernel_feed(void)
{
	return true;
}

void tracing_kernel_stop(void)
{
}

bool tracing_kernel_passes(const struct sdtkit_tap_event *event)
{
	return true;
}

void tracing_kernel_leave(void)
{
}
