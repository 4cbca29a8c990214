/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines that are printed as things happen: --slow, --exit, --oplocks. */
#ifndef TSMBD_LOG_H
#define TSMBD_LOG_H

#include <stdio.h>

#include "options.h"
#include "tsmbd.h"

/* Prints the titles of the columns of --slow and --errors. */
void log_columns(FILE *out, const struct options *options);

/* Prints an event from the kernel as a line; ignores unknown kinds. */
void log_event(FILE *out, const struct options *options,
	       const struct tsmbd_event *event);

/* Prints a row of SMBD_SLOW; options is a struct options. */
struct report_table;
void log_row(FILE *out, const void *options, const struct report_table *table,
	     const void *row);

#endif /* TSMBD_LOG_H */
