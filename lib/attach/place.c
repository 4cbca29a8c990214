/* SPDX-License-Identifier: BSD-2-Clause */
/* See place.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "epoch.h"
#include "error.h"
#include "place.h"

/* Sorted by address. */
struct table {
	size_t count;
	struct sdtkit_tap_place *places[];
};

static _Atomic(struct table *) table;

_Static_assert(offsetof(struct sdtkit_tap_place, way) <= 64,
	       "what a hit reads is not in one cache line");

/* Returns the index of an address in the table, or where it would be. */
static size_t search(const struct table *t, uintptr_t address)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->places[middle]->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct sdtkit_tap_place *sdtkit_tap_place_find(uintptr_t address)
{
	const struct table *t = atomic_load(&table);
	size_t at;

	if (t == NULL)
		return NULL;
	at = search(t, address);
	if (at == t->count || t->places[at]->address != address)
		return NULL;
	return t->places[at];
}

static bool is_close(const struct sdtkit_tap_place *other, uintptr_t address,
		     size_t size)
{
	uintptr_t distance = other->address > address ?
			     other->address - address :
			     address - other->address;

	return other->target != 0 && distance > 0 && distance < size;
}

/* Stubs with addresses of their own are as far apart as their places. */
bool sdtkit_tap_place_is_crowded(const struct sdtkit_tap_place *place,
				 size_t size)
{
	const struct table *t = atomic_load(&table);
	size_t at = search(t, place->address), i;

	for (i = at > size ? at - size : 0; i < t->count && i <= at + size; i++) {
		if (is_close(t->places[i], place->address, size))
			return true;
	}
	return false;
}

static int compare_addresses(const void *first, const void *second)
{
	const uintptr_t *a = first, *b = second;

	return (*a > *b) - (*a < *b);
}

static int compare_places(const void *first, const void *second)
{
	struct sdtkit_tap_place *const *a = first, *const *b = second;

	return compare_addresses(&(*a)->address, &(*b)->address);
}

/* Adds to a new table, whose first `old` places are those of the old one. */
static int fill(struct table *new, size_t old, const uintptr_t *addresses,
		size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct sdtkit_tap_place *place;

		if ((i > 0 && addresses[i] == addresses[i - 1]) ||
		    sdtkit_tap_place_find(addresses[i]) != NULL)
			continue;
		place = aligned_alloc(_Alignof(struct sdtkit_tap_place),
				      sizeof(*place));
		if (place == NULL)
			goto fail;
		memset(place, 0, sizeof(*place));
		place->address = addresses[i];
		new->places[new->count++] = place;
	}
	return 0;
fail:
	while (new->count > old)
		free(new->places[--new->count]);
	return sdtkit_tap_no_memory();
}

int sdtkit_tap_places_add(uintptr_t *addresses, size_t count)
{
	struct table *old = atomic_load(&table), *new;
	size_t before = old != NULL ? old->count : 0;
	int ret;

	if (count == 0)
		return 0;
	qsort(addresses, count, sizeof(addresses[0]), compare_addresses);
	new = malloc(sizeof(*new) + (before + count) * sizeof(new->places[0]));
	if (new == NULL)
		return sdtkit_tap_no_memory();
	new->count = before;
	if (before > 0)
		memcpy(new->places, old->places,
		       before * sizeof(old->places[0]));
	ret = fill(new, before, addresses, count);
	if (ret < 0 || new->count == before) {
		free(new);
		return ret;
	}
	qsort(new->places, new->count, sizeof(new->places[0]), compare_places);
	atomic_store(&table, new);
	sdtkit_tap_readers_wait();
	free(old);
	return 0;
}
