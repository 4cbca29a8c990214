/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of a second, as a server with so much to do has them. */
#ifndef RANDOM_REPORT_H
#define RANDOM_REPORT_H

#include "rows.h"

struct random_load {
	unsigned int commands;		/* that occur, up to TSMBD_OPS */
	unsigned int requests;		/* of each, at most */
	unsigned int names;		/* of each kind */
	unsigned int waits;
};

/* The same seed makes the same report, which report_free() releases. */
struct report *random_report(unsigned int seed, const struct random_load *load);

#endif /* RANDOM_REPORT_H */
