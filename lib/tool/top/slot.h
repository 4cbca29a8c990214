/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slot.h - the slot of a span under way, by its key.
 *
 * Spans of the same key have different slots: a request and its parts often
 * have the same, and functions of a thread differ in their depth only.
 */
#ifndef SDTKIT_TOOL_TOP_SLOT_H
#define SDTKIT_TOOL_TOP_SLOT_H

#include "top/hit.h"

static inline __attribute__((always_inline)) unsigned int
top_slot_index(const struct top_key *key, unsigned int num_keys)
{
	unsigned long long hash = (key->process ^ key->key[0]) *
		0x9e3779b97f4a7c15;

	if (num_keys > 1)
		hash = (hash ^ key->key[1]) * 0xff51afd7ed558ccd;
	if (num_keys > 2)
		hash = (hash ^ key->key[2]) * 0xc4ceb9fe1a85ec53;
	/* the depth has ten bits; two are shared by spans from the eighth on */
	hash = hash >> (64 - TOP_SLOT_BITS) ^ key->span << 10 ^
	       key->span >> 3 << 8 ^ key->depth;
	return (unsigned int)hash & (TOP_SLOTS - 1);
}

#endif /* SDTKIT_TOOL_TOP_SLOT_H */
