/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are printed as things happen: --slow, --exit, --oplocks. */
#ifndef TSMBD_LOG_H
#define TSMBD_LOG_H

#include <stdio.h>

#include "report/table.h"
#include "options.h"
#include "tsmbd.h"

/* Prints the titles of the columns of --slow and --errors. */
void log_columns(FILE *out, const struct options *options);

/* Prints an event from the kernel as a line; ignores unknown kinds. */
void log_event(FILE *out, const struct options *options,
	       const struct tsmbd_event *event);

union any_event {
	struct tsmbd_event event;
	struct tsmbd_request_event request;
	struct tsmbd_wait_event wait;
	struct tsmbd_text_event text;
};

/* The row of any other event than those of SMBD_SLOW. */
struct event_row {
	unsigned long long end_ns;
	union any_event as;
};

extern const struct report_table log_events;

/*
 * Prints a row of SMBD_SLOW or of log_events; NULL prints the titles of the
 * columns. options is a struct options.
 */
void log_row(FILE *out, const void *options, const struct report_table *table,
	     const void *row);

#endif /* TSMBD_LOG_H */
