/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files of an smbd that is upgraded or installed meanwhile. */
#ifndef TSMBD_UPGRADE_H
#define TSMBD_UPGRADE_H

#include "probe_file.h"
#include "options.h"

struct tsmbd;	/* the skeleton */

/* Notes the processes that exist; those in found have been read already. */
void upgrade_begin(const struct options *options, const struct found *found);

/*
 * If it is time, looks for new processes, attaches to files of theirs that are
 * not traced yet, and adds those that began before that to the map. On the
 * first call these are all processes.
 */
void upgrade_look(const struct options *options, struct tsmbd *skel,
		  struct found *found, unsigned long long now);

#endif /* TSMBD_UPGRADE_H */
