/* SPDX-License-Identifier: BSD-2-Clause */
/* The clients, users, shares and files that caused most of the work. */
#ifndef TSMBD_TOP_H
#define TSMBD_TOP_H

#include "options.h"

struct tsmbd;	/* the skeleton */
struct report;

/*
 * Adds what the kernel has in a bank that no program writes to: a table for
 * each enum tsmbd_kind that the options ask for, and the shares by command, if
 * the options ask for that.
 */
void top_take(const struct options *options, struct tsmbd *skel,
	      unsigned int bank, struct report *report);

#endif /* TSMBD_TOP_H */
