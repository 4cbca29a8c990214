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

struct sdtkit_tap_slot *
sdtkit_tap_buffer_claim(struct sdtkit_tap_buffer *buffer, pid_t writer,
			unsigned long *number)
{
	unsigned long head = atomic_load(&buffer->head), tail;
	struct sdtkit_tap_slot *slot;

	do {
		tail = atomic_load(&buffer->tail);
		/* An old head may be behind the tail by now. */
		if ((long)(head - tail) >= (long)buffer->capacity)
			return NULL;
	} while (!atomic_compare_exchange_weak(&buffer->head, &head, head + 1));
	slot = &buffer->slots[head % buffer->capacity];
	slot->writer = writer;
	slot->taken = false;
	*number = head;
	return slot;
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

/* A child that was killed while it wrote will never be ready. */
static bool is_abandoned(const struct sdtkit_tap_slot *slot)
{
	return slot->writer != 0 && kill(slot->writer, 0) < 0 &&
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

void sdtkit_tap_buffer_forked(struct sdtkit_tap_buffer *buffer, bool is_pool)
{
	unsigned long head = atomic_load(&buffer->head);
	unsigned long n = is_pool ? 0 : atomic_load(&buffer->tail);

	if (is_pool)
		head = buffer->capacity;
	for (; n != head; n++) {
		struct sdtkit_tap_slot *slot =
			&buffer->slots[n % buffer->capacity];

		if (is_pool)
			sdtkit_tap_pool_release(slot);
		else if (atomic_load(&slot->ready) != n + 1)
			give_up(buffer, slot, n);
	}
}

struct sdtkit_tap_slot *sdtkit_tap_buffer_next(struct sdtkit_tap_buffer *buffer,
					       unsigned long *number)
{
	unsigned long head = atomic_load(&buffer->head);
	unsigned long tail = atomic_load(&buffer->tail);
	unsigned long n = *number - tail > head - tail ? tail : *number;

	for (; n != head; n++) {
		struct sdtkit_tap_slot *slot =
			&buffer->slots[n % buffer->capacity];

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
		struct sdtkit_tap_slot *slot =
			&buffer->slots[tail % buffer->capacity];

		if (atomic_load_explicit(&slot->ready, memory_order_acquire) !=
		    tail + 1 || !slot->taken)
			break;
		slot->writer = 0;
	}
	atomic_store(&buffer->tail, tail);
}
