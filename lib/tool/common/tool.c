/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands of sdtkit share, see tool.h. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/docs.h"
#include "common/escape.h"
#include "common/fold.h"
#include "common/out.h"
#include "common/progress.h"
#include "common/tool.h"

/* What runs, as messages begin with it: "sdtkit list". */
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

void *tool_grow(void *array, size_t count, size_t *room, size_t item_size)
{
	size_t more = *room == 0 ? 64 : *room * 2;

	if (count < *room)
		return array;
	array = reallocarray(array, more, item_size);
	if (array == NULL)
		tool_no_memory();
	*room = more;
	return array;
}

int tool_version(void)
{
	out_text("sdtkit " TOOL_VERSION "\n");
	return TOOL_FOUND;
}

/* --color and --width, which are the same for all that have them. */
static bool set_looks(int option, const char *value)
{
	if (option == TOOL_COLOR && !out_set_colour(value))
		tool_complain("invalid value '%s' for --color: use always, "
			      "auto or never", value);
	else if (option == TOOL_WIDTH && !fold_set_width(value))
		tool_complain("invalid value '%s' for --width: use a number "
			      "of characters, or 0 for no limit", value);
	else
		return true;
	return false;
}

int tool_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help)
{
	int option;

	do {
		option = getopt_long(argc, argv, letters, options, NULL);
		if ((option == TOOL_COLOR || option == TOOL_WIDTH) &&
		    !set_looks(option, optarg))
			return TOOL_MISUSED;
	} while (option == TOOL_COLOR || option == TOOL_WIDTH);
	switch (option) {
	case 'h':
		out_text(docs_named(help));
		return TOOL_HELPED;
	case 'V':
		tool_version();
		return TOOL_HELPED;
	case '?':
		tool_complain("try '%s --help'", argv[0]);
		return TOOL_MISUSED;
	default:
		return option;
	}
}

int tool_option_status(int option)
{
	return option == TOOL_HELPED ? TOOL_FOUND : TOOL_TROUBLE;
}
