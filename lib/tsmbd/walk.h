/* SPDX-License-Identifier: BSD-2-Clause */
/* Iterates over maps that the kernel changes meanwhile. */
#ifndef TSMBD_WALK_H
#define TSMBD_WALK_H

#include <stddef.h>

#include "tsmbd.h"

/*
 * Calls each() once for each entry of a hash map. Entries that are added or
 * deleted meanwhile may be missing. each() may delete entries.
 */
void walk(int fd, size_t value_size, void *context,
	  void (*each)(void *context, const struct tsmbd_request_key *key,
		       const void *value));

/* Lists up to max keys of that size; returns how many. */
int walk_keys(int fd, void *keys, size_t size, int max);

/* Compares structs that begin with the number of a process. */
static inline int by_pid(const void *a, const void *b)
{
	const unsigned int *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

#endif /* TSMBD_WALK_H */
