/* SPDX-License-Identifier: BSD-2-Clause */
/* log.c - one line per event on standard error. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "log.h"

void log_line(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	dprintf(STDERR_FILENO, "demo-server[%d]: %s\n", (int)getpid(), text);
}
