/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PROGRAM merge: one report of several.
 *
 *	tsmbd merge alpha.json beta.json
 *	ssh beta tsmbd --json -c 60 | tsmbd merge alpha.json -
 *	tsmbd merge --from -2h alpha.db beta.db
 *
 * Percentiles are computed from the sums of the distributions.
 */
#ifndef REPLAY_MERGE_H
#define REPLAY_MERGE_H

#include "report/hosts.h"
#include "report/program.h"

/* What the options of a merge command ask for. */
struct merge_asked {
	bool json;
	bool quiet;		/* what the reports lack is not said */
	char *const *rows;	/* report_choose(); NULL: all */
};

struct merge_command {
	const struct report_program *program;
	const char *name;		/* "tsmbd merge" */
	const char *usage;		/* NULL: parse() knows --help */
	const char *prints;		/* reports: "tsmbd --json" */
	const char *records;		/* them: "tsmbd --history" */

	/*
	 * Parses the options of the program, exits with a message if they are
	 * wrong. Returns the index of the first file; argv ends with the last
	 * one.
	 */
	int (*parse)(int argc, char **argv, void *options,
		     struct merge_asked *asked);

	/* Is called before anything is printed; may be NULL. */
	void (*begin)(void);

	/* Changes the sums of hosts before they become one; may be NULL. */
	void (*join)(const struct hosts *hosts);

	/*
	 * Sets the options to print tables: a bit for each that there is. NULL:
	 * all are printed.
	 */
	void (*show)(void *options, unsigned int tables);
};

int merge_run(const struct merge_command *command, int argc, char **argv);

#endif /* REPLAY_MERGE_H */
