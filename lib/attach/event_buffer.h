/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ring buffer of a tap.  Signal handlers write events into it, in any
 * number of threads and processes; one reader takes them, who has the library's
 * lock.
 *
 * Slots are numbered without end; slot n is at index n modulo the capacity.
 *
 *	tail ............ head		those that are in use
 *	T  .  T  .  .  w		T taken, w still being written
 *
 * Invariants:
 * 1. a writer takes slot n by one exchange of its claim, which says at the same
 *    time that it is taken, for which number, and by which process; whoever
 *    sees that moves head, so that a writer may be killed at any instruction;
 * 2. a reader looks into a slot only when its ready is its number + 1, passes
 *    over one that is still written, as it would have come a moment later,
 *    gives up one whose process is gone, and moves tail over slots that it has
 *    taken.
 */
#ifndef SDTKIT_TAP_EVENT_BUFFER_PRIV_H
#define SDTKIT_TAP_EVENT_BUFFER_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sdtkit/tap.h"

enum {
	/* For the strings of one event. */
	SDTKIT_TAP_TEXT_CAPACITY = 2048,
	/* For the bytes of its records: one of the largest. */
	SDTKIT_TAP_RECORD_CAPACITY = 4096,
};

struct sdtkit_tap_slot {
	/* In a pool: 1 while it is in use. */
	atomic_ulong ready;
	/* The number of the event that it is free for or taken for, + 1, and who. */
	_Atomic uint64_t claim;
	bool taken;
	struct sdtkit_tap_event event;
	char text[SDTKIT_TAP_TEXT_CAPACITY];
	/* Mostly not in use: what is not touched takes no memory. */
	struct sdtkit_tap_value members[SDTKIT_TAP_MEMBERS_MAX];
	char bytes[SDTKIT_TAP_RECORD_CAPACITY];
};

/* It has memory of its own, which processes may share. */
struct sdtkit_tap_buffer {
	atomic_ulong head;
	atomic_ulong tail;
	atomic_ulong lost;
	unsigned long capacity;
	size_t size;
	struct sdtkit_tap_slot slots[];
};

/* Errors: -ENOMEM. */
int sdtkit_tap_buffer_open(size_t capacity, bool shared,
			   struct sdtkit_tap_buffer **buffer);
void sdtkit_tap_buffer_close(struct sdtkit_tap_buffer *buffer);

/* For the handler: returns a slot to write, or NULL if all are in use. */
struct sdtkit_tap_slot *
sdtkit_tap_buffer_claim(struct sdtkit_tap_buffer *buffer, pid_t writer,
			unsigned long *number);
void sdtkit_tap_buffer_commit(struct sdtkit_tap_slot *slot,
			      unsigned long number);

/* With a callback, slots are used in any order, one for each call. */
struct sdtkit_tap_slot *sdtkit_tap_pool_claim(struct sdtkit_tap_buffer *buffer);
void sdtkit_tap_pool_release(struct sdtkit_tap_slot *slot);

/*
 * In a child of fork(), of a ring that is the child's own: what threads of the
 * parent were writing will never be complete.  is_pool tells what it is used
 * as.
 */
void sdtkit_tap_buffer_forked(struct sdtkit_tap_buffer *buffer, bool is_pool);

/*
 * For the reader: the first event from *number on that was not taken, and its
 * number; NULL at the end.
 */
struct sdtkit_tap_slot *sdtkit_tap_buffer_next(struct sdtkit_tap_buffer *buffer,
					       unsigned long *number);

/* Gives the slots of taken events back to writers. */
void sdtkit_tap_buffer_free(struct sdtkit_tap_buffer *buffer);

#endif /* SDTKIT_TAP_EVENT_BUFFER_PRIV_H */
