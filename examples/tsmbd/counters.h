/* SPDX-License-Identifier: BSD-2-Clause */
/* What all processes have counted together, in the kernel. */
#ifndef TSMBD_COUNTERS_H
#define TSMBD_COUNTERS_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

struct error_count {
	unsigned int opcode;
	unsigned int status;
	unsigned long long count;
};

struct counters {
	struct tsmbd_op ops[TSMBD_OPS];
	struct tsmbd_extreme extremes[TSMBD_OPS];
	struct tsmbd_call calls[TSMBD_SYSCALLS];
	struct tsmbd_io disk[2];
	struct tsmbd_size sizes[2];	/* READ, WRITE */
	struct error_count errors[TSMBD_MAX_ERRORS];
	int num_errors;
	unsigned int bank;		/* where the rest of it is */
	unsigned long long lost[TSMBD_LOST_KINDS];
};

/*
 * What was counted since the last call. Rows of commands, errors, sizes, and
 * what else the kernel keeps in the same bank, which is not written to until
 * the next call, are of the same requests.
 */
void counters_take(struct tsmbd *skel, struct counters *counters);

/* How long the requests of each command took, since the start. */
void counters_read_slots(struct tsmbd *skel,
			 unsigned long long slots[TSMBD_OPS][TSMBD_FINE]);

#endif /* TSMBD_COUNTERS_H */
