/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options that all subcommands have, the values of those that several have,
 * and --version of sdtkit itself. docs/sdtkit.1 has a table of all options: each
 * has one meaning, which tests/tool/test_letters.py holds.
 */
#ifndef SDTKIT_TOOL_OPTIONS_H
#define SDTKIT_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

/*
 * Read the value of an option. They return false after a complaint, which names
 * the option: "--count".
 */
bool tool_read_number(const char *option, const char *text,
		      unsigned long long least, unsigned long long most,
		      unsigned long long *number);
/* A number above 0, with a fraction, of units that have so many nanoseconds. */
bool tool_read_time(const char *option, const char *text, const char *unit,
		    double unit_ns, double *time);
bool tool_read_seconds(const char *option, const char *text,
		       unsigned long long *ns);
bool tool_read_pid(const char *text, pid_t *pid);

/* --via: how something comes from processes that run already. */
enum tool_via {
	/* By a recorder, or the kernel if there is none. */
	TOOL_VIA_ANY,
	TOOL_VIA_RECORDER,
	TOOL_VIA_KERNEL,
};
bool tool_read_via(const char *text, enum tool_via *via);

/*
 * Finds the processes of --name: the name that ps shows, or that of the program.
 * Returns how many there are, or 0 after a complaint. The caller frees *pids.
 */
size_t tool_read_name(const char *name, pid_t **pids);

/* The same for a command that can trace only one; several are a complaint. */
bool tool_read_only_name(const char *name, pid_t *pid);

#endif /* SDTKIT_TOOL_OPTIONS_H */
