/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads reports as tsmbd --json prints them. */
#ifndef TSMBD_JSON_READ_H
#define TSMBD_JSON_READ_H

#include <jansson.h>

#include "tsmbd/report.h"

enum { JSON_WHY = 128 };		/* of a message */

/*
 * Adds a report to r, which began as zeros. Its times are in nanoseconds since
 * 1970. tops is a bit for each table of names. Returns false if the object is
 * not a report; why says what is wrong, and r has a part of it.
 */
bool json_read_report(json_t *object, struct smbd_report *r, unsigned int *tops,
		      char why[JSON_WHY]);

#endif /* TSMBD_JSON_READ_H */
