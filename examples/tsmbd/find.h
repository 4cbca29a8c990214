/* SPDX-License-Identifier: BSD-2-Clause */
/* Which files the probes are in. */
#ifndef TSMBD_FIND_H
#define TSMBD_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "probes.h"

struct probe_file {
	char path[PATH_MAX];		/* where it can be opened from here */
	char name[PATH_MAX];		/* as its process knows it */
	uint64_t device;
	uint64_t inode;
	bool has[TSMBD_NUM_PROBES];
};

struct found {
	struct probe_file *files;
	int num_files;
	int processes;			/* that were looked at */
	int objects;
};

/*
 * Looks through the files named by the options, or else through what the
 * processes have mapped. Exits with a message if that cannot work: no such
 * process, no right to look, no probes.
 */
void find_files(const struct options *options, struct found *found);

#endif /* TSMBD_FIND_H */
