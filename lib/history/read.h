/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a history, also while it is written:
 *
 *	struct history *h = history_open("history.db", &program, from, to);
 *	struct history_tick tick;
 *
 *	while (history_next(h, &tick))
 *		report_add(sum, tick.report);
 *	history_close(h);
 *
 * A tick covers a second, or a minute if the seconds are not there any more.
 * The names of a minute come with its last tick. Times are in nanoseconds since
 * 1970, also tick.report->end_ns.
 */
#ifndef HISTORY_READ_H
#define HISTORY_READ_H

#include <stdbool.h>

#include "report/program.h"

struct history;
struct sqlite3;

struct history_tick {
	struct report *report;		/* valid until the next call */
	bool minute;			/* it is made of a whole minute */
	unsigned int tables;		/* a bit for each that it has */
	const char *host;
	const char *recorded;		/* words: see write.h */
	long long id;			/* of its minute, */
	long long run;			/* of the start of the program, */
	unsigned long long up_ns;	/* its end since the boot */
};

/*
 * Ticks that end after from_ns, and up to to_ns. Returns NULL after a message
 * if the file cannot be read, or is not a history of this program.
 */
struct history *history_open(const char *path,
			     const struct report_program *program,
			     unsigned long long from_ns,
			     unsigned long long to_ns);

/*
 * The same, with minutes instead of seconds up to about seconds_ns: that takes
 * a fraction of the time.
 */
struct history *history_open_coarse(const char *path,
				    const struct report_program *program,
				    unsigned long long from_ns,
				    unsigned long long seconds_ns,
				    unsigned long long to_ns);

/* Everything from a minute on, of a database that stays open. */
struct history *history_open_minutes(struct sqlite3 *db,
				     const struct report_program *program,
				     long long minute);

/* Returns false at the end. */
bool history_next(struct history *h, struct history_tick *tick);

/*
 * The next slow span in this time that ended before a time; false if there is
 * none. row is of the table program->slow, and has the time of day.
 */
bool history_next_row(struct history *h, unsigned long long before_ns,
		      void *row);

/* Whether any run of the program has recorded this: a word. */
bool history_recorded(const struct history *h, const char *word);

/* Whether a word is among those of a tick: tick->recorded. */
bool history_has_word(const char *recorded, const char *word);

/* Says what could not be read; returns whether there was nothing. */
bool history_damage(const struct history *h);

void history_close(struct history *h);

#endif /* HISTORY_READ_H */
