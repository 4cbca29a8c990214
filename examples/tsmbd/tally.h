/* SPDX-License-Identifier: BSD-2-Clause */
/* What the processes that served clients did, one by one and together. */
#ifndef TSMBD_TALLY_H
#define TSMBD_TALLY_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

struct tally {
	unsigned long long processes;
	unsigned long long phase_ns[TSMBD_PHASES];
	unsigned long long sum_ns;	/* of the phases */
	unsigned long long elapsed_ns;	/* of the processes, by the clock */
	unsigned long long events;
	unsigned long long ctdb_requests;
	unsigned long long syscall_ns;
	/* at the end of the report */
	unsigned long long connected;	/* processes */
	unsigned long long sessions;
	unsigned long long opens;
	unsigned long long under_way;	/* requests */
	unsigned long long notifies;	/* of these, those for changes */
};

/* Adds those that have died to the tally, and forgets them. */
void tally_sweep(struct tsmbd *skel, struct tally *tally);

/* Adds all that live, up to now. */
void tally_live(struct tsmbd *skel, unsigned long long now,
		struct tally *tally);

/* Begins a new one; what was counted so far is not counted again. */
void tally_reset(struct tally *tally);

/* Tells the kernel of a process that was there when the tracing began. */
void tally_know(struct tsmbd *skel, unsigned int pid, unsigned long long now);

/* All begins now: to look at thousands of processes has taken a while. */
void tally_begin(struct tsmbd *skel, unsigned long long now);

/* The address of the client of a process; "pid:4711" if that is not known. */
void client_name(unsigned int pid, const char *remote,
		 char name[TSMBD_NAME]);

#endif /* TSMBD_TALLY_H */
