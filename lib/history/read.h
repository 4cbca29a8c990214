/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a history, also while tsmbd writes it:
 *
 *	struct history *h = history_open("/var/lib/tsmbd/history", from, to);
 *	struct history_tick tick;
 *
 *	while (history_next(h, &tick))
 *		smbd_report_add(sum, tick.report);
 *	history_close(h);
 *
 * A tick covers a second, or a minute if the seconds are not there any more.
 * The names of a minute come with its last tick. Times are in nanoseconds since
 * 1970, also tick.report->end_ns.
 */
#ifndef TSMBD_READ_H
#define TSMBD_READ_H

#include <stdbool.h>

#include "history/segment.h"
#include "tsmbd/report.h"

struct history;

struct history_tick {
	const struct smbd_report *report;	/* valid until the next call */
	bool minute;			/* it is made of a whole minute */
	unsigned int names;		/* a bit for each table it has */
	unsigned int recorded;		/* HISTORY_NAMES... */
	unsigned long long run;		/* of tsmbd */
	const char *host;
};

/*
 * Ticks that end after from_ns, and up to to_ns. Returns NULL after a message
 * if the directory cannot be read.
 */
struct history *history_open(const char *path, unsigned long long from_ns,
			     unsigned long long to_ns);

/*
 * The same, with minutes instead of seconds up to about seconds_ns: that takes
 * a fraction of the time.
 */
struct history *history_open_coarse(const char *path,
				    unsigned long long from_ns,
				    unsigned long long seconds_ns,
				    unsigned long long to_ns);

/* Returns false at the end. */
bool history_next(struct history *h, struct history_tick *tick);

/*
 * The requests of --slow and --errors in this time, of which the next one
 * ended before a time; false if there is none. event->time is the time of day,
 * and event->remote the name of the client.
 */
bool history_next_request(struct history *h, unsigned long long before_ns,
			  struct tsmbd_request_event *e);

/*
 * Says what could not be read; returns whether there was nothing. A last record
 * that is not complete is said with a hint only: tsmbd was killed.
 */
bool history_damage(const struct history *h);

void history_close(struct history *h);

#endif /* TSMBD_READ_H */
