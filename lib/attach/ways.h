/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the sites of a tap have jumps or traps. */
#ifndef SDTKIT_TAP_WAYS_PRIV_H
#define SDTKIT_TAP_WAYS_PRIV_H

#include <stdbool.h>
#include <stddef.h>

struct sdtkit_tap;

/* How the sites that a tap is attached to tell of their hits. */
struct sdtkit_tap_ways {
	size_t jumps;
	size_t traps;
	/* Why the first of the others has a trap; NULL if there is none. */
	const char *why;
	/* The provider of that site, and whether all sites by trap have it. */
	const char *provider;
	bool is_only_provider;
};

void sdtkit_tap_count_ways(const struct sdtkit_tap *tap,
			   struct sdtkit_tap_ways *ways);

#endif /* SDTKIT_TAP_WAYS_PRIV_H */
