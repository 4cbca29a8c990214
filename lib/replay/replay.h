/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PROGRAM replay: the reports of a time that is over.
 *
 *	sdtkit replay --from -2h --to -1h -i 600
 *
 * The program parses its own options, and prints. An option that needs what
 * was not recorded is refused.
 */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include "report/program.h"

enum { REPLAY_NEEDS = 8 };

/* What the options of the program ask for. */
struct replay_asked {
	unsigned long long interval;	/* nanoseconds; 0: one report */
	unsigned int count;		/* of reports; 0: all */
	bool json;
	bool quiet;			/* gaps are not said */
	bool lines;			/* of slow spans: those of prints() */
	const char *heatmap;		/* a file, or NULL */
	char *const *rows;		/* report_choose(); NULL: all */
	/* What has to be recorded for an option; until one without a word. */
	struct replay_need {
		const char *word;	/* of history_recorded() */
		const char *option;
	} needs[REPLAY_NEEDS];
};

struct replay_command {
	const struct report_program *program;
	const char *name;		/* "tsmbd replay" */
	const char *usage;		/* NULL: parse() knows --help */

	/*
	 * Parses the options of the program, with that of the history. Exits
	 * with a message if they are wrong, or need more than a history.
	 */
	void (*parse)(int argc, char **argv, void *options,
		      struct replay_asked *asked);

	/* Is called before anything but titles is printed; may be NULL. */
	void (*begin)(void);

	/* Whether a row of program->slow is printed. */
	bool (*prints)(const void *options, const void *row);
};

int replay_run(const struct replay_command *command, int argc, char **argv);

/* Ticks that end after from_ns, and up to to_ns. */
struct replay_period {
	unsigned long long from_ns;
	unsigned long long to_ns;
};

/*
 * Takes --from, --to, --help if usage is not NULL, and --list if list is not
 * NULL, out of argv; returns the new argc.
 */
int replay_options(char **argv, const char *usage,
		   struct replay_period *period, bool *list);

/* Whether any row of the report has a name, or no words chose among them. */
bool replay_finds(const struct report *report, char *const *words);

/* Says that no row has one of the words; command: "tsmbd replay". */
void replay_complain(char *const *words, const char *command);

/* Flushes stdout; prints a message and returns false if that fails. */
bool replay_written(void);

#endif /* REPLAY_REPLAY_H */
