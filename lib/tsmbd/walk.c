/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.c - iterates over a map from which the kernel deletes meanwhile.
 *
 * bpf_map_get_next_key() begins anew if the last key is gone: entries would be
 * seen twice, and on a busy machine the loop might never end. In batches,
 * the kernel goes from bucket to bucket.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include "base/memory.h"
#include "walk.h"

/* More than a bucket ever has. */
enum { BATCH = 256 };

int walk_keys(int fd, void *keys, size_t size, int max)
{
	char *next = keys;
	void *last = NULL;
	int count;

	for (count = 0; count < max; count++, next += size) {
		if (bpf_map_get_next_key(fd, last, next) != 0)
			break;
		last = next;
	}
	return count;
}

void walk(int fd, size_t value_size, void *context,
	  void (*each)(void *context, const struct tsmbd_request_key *key,
		       const void *value))
{
	struct tsmbd_request_key keys[BATCH];
	char *values = memory_zeros(BATCH, value_size);
	unsigned int cursor, count, i;
	bool first = true;
	int ret;

	do {
		count = BATCH;
		ret = bpf_map_lookup_batch(fd, first ? NULL : &cursor, &cursor,
					   keys, values, &count, NULL);
		if (ret != 0 && ret != -ENOENT)
			break;
		for (i = 0; i < count; i++)
			each(context, &keys[i], values + i * value_size);
		first = false;
	} while (ret == 0);
	free(values);
}
