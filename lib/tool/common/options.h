/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that all subcommands have, and --version of sdtkit itself. */
#ifndef SDTKIT_TOOL_OPTIONS_H
#define SDTKIT_TOOL_OPTIONS_H

struct option;

/* Prints the version and returns the exit status. */
int tool_version(void);

/* Prints what sdtkit was built with, too; the version is the first line. */
int tool_version_and_parts(void);

/*
 * Calls getopt_long() for a subcommand. letters and options must contain h and
 * V, and options may contain TOOL_OPTION_COLOR and TOOL_OPTION_WIDTH; all of
 * these are handled here. Returns the next other option, -1 at the end,
 * TOOL_HELPED if help or version was printed, or TOOL_MISUSED after a
 * complaint. After these two the command ends with tool_option_status().
 */
enum { TOOL_HELPED = 0x100, TOOL_MISUSED, TOOL_COLOR, TOOL_WIDTH };
#define TOOL_OPTION_COLOR { "color", required_argument, NULL, TOOL_COLOR }
#define TOOL_OPTION_WIDTH { "width", required_argument, NULL, TOOL_WIDTH }
/* All of these, and the end of the list. */
#define TOOL_OPTIONS_OF_ALL						\
	TOOL_OPTION_COLOR, TOOL_OPTION_WIDTH,				\
	{ "help", no_argument, NULL, 'h' },				\
	{ "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 }
int tool_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help);
int tool_option_status(int option);

#endif /* SDTKIT_TOOL_OPTIONS_H */
