/* SPDX-License-Identifier: BSD-2-Clause */
/* Seconds that are made up: what the lines of when.c and incident.c share. */
#ifndef TSMBD_MADE_UP_H
#define TSMBD_MADE_UP_H

#include <stdbool.h>

#include "rows.h"

/* The row of a command. */
struct operation_row *made_up_operation(struct report *report,
					unsigned int opcode);

/*
 * Adds the requests of a word, OPCODE:COUNTxMICROSECONDS, to a report that has
 * a row of the server. Returns false if it is another word; opcode is that of
 * the requests.
 */
bool made_up_requests(struct report *report, const char *word,
		      unsigned int *opcode);

/* when CONDITION: prints what becomes of it in each second. */
int when_main(int argc, char **argv);

#endif /* TSMBD_MADE_UP_H */
