/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the processes that served clients. */
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

/* Adds the processes that have ended to the tally, and forgets them. */
void tally_sweep(struct tsmbd *skel, struct tally *tally);

/* Adds all that live, up to now. */
void tally_live(struct tsmbd *skel, unsigned long long now,
		struct tally *tally);

/* Adds a process that existed before the tracing to the map. */
void tally_know(struct tsmbd *skel, unsigned int pid, unsigned long long now);

/* Sets the begin of all to now: finding thousands of them took a while. */
void tally_begin(struct tsmbd *skel, unsigned long long now);

/* The address of the client of a process; "pid:4711" if that is not known. */
void client_name(unsigned int pid, const char *remote,
		 char name[TSMBD_NAME]);

#endif /* TSMBD_TALLY_H */
