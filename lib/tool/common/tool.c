/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands of sdtkit share, see tool.h. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/escape.h"
#include "common/out.h"
#include "common/progress.h"
#include "common/tool.h"
#include "lib/base/grow.h"

/* What messages begin with: "sdtkit list". */
static char running[32] = "sdtkit";

char *tool_begin(const char *command)
{
	snprintf(running, sizeof(running), "sdtkit %s", command);
	return running;
}

void tool_complain(const char *format, ...)
{
	char text[8192];
	va_list ap;

	out_flush();
	progress_clear();
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	fprintf(stderr, "%s: ", running);
	escape(text, ESCAPE_PATH, escape_to_file, stderr);
	fputc('\n', stderr);
}

void tool_no_memory(void)
{
	fprintf(stderr, "%s: out of memory\n", running);
	exit(TOOL_TROUBLE);
}

char *tool_vformat(const char *format, va_list ap)
{
	char *text;

	if (vasprintf(&text, format, ap) < 0)
		tool_no_memory();
	return text;
}

char *tool_format(const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = tool_vformat(format, ap);
	va_end(ap);
	return text;
}

FILE *tool_open_text(char **text)
{
	static size_t size;	/* of all such files: nobody asks for it */
	FILE *file = open_memstream(text, &size);

	if (file == NULL)
		tool_no_memory();
	return file;
}

void tool_close_text(FILE *file)
{
	if (fclose(file) != 0)
		tool_no_memory();
}

void *tool_zeros(size_t count, size_t item_size)
{
	void *zeros = calloc(count + 1, item_size);

	if (zeros == NULL)
		tool_no_memory();
	return zeros;
}

void *tool_grow(void *array, size_t count, size_t *capacity, size_t item_size)
{
	if (sdtkit_grow(&array, count, capacity, item_size) < 0)
		tool_no_memory();
	return array;
}
