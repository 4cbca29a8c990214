/* SPDX-License-Identifier: BSD-2-Clause */
/* Through the maps of requests and sessions while the kernel changes them. */
#ifndef TSMBD_WALK_H
#define TSMBD_WALK_H

#include <stddef.h>

#include "tsmbd.h"

/*
 * Calls back for each entry of a hash map of the kernel with such keys, once.
 * What comes and goes meanwhile may be missing. Entries may be deleted.
 */
void walk(int fd, size_t value_size, void *context,
	  void (*each)(void *context, const struct tsmbd_request_key *key,
		       const void *value));

#endif /* TSMBD_WALK_H */
