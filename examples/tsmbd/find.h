/* SPDX-License-Identifier: BSD-2-Clause */
/* Which files the probes are in. */
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
 * Looks through the files named by the options, or else through what the
 * processes have mapped. Exits with a message if that cannot work: no such
 * process, no right to look, no probes.
 */
void find_files(const struct options *options, struct found *found);

/*
 * Looks through what one more process has mapped. Files with probes that are
 * not in found yet are added behind the others. Returns how many of its files
 * have probes, or -errno.
 */
int find_process(struct found *found, pid_t pid);

#endif /* TSMBD_FIND_H */
