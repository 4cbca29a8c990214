/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files that have probes. */
#ifndef TSMBD_PROBE_FILE_H
#define TSMBD_PROBE_FILE_H

#include <stdbool.h>

#include "find.h"
#include "options.h"
#include "probes.h"
#include "sites.h"

/* The descriptor or the link that keeps a probe attached. */
struct link {
	int fd;				/* by cookies, or -1 */
	struct bpf_link *libbpf;
};

/* What tsmbd wants to know of a file. */
struct probe_file {
	bool has[TSMBD_NUM_PROBES];
	struct sites sites;		/* by number in tsmbd_probes */
	struct link links[TSMBD_NUM_PROBES];	/* likewise */
	int num_links;			/* that there are, from the first on */
	/* see unused.c */
	bool removed;			/* it has no name any more */
	pid_t user;			/* a process that has it, or 0 */
	int unused;			/* looks at which nobody had it */
};

const struct probe_file *probes_of(const struct found *found, int file);

/*
 * Reads the files that the options name, or else the files that the processes
 * have mapped. Exits with a message if there is no such process, if it may not
 * be read, or if there are no probes.
 */
void find_files(const struct options *options, struct found *found);

#endif /* TSMBD_PROBE_FILE_H */
