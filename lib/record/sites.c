/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See sites.h. A chunk begins at a multiple of its size, so that a site tells
 * where its chunk is; a chunk is freed when all of its sites are.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sites.h"

enum {
	LINE = 64,
	CHUNK = 1 << 14,
};

struct chunk {
	/* Sites that are in use, and bytes that were given out. */
	size_t live;
	size_t used;
};

/* The one that new sites come from, or NULL. */
static struct chunk *present;

static void begin_chunk(void)
{
	struct chunk *chunk = aligned_alloc(CHUNK, CHUNK);

	if (chunk != NULL)
		*chunk = (struct chunk) { .used = LINE };
	present = chunk;
}

void *sdtkit_record_new_site(size_t size)
{
	unsigned char *site;

	size = (size + LINE - 1) / LINE * LINE;
	if (present == NULL || present->used + size > CHUNK)
		begin_chunk();
	if (present == NULL)
		return NULL;
	site = (unsigned char *)present + present->used;
	present->used += size;
	present->live++;
	return memset(site, 0, size);
}

void sdtkit_record_give_site(void *site)
{
	struct chunk *chunk = (void *)((uintptr_t)site &
				       ~(uintptr_t)(CHUNK - 1));

	if (--chunk->live > 0)
		return;
	if (chunk == present)
		present = NULL;
	free(chunk);
}
