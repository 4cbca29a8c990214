/* SPDX-License-Identifier: BSD-2-Clause */
/* See event_buffer.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "error.h"
#include "event_buffer.h"

int sdtkit_tap_buffer_open(size_t capacity, bool shared,
			   struct sdtkit_tap_buffer **buffer)
{
	struct sdtkit_tap_buffer *r;
	size_t size;

	if (__builtin_mul_overflow(capacity, sizeof(r->slots[0]), &size) ||
	    __builtin_add_overflow(size, sizeof(*r), &size))
		return sdtkit_tap_fail(ENOMEM, "a capacity of %zu events is "
				       "too large",
				       capacity);
	r = mmap(NULL, size, PROT_READ | PROT_WRITE,
		 (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS |
		 MAP_NORESERVE, -1, 0);
	if (r == MAP_FAILED)
		return sdtkit_tap_fail(ENOMEM, "cannot allocate %zu bytes for "
				       "events: %s", size, strerror(errno));
	r->capacity = capacity;
	r->size = size;
	*buffer = r;
	return 0;
}

void sdtkit_tap_buffer_close(struct sdtkit_tap_buffer *buffer)
{
	if (buffer != NULL)
		munmap(buffer, buffer->size);
}

/*
 * A claim: the number + 1 of the event, and the process that has taken the slot
 * for it, 0 while it is free. New memory is zeros, free for the first lap.
 */
enum {
	/* A process number has at most 22 bits (PID_MAX_LIMIT of Linux). */
	PID_BITS = 22,
};

static uint64_t claim_of(unsigned long number, pid_t writer)
{
	return ((uint64_t)number + 1) << PID_BITS | (uint64_t)writer;
}

static uint64_t free_claim(const struct sdtkit_tap_buffer *buffer,
			   unsigned long number)
{
	return number < buffer->capacity ? 0 : claim_of(number, 0);
}

static pid_t writer_of(uint64_t claim)
{
	return (pid_t)(claim & ((1 << PID_BITS) - 1));
}

static struct sdtkit_tap_slot *slot_at(struct sdtkit_tap_buffer *buffer,
				       unsigned long number)
{
	return &buffer->slots[number % buffer->capacity];
}

/* Moves the head over a slot that was taken. Returns whether it was. */
static bool move_head(struct sdtkit_tap_buffer *buffer, unsigned long head)
{
	uint64_t claim = atomic_load(&slot_at(buffer, head)->claim);

	if (writer_of(claim) == 0 ||
	    claim != claim_of(head, writer_of(claim)))
		return false;
	atomic_compare_exchange_strong(&buffer->head, &head, head + 1);
	return true;
}

struct sdtkit_tap_slot *
sdtkit_tap_buffer_claim(struct sdtkit_tap_buffer *buffer, pid_t writer,
			unsigned long *number)
{
	for (;;) {
		unsigned long head = atomic_load(&buffer->head);
		struct sdtkit_tap_slot *slot = slot_at(buffer, head);
		uint64_t claim = free_claim(buffer, head);

		if (atomic_compare_exchange_strong(&slot->claim, &claim,
						   claim_of(head, writer))) {
			move_head(buffer, head);
			slot->taken = false;
			*number = head;
			return slot;
		}
		/* The slot has an event of the lap before: all are in use. */
		if (!move_head(buffer, head) &&
		    atomic_load(&buffer->head) == head)
			return NULL;
	}
}

void sdtkit_tap_buffer_commit(struct sdtkit_tap_slot *slot,
			      unsigned long number)
{
	atomic_store_explicit(&slot->ready, number + 1, memory_order_release);
}

struct sdtkit_tap_slot *sdtkit_tap_pool_claim(struct sdtkit_tap_buffer *buffer)
{
	unsigned long i;

	for (i = 0; i < buffer->capacity; i++) {
		struct sdtkit_tap_slot *slot = &buffer->slots[i];

		if (atomic_exchange(&slot->ready, 1) == 0)
			return slot;
	}
	return NULL;
}

void sdtkit_tap_pool_release(struct sdtkit_tap_slot *slot)
{
	atomic_store_explicit(&slot->ready, 0, memory_order_release);
}

/* Whether a slot will never be ready: its writer was killed. */
static bool is_abandoned(const struct sdtkit_tap_slot *slot)
{
	return kill(writer_of(atomic_load(&slot->claim)), 0) < 0 &&
	       errno == ESRCH;
}

static void give_up(struct sdtkit_tap_buffer *buffer,
		    struct sdtkit_tap_slot *slot,
		    unsigned long number)
{
	slot->taken = true;
	atomic_fetch_add(&buffer->lost, 1);
	sdtkit_tap_buffer_commit(slot, number);
}

/* Moves head over slots that writers have claimed, and returns it. */
static unsigned long find_head(struct sdtkit_tap_buffer *buffer)
{
	unsigned long head;

	do
		head = atomic_load(&buffer->head);
	while (move_head(buffer, head));
	return head;
}

void sdtkit_tap_buffer_forked(struct sdtkit_tap_buffer *buffer, bool is_pool)
{
	unsigned long head = is_pool ? buffer->capacity : find_head(buffer);
	unsigned long n = is_pool ? 0 : atomic_load(&buffer->tail);

	for (; n != head; n++) {
		struct sdtkit_tap_slot *slot = slot_at(buffer, n);

		if (is_pool)
			sdtkit_tap_pool_release(slot);
		else if (atomic_load(&slot->ready) != n + 1)
			give_up(buffer, slot, n);
	}
}

struct sdtkit_tap_slot *sdtkit_tap_buffer_next(struct sdtkit_tap_buffer *buffer,
					       unsigned long *number)
{
	unsigned long head = find_head(buffer);
	unsigned long tail = atomic_load(&buffer->tail);
	unsigned long n = *number - tail > head - tail ? tail : *number;

	for (; n != head; n++) {
		struct sdtkit_tap_slot *slot = slot_at(buffer, n);

		if (atomic_load_explicit(&slot->ready, memory_order_acquire) !=
		    n + 1) {
			if (is_abandoned(slot))
				give_up(buffer, slot, n);
			continue;
		}
		if (slot->taken)
			continue;
		*number = n;
		return slot;
	}
	return NULL;
}

void sdtkit_tap_buffer_free(struct sdtkit_tap_buffer *buffer)
{
	unsigned long head = atomic_load(&buffer->head);
	unsigned long tail = atomic_load(&buffer->tail);

	for (; tail != head; tail++) {
		struct sdtkit_tap_slot *slot = slot_at(buffer, tail);

		if (atomic_load_explicit(&slot->ready, memory_order_acquire) !=
		    tail + 1 || !slot->taken)
			break;
		atomic_store(&slot->claim,
			     free_claim(buffer, tail + buffer->capacity));
	}
	atomic_store(&buffer->tail, tail);
}
