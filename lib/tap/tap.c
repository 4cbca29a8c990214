/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of sdtkit/tap.h with which a test opens and reads a tap;
 * ../attach attaches it, and closes it.
 *
 *	hooks at places --trap or jump--> ring --> next, expect
 */
#include "lock.h"
#include "pattern.h"
#include "raw.h"
#include "state.h"

int sdtkit_tap_open_with(const char *pattern,
			 const struct sdtkit_tap_options *options,
			 struct sdtkit_tap **tap)
{
	return sdtkit_tap_open_raw(pattern, options, NULL, tap);
}

int sdtkit_tap_open(const char *pattern, struct sdtkit_tap **tap)
{
	return sdtkit_tap_open_with(pattern, NULL, tap);
}

uint64_t sdtkit_tap_count(struct sdtkit_tap *tap, const char *pattern)
{
	uint64_t count = 0;
	size_t i;

	sdtkit_tap_lock();
	for (i = 0; i < tap->entry_count; i++) {
		const struct sdtkit_tap_probe_entry *entry = tap->entries[i];

		if (sdtkit_pattern_matches(pattern, entry->shown.provider,
					   entry->shown.probe))
			count += atomic_load(entry->hits);
	}
	sdtkit_tap_unlock();
	return count;
}

uint64_t sdtkit_tap_lost(const struct sdtkit_tap *tap)
{
	return atomic_load(&tap->buffer->lost);
}

int sdtkit_tap_next(struct sdtkit_tap *tap,
		    const struct sdtkit_tap_event **event)
{
	struct sdtkit_tap_slot *slot;
	unsigned long number;

	if (tap->options.callback != NULL)
		return 0;
	sdtkit_tap_lock();
	/* The reader is done with what it was given last. */
	sdtkit_tap_buffer_free(tap->buffer);
	number = atomic_load(&tap->buffer->tail);
	slot = sdtkit_tap_buffer_next(tap->buffer, &number);
	if (slot != NULL) {
		slot->taken = true;
		*event = &slot->event;
	}
	sdtkit_tap_unlock();
	return slot != NULL;
}

void sdtkit_tap_clear(struct sdtkit_tap *tap)
{
	struct sdtkit_tap_slot *slot;
	unsigned long number;
	size_t i;

	sdtkit_tap_lock();
	number = atomic_load(&tap->buffer->tail);
	while (tap->options.callback == NULL &&
	       (slot = sdtkit_tap_buffer_next(tap->buffer, &number)) != NULL)
		slot->taken = true;
	sdtkit_tap_buffer_free(tap->buffer);
	for (i = 0; i < tap->entry_count; i++)
		atomic_store(tap->entries[i]->hits, 0);
	atomic_store(&tap->buffer->lost, 0);
	sdtkit_tap_unlock();
}
