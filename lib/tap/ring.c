/* SPDX-License-Identifier: BSD-2-Clause */
/* See ring.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "error.h"
#include "ring.h"

int sdtkit_tap_ring_open(size_t capacity, bool shared,
			 struct sdtkit_tap_ring **ring)
{
	struct sdtkit_tap_ring *r;
	size_t size;

	if (__builtin_mul_overflow(capacity, sizeof(r->slots[0]), &size) ||
	    __builtin_add_overflow(size, sizeof(*r), &size))
		return sdtkit_tap_fail(ENOMEM, "a capacity of %zu events",
				       capacity);
	r = mmap(NULL, size, PROT_READ | PROT_WRITE,
		 (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS |
		 MAP_NORESERVE, -1, 0);
	if (r == MAP_FAILED)
		return sdtkit_tap_fail(ENOMEM, "%zu bytes for events: %s", size,
				       strerror(errno));
	r->capacity = capacity;
	r->size = size;
	*ring = r;
	return 0;
}

void sdtkit_tap_ring_close(struct sdtkit_tap_ring *ring)
{
	if (ring != NULL)
		munmap(ring, ring->size);
}

struct sdtkit_tap_slot *sdtkit_tap_ring_claim(struct sdtkit_tap_ring *ring,
					      pid_t writer,
					      unsigned long *number)
{
	unsigned long head = atomic_load(&ring->head), tail;
	struct sdtkit_tap_slot *slot;

	do {
		tail = atomic_load(&ring->tail);
		/* An old head may be behind the tail by now. */
		if ((long)(head - tail) >= (long)ring->capacity)
			return NULL;
	} while (!atomic_compare_exchange_weak(&ring->head, &head, head + 1));
	slot = &ring->slots[head % ring->capacity];
	slot->writer = writer;
	slot->taken = false;
	*number = head;
	return slot;
}

void sdtkit_tap_ring_commit(struct sdtkit_tap_slot *slot, unsigned long number)
{
	atomic_store_explicit(&slot->ready, number + 1, memory_order_release);
}

struct sdtkit_tap_slot *sdtkit_tap_pool_claim(struct sdtkit_tap_ring *ring)
{
	unsigned long i;

	for (i = 0; i < ring->capacity; i++) {
		struct sdtkit_tap_slot *slot = &ring->slots[i];

		if (atomic_exchange(&slot->ready, 1) == 0)
			return slot;
	}
	return NULL;
}

void sdtkit_tap_pool_release(struct sdtkit_tap_slot *slot)
{
	atomic_store_explicit(&slot->ready, 0, memory_order_release);
}

/* A child that was killed while it wrote will never be ready. */
static bool is_abandoned(const struct sdtkit_tap_slot *slot)
{
	return slot->writer != 0 && kill(slot->writer, 0) < 0 &&
	       errno == ESRCH;
}

static void give_up(struct sdtkit_tap_ring *ring, struct sdtkit_tap_slot *slot,
		    unsigned long number)
{
	slot->taken = true;
	atomic_fetch_add(&ring->lost, 1);
	sdtkit_tap_ring_commit(slot, number);
}

void sdtkit_tap_ring_forked(struct sdtkit_tap_ring *ring, bool is_pool)
{
	unsigned long head = atomic_load(&ring->head);
	unsigned long n = is_pool ? 0 : atomic_load(&ring->tail);

	if (is_pool)
		head = ring->capacity;
	for (; n != head; n++) {
		struct sdtkit_tap_slot *slot = &ring->slots[n % ring->capacity];

		if (is_pool)
			sdtkit_tap_pool_release(slot);
		else if (atomic_load(&slot->ready) != n + 1)
			give_up(ring, slot, n);
	}
}

struct sdtkit_tap_slot *sdtkit_tap_ring_next(struct sdtkit_tap_ring *ring,
					     unsigned long *number)
{
	unsigned long head = atomic_load(&ring->head);
	unsigned long tail = atomic_load(&ring->tail);
	unsigned long n = *number - tail > head - tail ? tail : *number;

	for (; n != head; n++) {
		struct sdtkit_tap_slot *slot = &ring->slots[n % ring->capacity];

		if (atomic_load_explicit(&slot->ready, memory_order_acquire) !=
		    n + 1) {
			if (is_abandoned(slot))
				give_up(ring, slot, n);
			continue;
		}
		if (slot->taken)
			continue;
		*number = n;
		return slot;
	}
	return NULL;
}

void sdtkit_tap_ring_free(struct sdtkit_tap_ring *ring)
{
	unsigned long head = atomic_load(&ring->head);
	unsigned long tail = atomic_load(&ring->tail);

	for (; tail != head; tail++) {
		struct sdtkit_tap_slot *slot =
			&ring->slots[tail % ring->capacity];

		if (atomic_load_explicit(&slot->ready, memory_order_acquire) !=
		    tail + 1 || !slot->taken)
			break;
		slot->writer = 0;
	}
	atomic_store(&ring->tail, tail);
}
