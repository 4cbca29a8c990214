/* SPDX-License-Identifier: BSD-2-Clause */
/* What the processes that served clients did, one by one and together. */
#ifndef TSMBD_TALLY_H
#define TSMBD_TALLY_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

struct client {
	char name[TSMBD_NAME];
	struct tsmbd_top_value value;
};

struct tally {
	unsigned long long processes;
	unsigned long long phase_ns[TSMBD_PHASES];
	unsigned long long sum_ns;	/* of the phases */
	unsigned long long elapsed_ns;	/* of the processes, by the clock */
	unsigned long long events;
	unsigned long long requests;
	unsigned long long bytes_in;
	unsigned long long bytes_out;
	unsigned long long ctdb_requests;
	unsigned long long syscall_ns;
	struct client *clients;
	int num_clients;
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

/* Replies that a connection has left behind are not sent any more. */
void tally_purge(struct tsmbd *skel, const struct tsmbd_event *gone);

/* The address of the client of a process; "pid:4711" if that is not known. */
void client_name(unsigned int pid, const char *remote,
		 char name[TSMBD_NAME]);

#endif /* TSMBD_TALLY_H */
