/* SPDX-License-Identifier: BSD-2-Clause */
/* An open tap, and what it knows of the objects that it is attached to. */
#ifndef SDTKIT_TAP_STATE_PRIV_H
#define SDTKIT_TAP_STATE_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "decode.h"
#include "hint.h"
#include "place.h"
#include "event_buffer.h"
#include "raw.h"
#include "sdtkit/tap.h"

/* A probe in an object: what a tap knows of it, however many sites it has. */
struct sdtkit_tap_probe_entry {
	/* The public part; its strings are in the memory of strings. */
	struct sdtkit_tap_probe shown;
	struct sdtkit_tap_field fields[SDTKIT_TAP_ARGUMENTS_MAX];
	struct sdtkit_tap_form forms[SDTKIT_TAP_ARGUMENTS_MAX];
	const struct sdtkit_tap_loaded *loaded;
	/* How often it was hit; in memory that processes may share. */
	atomic_ulong *hits;
	char *strings;
	/* The names of values of all fields and members, one behind another. */
	struct sdtkit_tap_enumerator *enumerators;
	/* NULL for arguments that are not addresses of records. */
	struct sdtkit_tap_record *records[SDTKIT_TAP_ARGUMENTS_MAX];
	struct sdtkit_tap_field *members[SDTKIT_TAP_ARGUMENTS_MAX];
};

/* An object that sites of the tap are in. */
struct sdtkit_tap_loaded {
	struct sdtkit_tap_loaded *next;
	/* What tells it from others: see sdtkit_tap_image_mark(). */
	uintptr_t bias;
	uint64_t mark;
	/* Seen by the scan that goes on. */
	bool here;
	struct sdtkit_tap_hook *hooks;
	char path[];
};

/* Counters, a page of them. */
struct sdtkit_tap_counters {
	struct sdtkit_tap_counters *next;
	size_t used;
	atomic_ulong hits[(4096 - 2 * sizeof(void *)) / sizeof(atomic_ulong)];
};

struct sdtkit_tap {
	/* All that are open. */
	struct sdtkit_tap *next;
	struct sdtkit_tap_options options;
	/* All NULL, unless it was opened as a raw one. */
	struct sdtkit_tap_raw raw;
	char *pattern;
	/* The process that opened it. */
	pid_t owner;
	struct sdtkit_tap_buffer *buffer;
	struct sdtkit_tap_loaded *loaded;
	struct sdtkit_tap_probe_entry **entries;
	size_t entry_count;
	struct sdtkit_tap_counters *counters;
	size_t left_out;
	/* What the open has seen, if the pattern selected nothing of it. */
	struct sdtkit_tap_hint hint;
	/* No hit is wanted any more: see withdraw.h. */
	atomic_bool is_over;
};

/* Delivers a hit to a raw tap.  Returns whether the tap is over. */
static inline bool sdtkit_tap_call(const struct sdtkit_tap_call *call,
				   const uint64_t *registers)
{
	if (!call->hit(call->site, registers, call->context))
		return false;
	atomic_store(&call->hook->tap->is_over, true);
	return true;
}

#endif /* SDTKIT_TAP_STATE_PRIV_H */
