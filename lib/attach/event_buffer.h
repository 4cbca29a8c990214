/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ring buffer of a tap.  Signal handlers write events into it, in any
 * number of threads and processes. One reader takes them: the thread that has
 * the library's lock.
 *
 * Slots are numbered without end; slot n is at index n modulo the capacity.
 *
 *	tail ............ head		those that are in use
 *	T  .  T  .  .  w		T taken, w still being written
 *
 * Invariants:
 * 1. a writer takes slot n by one atomic exchange of the slot's claim, which
 *    has the number and the process. Any writer, or the reader, that finds the
 *    slot claimed moves head over it, so a writer that is killed before it has
 *    moved head stops nobody;
 * 2. the reader looks into slot n only when the slot's ready is n + 1. It
 *    passes over a slot that is still being written, and gives up one whose
 *    writer has ended. It moves tail over slots whose events were taken.
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
	/* Invariant 2. In a pool: 1 while the slot is in use. */
	atomic_ulong ready;
	/* The number + 1 of its event, and the process that writes it, or 0. */
	_Atomic uint64_t claim;
	bool taken;
	struct sdtkit_tap_event event;
	char text[SDTKIT_TAP_TEXT_CAPACITY];
	/* Rarely used: a page that nobody has written to takes no memory. */
	struct sdtkit_tap_value members[SDTKIT_TAP_MEMBERS_MAX];
	char bytes[SDTKIT_TAP_RECORD_CAPACITY];
};

/* A buffer has memory of its own, which processes may share. */
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
