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

struct sink {
	/* Whether the options ask for it; nothing else is called if not. */
	bool (*wanted)(const struct options *options);

	/*
	 * Before anything is attached. Sets the options that it needs, as the
	 * tables of names. Exits with a message if it cannot work.
	 */
	void (*open)(struct options *options);

	/* A report; what it points to is valid during the call only. */
	void (*take)(const struct options *options,
		     const struct report *report);

	/* A line of --slow, --errors, --exit or --oplocks. May be NULL. */
	void (*event)(const struct options *options,
		      const struct tsmbd_event *event);

	/* On failure prints a message and returns false. May be NULL. */
	bool (*close)(const struct options *options);
};

void sinks_open(struct options *options);
void sinks_take(const struct options *options, const struct report *report);
void sinks_event(const struct options *options,
		 const struct tsmbd_event *event);
bool sinks_close(const struct options *options);

#endif /* TSMBD_SINKS_H */
