/* SPDX-License-Identifier: BSD-2-Clause */
/* Detaches from files that were removed and that no process has any more. */
#ifndef TSMBD_UNUSED_H
#define TSMBD_UNUSED_H

#include "find.h"
#include "options.h"

/*
 * If it is time, looks whether there is such a file, and removes at most one of
 * them from found.
 */
void unused_look(const struct options *options, struct found *found,
		 unsigned long long now);

#endif /* TSMBD_UNUSED_H */
