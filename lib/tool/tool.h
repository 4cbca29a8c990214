/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands of sdtkit share. */
#ifndef SDTKIT_TOOL_H
#define SDTKIT_TOOL_H

/* Exit statuses, as those of grep. */
enum {
	TOOL_FOUND = 0,
	TOOL_NONE = 1,
	TOOL_TROUBLE = 2,
};

/*
 * "sdtkit: TEXT" on stderr, after what was written to stdout so far, so that
 * the two are in order on a terminal.
 */
__attribute__((format(printf, 1, 2)))
void tool_complain(const char *format, ...);

/* The subcommands: argv[0] is the name of the subcommand. */
int tool_list(int argc, char **argv);

#endif /* SDTKIT_TOOL_H */
