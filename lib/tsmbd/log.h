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

#endif /* TSMBD_LOG_H */
