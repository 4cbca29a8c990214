/* SPDX-License-Identifier: BSD-2-Clause */
/* The options that all subcommands have, and --version of sdtkit itself. */
#ifndef SDTKIT_TOOL_OPTIONS_H
#define SDTKIT_TOOL_OPTIONS_H

struct option;

/* Prints what --version prints; returns the exit status. */
int tool_version(void);

/*
 * getopt_long() for a subcommand.  letters and options must have h and V, and
 * options may have TOOL_OPTION_COLOR and TOOL_OPTION_WIDTH: it does what these
 * ask for itself.  Returns -1 at the end, TOOL_HELPED if it has printed what
 * was asked for, TOOL_MISUSED if it has complained; then the command ends, with
 * tool_option_status().
 */
enum { TOOL_HELPED = 0x100, TOOL_MISUSED, TOOL_COLOR, TOOL_WIDTH };
#define TOOL_OPTION_COLOR { "color", required_argument, NULL, TOOL_COLOR }
#define TOOL_OPTION_WIDTH { "width", required_argument, NULL, TOOL_WIDTH }
int tool_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help);
int tool_option_status(int option);

#endif /* SDTKIT_TOOL_OPTIONS_H */
