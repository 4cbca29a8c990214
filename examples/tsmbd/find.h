/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files that have probes. */
#ifndef TSMBD_FIND_H
#define TSMBD_FIND_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "options.h"
#include "probes.h"
#include "sites.h"

struct probe_file {
	char path[40];			/* where it can be opened from here */
	char name[PATH_MAX];		/* as its process knows it */
	struct stat stat;
	bool overlay;			/* layers of containers, mostly */
	bool has[TSMBD_NUM_PROBES];
	struct sites sites;		/* by number in tsmbd_probes */
};

struct found {
	struct probe_file *files;
	int num_files;
	pid_t *pids;			/* that were looked at */
	int processes;
	int objects;
};

/*
 * Reads the files that the options name, or else the files that the processes
 * have mapped. Exits with a message if there is no such process, if it may not
 * be read, or if there are no probes.
 */
void find_files(const struct options *options, struct found *found);

/*
 * Reads the files that one more process has mapped, and appends those with
 * probes that are not in found yet. Returns how many of its files have probes,
 * or -errno.
 */
int find_process(struct found *found, pid_t pid);

#endif /* TSMBD_FIND_H */
