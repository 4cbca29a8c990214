/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a report as text. */
#ifndef TSMBD_TABLES_H
#define TSMBD_TABLES_H

#include <stdio.h>

#include "options.h"
#include "rows.h"

/* Commands, and what they waited for. */
void tables_requests(FILE *out, const struct report *report);

/* Failures, and other answers than success. */
void tables_errors(FILE *out, const struct report *report);

/* System calls. */
void tables_calls(FILE *out, const struct report *report);

/* The tables of --top. */
void tables_names(FILE *out, const struct options *options,
		  const struct report *report);

/* Who waited for whom. */
void tables_waits(FILE *out, const struct report *report);

#endif /* TSMBD_TABLES_H */
