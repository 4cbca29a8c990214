/* SPDX-License-Identifier: BSD-2-Clause */
/* See raw_hits.h. */
#include "raw_hits.h"

atomic_ulong raw_hits, raw_attached, raw_detached;
_Thread_local uint64_t raw_seen[16];
void (*volatile raw_extra)(void);
atomic_bool raw_is_over;

static void *attach(const struct sdtkit_tap_hook *hook, void *context)
{
	atomic_fetch_add(&raw_attached, 1);
	return (void *)(uintptr_t)hook;
}

static void detach(void *site, void *context)
{
	atomic_fetch_add(&raw_detached, 1);
}

static bool hit(void *site, const uint64_t *registers, void *context)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		raw_seen[i] = registers[i];
	atomic_fetch_add(&raw_hits, 1);
	if (raw_extra != NULL)
		raw_extra();
	return atomic_load(&raw_is_over);
}

const struct sdtkit_tap_raw raw_counting = {
	.attach = attach,
	.detach = detach,
	.hit = hit,
};
