/* SPDX-License-Identifier: BSD-2-Clause */
/* What all processes have counted together, in the kernel. */
#ifndef TSMBD_COUNTERS_H
#define TSMBD_COUNTERS_H

#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

struct error_count {
	struct tsmbd_error_key key;
	unsigned long long count;
};

struct counters {
	struct tsmbd_op ops[TSMBD_OPS];
	struct tsmbd_extreme extremes[TSMBD_OPS];
	struct tsmbd_call calls[TSMBD_SYSCALLS];
	struct tsmbd_io disk[2];
	struct error_count errors[TSMBD_MAX_ERRORS];
	int num_errors;
	unsigned long long lost[TSMBD_LOST_KINDS];
};

/* Since the start; extremes are those since the last call. */
void counters_read(struct tsmbd *skel, struct counters *counters);

/* Of these, the requests by command only. */
void counters_read_ops(struct tsmbd *skel, struct tsmbd_op ops[TSMBD_OPS]);

/* Takes off what was before, except for the extremes. */
void counters_subtract(struct counters *counters,
		       const struct counters *before);

/* Of the errors by command, takes off those that are no failure. */
void counters_pardon(struct counters *counters);

#endif /* TSMBD_COUNTERS_H */
