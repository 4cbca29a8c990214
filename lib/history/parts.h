/* SPDX-License-Identifier: BSD-2-Clause */
/* What encode.c and decode.c agree about: the parts of records. */
#ifndef TSMBD_PARTS_H
#define TSMBD_PARTS_H

#include "tsmbd/report.h"

/* These are in files: do not change them, only add. */
enum history_part {
	PART_TIME = 1,
	PART_PROCESSES = 2,
	PART_OPERATIONS = 3,
	PART_ERRORS = 4,
	PART_DISK = 5,
	PART_SIZES = 6,
	PART_CALLS = 7,
	PART_LOST = 8,
	PART_NAMES = 9,
	PART_WAITS = 10,
	PART_REQUEST = 11,
	PART_NODE = 12,
};

/* The numbers of PART_PROCESSES: these, and then the phases. */
#define PROCESSES_NUMBERS(t) {						\
	&(t)->processes, &(t)->elapsed_ns, &(t)->events,		\
	&(t)->ctdb_requests, &(t)->syscall_ns, &(t)->connected,		\
	&(t)->sessions, &(t)->opens, &(t)->under_way, &(t)->notifies,	\
}

/* Those of a command in PART_OPERATIONS. */
#define OPERATION_NUMBERS(op, x) {					\
	&(op)->count, &(op)->total_ns, &(op)->run_ns, &(op)->ctdb_ns,	\
	&(op)->oplock_ns, &(op)->waited_ns, &(op)->bytes_in,		\
	&(op)->bytes_out, &(op)->errors, &(x)->min, &(x)->max,		\
	&(op)->limited, &(op)->limit_ns, &(op)->kept, &(op)->refused,	\
}

/* Those of a row of PART_NAMES, and of one of PART_WAITS. */
#define NAME_NUMBERS(v) {						\
	&(v)->requests, &(v)->errors, &(v)->bytes, &(v)->ns, &(v)->max,	\
	&(v)->limited, &(v)->limit_ns, &(v)->kept, &(v)->refused,	\
}
#define WAIT_NUMBERS(w) {						\
	&(w)->inode, &(w)->count, &(w)->ns, &(w)->max,			\
	&(w)->holder_vnn,						\
}

/* Those of a request. */
#define REQUEST_NUMBERS(r, d) {						\
	&(r)->run_ns, &(r)->ctdb_ns, &(r)->oplock_ns, &(r)->vfs_ns,	\
	&(r)->lock_ns, &(r)->send_ns, &(r)->mid, &(r)->session,		\
	&(d)->offset, &(d)->length, &(r)->limit_ns,			\
}

enum {
	NUM_PROCESSES = 10,
	NUM_OPERATION = 15,
	NUM_NAME = 9,
	NUM_WAIT = 5,
	NUM_REQUEST = 11,
	MAX_NUMBERS = 16,
};

#endif /* TSMBD_PARTS_H */
