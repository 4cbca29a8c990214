/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files that have probes. */
#ifndef TSMBD_PROBE_FILE_H
#define TSMBD_PROBE_FILE_H

#include <stdbool.h>

#include "find.h"
#include "options.h"
#include "probes.h"
#include "sites.h"

/* What tsmbd wants to know of a file. */
struct probe_file {
	bool has[TSMBD_NUM_PROBES];
	struct sites sites;		/* by number in tsmbd_probes */
};

const struct probe_file *probes_of(const struct found *found, int file);

/*
 * Reads the files that the options name, or else the files that the processes
 * have mapped. Exits with a message if there is no such process, if it may not
 * be read, or if there are no probes.
 */
void find_files(const struct options *options, struct found *found);

#endif /* TSMBD_PROBE_FILE_H */
