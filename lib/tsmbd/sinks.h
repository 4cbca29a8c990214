/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What takes the reports, besides the printed one: each is a row of a table.
 *
 *	sinks_open -> attach -> [sinks_take | sinks_event]... -> sinks_close
 */
#ifndef TSMBD_SINKS_H
#define TSMBD_SINKS_H

#include <stdbool.h>

#include "options.h"
#include "report.h"
#include "report/report.h"

struct sink {
	/*
	 * The heading of its options in options_settings; NULL for all. When
	 * one of them is changed while the service runs, the sink is closed
	 * and opened again.
	 */
	const char *group;

	/*
	 * Whether it needs what only the process that traces has: the memory
	 * and symbols of smbd, and samples. A service runs the others in a
	 * process without any privilege, see service/serve.h; whatever listens
	 * to others belongs there.
	 */
	bool traces;

	/* Whether the options ask for it; nothing else is called if not. */
	bool (*wanted)(const struct options *options);

	/*
	 * Before anything is attached. Sets the options that it needs, as the
	 * tables of names. Exits with a message if it cannot work.
	 */
	void (*open)(struct options *options);

	/*
	 * Reads the files that it is told to, as keys and passwords; exits
	 * with a message if one is wrong. Opens nothing else. May be NULL.
	 */
	void (*check)(const struct options *options);

	/*
	 * Reads these files again, in which check() has found nothing wrong,
	 * and takes them if they have changed. May be NULL.
	 */
	void (*reread)(const struct options *options);

	/*
	 * Whether it can go on with other options of its group, without being
	 * closed: reread() takes them then. NULL: never.
	 */
	bool (*stays)(const struct options *before, const struct options *now);

	/* A report; what it points to is valid during the call only. May be NULL. */
	void (*take)(const struct options *options,
		     const struct smbd_report *report);

	/*
	 * The same as rows of tables, and a row of an event: of the table
	 * SMBD_SLOW. May be NULL.
	 */
	void (*take_rows)(const struct options *options,
			  const struct report *report);
	void (*row)(const struct options *options,
		    const struct report_table *table, const void *row);

	/* A line of --slow, --errors, --exit or --oplocks. May be NULL. */
	void (*event)(const struct options *options,
		      const struct tsmbd_event *event);

	/* On failure prints a message and returns false. May be NULL. */
	bool (*close)(const struct options *options);
};

/* Which sinks there are in this process: all, unless somebody says so. */
enum sinks_part { SINKS_ALL, SINKS_TRACING, SINKS_SERVING };
void sinks_restrict(enum sinks_part part);

/* Whether any sink is wanted. */
bool sinks_wanted(const struct options *options);

/* Exits with a message if a file that they read is wrong. */
void sinks_check(const struct options *options);

void sinks_open(struct options *options);

enum sinks_reloaded {
	SINKS_RELOADED,
	SINKS_ELSEWHERE,	/* those of the other process have to change */
	SINKS_NOT_RELOADED,	/* one could not be opened, which it has said */
};

/*
 * Changes the options of sinks to the fresh ones: closes sinks that are not
 * wanted any more, and opens those that are new or changed. The others read
 * their files again. If one cannot be opened, or a file is wrong, all are as
 * before.
 */
enum sinks_reloaded sinks_reload(struct options *options,
				 const struct options *fresh);

void sinks_take(const struct options *options, const struct smbd_report *report);
void sinks_event(const struct options *options,
		 const struct tsmbd_event *event);
bool sinks_close(const struct options *options);

#endif /* TSMBD_SINKS_H */
