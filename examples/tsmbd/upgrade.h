/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of an smbd that is upgraded, or installed, while tsmbd runs. */
#ifndef TSMBD_UPGRADE_H
#define TSMBD_UPGRADE_H

#include "find.h"
#include "options.h"

struct tsmbd;	/* the skeleton */

/* Which processes there are; those in found have been looked at once. */
void upgrade_begin(const struct options *options, const struct found *found);

/*
 * Looks for processes that were not there before, if it is time to, attaches
 * to files of theirs that were not known, and tells the kernel of those that
 * began before that. The first time, that is all that are traced.
 */
void upgrade_look(const struct options *options, struct tsmbd *skel,
		  struct found *found, unsigned long long now);

#endif /* TSMBD_UPGRADE_H */
