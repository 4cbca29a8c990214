/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of probes, each with its program in tsmbd.bpf.c. */
#ifndef TSMBD_PROBES_H
#define TSMBD_PROBES_H

#include "cookie.h"

struct probe {
	const char *provider;
	const char *name;
	const char *program;
	unsigned int modes;		/* attached in any of these */
	unsigned int flags;
	enum tsmbd_hit hit;		/* if other probes have the program, too */
};

enum {
	PROBE_REQUIRED = 1,		/* no report without it */
	PROBE_SLEEPS = 2,		/* it calls touch() in state.bpf.h */
	PROBE_NOTES = 4,		/* only if notes are read: notes.bpf.h */
	PROBE_HITS = 8,			/* not for a file that makes notes */
};

enum { TSMBD_NUM_PROBES = 37 };

extern const struct probe tsmbd_probes[TSMBD_NUM_PROBES];

/* The number of a probe in the table, or -1. */
int probe_find(const char *provider, const char *name);

#endif /* TSMBD_PROBES_H */
