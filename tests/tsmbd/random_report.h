/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of a second, as a server with so much to do has them. */
#ifndef RANDOM_REPORT_H
#define RANDOM_REPORT_H

#include "report.h"

struct random_load {
	unsigned int commands;		/* that occur, up to TSMBD_OPS */
	unsigned int requests;		/* of each, at most */
	unsigned int names;		/* of each kind; 0: none */
	unsigned int waits;
};

/* The same seed makes the same report; smbd_report_clear() releases it. */
void random_report(struct smbd_report *r, unsigned int seed,
		   const struct random_load *load);

/* The next number below limit. */
unsigned int random_below(unsigned int limit);

/* Fails a test of cmocka if they differ in what a sum has. */
void assert_same_report(struct smbd_report *a, struct smbd_report *b);

#endif /* RANDOM_REPORT_H */
