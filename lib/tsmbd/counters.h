/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of the kernel that all processes share. */
#ifndef TSMBD_COUNTERS_H
#define TSMBD_COUNTERS_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */
struct report;

/*
 * Adds what was counted since the last call to a report that has the row of the
 * server only. The rows of commands, the errors and the sizes describe the same
 * requests, because the kernel keeps them in one bank and writes to the other
 * one until the next call. So do the tables in the bank that is returned, which
 * others read: --top and the waits.
 */
unsigned int counters_take(struct tsmbd *skel, struct report *report);

/* How long the requests of each command took, since the start. */
void counters_read_slots(struct tsmbd *skel,
			 unsigned long long slots[TSMBD_OPS][SLOTS_FINE]);

#endif /* TSMBD_COUNTERS_H */
