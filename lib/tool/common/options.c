/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that all subcommands have, see options.h. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdbool.h>

#include "common/docs.h"
#include "common/fold.h"
#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"

int tool_version(void)
{
	out_text("sdtkit " TOOL_VERSION "\n");
	return TOOL_FOUND;
}

int tool_version_and_parts(void)
{
	tool_version();
	out_text("components: " TOOL_COMPONENTS "\n"
		 "libraries: " TOOL_LIBRARIES "\n");
	if (sizeof(TOOL_LEFT_OUT) > 1)
		out_text("built without: " TOOL_LEFT_OUT "\n");
	return TOOL_FOUND;
}

/* Handles --color and --width. */
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
