/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of tsmbd: rows.h has their tables. */
#ifndef TSMBD_REPORT_H
#define TSMBD_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "report/program.h"
#include "options.h"

/* How rooms of lib print these reports. */
extern const struct report_program smbd_program;

/* Prints a report as text. again: it is not the first one. */
void smbd_print(FILE *out, const void *options, const struct report *report,
		bool again);

/* The report as docs/tsmbd.schema.json has it; the caller releases it. */
json_t *smbd_json(const void *options, const struct report *report);

/* Sorts all tables as they are printed; order is enum tsmbd_order. */
void smbd_sort(struct report *report, unsigned int order);

#endif /* TSMBD_REPORT_H */
