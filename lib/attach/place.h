/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: the addresses of sites, with the hooks of the taps that are attached
 * there.
 *
 *	table --> places, by address --> hooks --> tap, probe, operands
 *
 * Hits read all of this without a lock, in any thread; it is changed under the
 * library's lock.
 *
 * Invariants:
 * 1. a place stays for ever: a thread may have met a trap that is no longer
 *    there when its signal comes, or be behind a jump;
 * 2. a hook that was unlinked, and a table that was replaced, is freed after
 *    sdtkit_tap_readers_wait() only, a hook after sdtkit_tap_inside_wait() as
 *    well.
 */
#ifndef SDTKIT_TAP_PLACE_PRIV_H
#define SDTKIT_TAP_PLACE_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode.h"
#include "machine.h"
#include "sdtkit/notes.h"
#include "sdtkit/tap.h"

struct sdtkit_tap_probe_entry;
struct sdtkit_tap_hook;

/* How a place tells of its hits. */
enum sdtkit_tap_way {
	/* It has not been armed yet. */
	SDTKIT_TAP_NO_WAY,
	SDTKIT_TAP_TRAP,
	SDTKIT_TAP_JUMP,
};

/* What a hit calls for the hook of a raw tap. */
struct sdtkit_tap_call {
	/* At the same place. */
	_Atomic(struct sdtkit_tap_call *) next;
	bool (*hit)(void *site, const uint64_t *registers, void *context);
	void *site;
	void *context;
	/* NULL: not in use. */
	struct sdtkit_tap_hook *hook;
};

/*
 * A hit by a jump, of one raw tap, reads the first 64 bytes only: that is a
 * cache line, and a hook has several, in a page that nothing else needs.
 */
struct sdtkit_tap_place {
	/* The entry of jumps takes it from here: the first member. */
	_Alignas(64) uintptr_t address;
	/* The calls of raw taps, and the hooks of the others (by_vectors). */
	_Atomic(struct sdtkit_tap_call *) calls;
	_Atomic(struct sdtkit_tap_hook *) hooks;
	/* The call of the first raw tap. Those of others are in their hooks. */
	struct sdtkit_tap_call call;

	/* A place that has had a trap never gets a jump: hook.c, arm(). */
	enum sdtkit_tap_way way;
	/* Why it has a trap, or would have; NULL if it has a jump. */
	const char *why_trap;
	/* NULL if it never had a trap. */
	const struct sdtkit_tap_trap *trap;
	/* Where its jump goes, for ever (0: not yet known), and the jump. */
	uintptr_t target;
	uint32_t jump;
	/* Its object has code for all bytes of a site with a jump. */
	bool has_extent;
	/* The nop could not be restored: a hit finds the hooks, or none. */
	bool is_left;
	/* The protection of its page, in the terms of mprotect(2). */
	int protection;
};

/* The interest of a tap in the site of one note. */
struct sdtkit_tap_hook {
	/* At the same place. */
	_Atomic(struct sdtkit_tap_hook *) next;
	/* A raw tap's: what to call, and which of the two calls it is. */
	bool (*hit)(void *site, const uint64_t *registers, void *context);
	void *site;
	void *context;
	struct sdtkit_tap_call *call;
	struct sdtkit_tap_call own_call;
	/*
	 * A raw tap's hook of a site with an operand in a vector register. It
	 * is linked as the hooks of other taps are, since those get vector
	 * registers, too.
	 */
	bool by_vectors;
	/* In the same object, of the same tap. */
	struct sdtkit_tap_hook *sibling;
	/* The address of the site, and the protection of its page. */
	uintptr_t address;
	int protection;
	/* As in struct sdtkit_tap_place. */
	bool has_extent;
	/* NULL while the hook is not attached. */
	struct sdtkit_tap_place *place;
	/* Still linked, but the site and the semaphore are restored. */
	atomic_bool is_withdrawn;
	struct sdtkit_tap *tap;
	struct sdtkit_tap_probe_entry *entry;
	/* NULL: the probe has no semaphore. */
	uint16_t *semaphore;
	size_t operand_count;
	struct sdtkit_operand operands[SDTKIT_TAP_ARGUMENTS_MAX];
	/* The text of the note, into which the operands point. */
	char arguments[];
};

/* Returns the place of an address, or NULL; for the signal handler. */
struct sdtkit_tap_place *sdtkit_tap_place_find(uintptr_t address);

/* Whether the stub of another place is less than size bytes away. */
bool sdtkit_tap_place_is_crowded(const struct sdtkit_tap_place *place,
				 size_t size);

/*
 * Adds a place for each address that has none.  Sorts the array.
 * Errors: -ENOMEM.
 */
int sdtkit_tap_places_add(uintptr_t *addresses, size_t count);

#endif /* SDTKIT_TAP_PLACE_PRIV_H */
