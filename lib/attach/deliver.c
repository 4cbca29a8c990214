/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See deliver.h.
 *
 * Invariant: nothing here allocates or waits, and locks are only tried
 * (withdraw.h).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "deliver.h"
#include "state.h"
#include "withdraw.h"

/*
 * The thread that is in a callback, or 0: by its id as well, see epoch.c.
 * Where it lies is known when the thread starts: to reach it calls nothing.
 */
static _Thread_local __attribute__((tls_model("initial-exec"))) pid_t in_hit;

static void fill(struct sdtkit_tap_slot *slot,
		 const struct sdtkit_tap_hook *hook,
		 const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_space space = {
		.at = slot->text,
		.left = sizeof(slot->text),
		.limit = hook->tap->options.string_limit,
		.bytes = slot->bytes,
		.bytes_left = sizeof(slot->bytes),
		.members = slot->members,
		.members_left = SDTKIT_TAP_MEMBERS_MAX,
	};
	struct sdtkit_tap_event *event = &slot->event;
	size_t i;

	event->probe = &hook->entry->shown;
	event->site = hook->place->address;
	event->time = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	event->pid = thread->pid;
	event->tid = thread->tid;
	event->value_count = hook->operand_count;
	for (i = 0; i < hook->operand_count; i++)
		sdtkit_tap_decode(&hook->operands[i], hook->entry->forms[i],
				  thread, &event->values[i], &space);
}

static void lose(const struct sdtkit_tap *tap)
{
	atomic_fetch_add(&tap->buffer->lost, 1);
	if (tap->options.lost != NULL)
		tap->options.lost(tap->options.context);
}

static void call(const struct sdtkit_tap *tap,
		 const struct sdtkit_tap_hook *hook,
		 const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_slot *slot = sdtkit_tap_pool_claim(tap->buffer);

	if (slot == NULL) {
		lose(tap);
		return;
	}
	fill(slot, hook, thread);
	tap->options.callback(&slot->event, tap->options.context);
	sdtkit_tap_pool_release(slot);
}

static void keep(const struct sdtkit_tap *tap,
		 const struct sdtkit_tap_hook *hook,
		 const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_slot *slot;
	unsigned long number;

	slot = sdtkit_tap_buffer_claim(tap->buffer, thread->pid, &number);
	if (slot == NULL) {
		lose(tap);
		return;
	}
	fill(slot, hook, thread);
	sdtkit_tap_buffer_commit(slot, number);
}

/* A site that the callback hits would call the callback again, for ever. */
static void deliver_event(const struct sdtkit_tap_hook *hook,
		    const struct sdtkit_tap_thread *thread)
{
	const struct sdtkit_tap *tap = hook->tap;

	atomic_fetch_add(hook->entry->hits, 1);
	if (in_hit == thread->tid) {
		lose(tap);
		return;
	}
	in_hit = thread->tid;
	if (tap->options.callback != NULL)
		call(tap, hook, thread);
	else
		keep(tap, hook, thread);
	in_hit = 0;
}

/*
 * A raw tap's hook of a site with an operand in a vector register: its
 * registers have the low 64 bits of these, too, by their numbers.
 */
static void deliver_with_vectors(const struct sdtkit_tap_hook *hook,
				 const struct sdtkit_tap_thread *thread)
{
	const struct sdtkit_tap_machine *machine = &sdtkit_tap_machine;
	uint64_t registers[SDTKIT_TAP_REGISTERS] = { 0 };
	const char *vectors = thread->vectors;
	unsigned int i;

	memcpy(registers, thread->registers,
	       machine->register_count * sizeof(registers[0]));
	for (i = 0; vectors != NULL && i < machine->vector_count; i++)
		memcpy(&registers[machine->first_vector + i],
		       vectors + i * SDTKIT_TAP_VECTOR_SIZE,
		       sizeof(registers[0]));
	if (hook->hit(hook->site, registers, hook->context))
		atomic_store(&hook->tap->is_over, true);
}

static void end(const struct sdtkit_tap_hook *hook, pid_t tid)
{
	if (atomic_load(&hook->tap->is_over))
		sdtkit_tap_withdraw(hook, tid);
}

void sdtkit_tap_deliver_events(const struct sdtkit_tap_place *place,
			       const struct sdtkit_tap_thread *thread)
{
	const struct sdtkit_tap_hook *hook;
	const struct sdtkit_tap_call *call;

	for (hook = atomic_load(&place->hooks); hook != NULL;
	     hook = atomic_load(&hook->next)) {
		if (hook->by_vectors)
			deliver_with_vectors(hook, thread);
		else
			deliver_event(hook, thread);
		end(hook, thread->tid);
	}
	for (call = atomic_load(&place->calls); call != NULL;
	     call = atomic_load(&call->next))
		end(call->hook, thread->tid);
}

void sdtkit_tap_deliver_raw(const struct sdtkit_tap_place *place,
			    const uint64_t *registers)
{
	const struct sdtkit_tap_call *call;

	for (call = atomic_load(&place->calls); call != NULL;
	     call = atomic_load(&call->next))
		sdtkit_tap_call(call, registers);
}

void sdtkit_tap_deliver(const struct sdtkit_tap_place *place,
			const struct sdtkit_tap_thread *thread)
{
	sdtkit_tap_deliver_raw(place, thread->registers);
	sdtkit_tap_deliver_events(place, thread);
}

/*
 * A thread that is cancelled must not end in the middle: closes would wait for
 * it for ever.  The type is set as well: glibc's cancellation signal, which may
 * be pending, ignores the state.
 */
void sdtkit_tap_visitor_enter(pid_t tid, struct sdtkit_tap_visitor *visitor)
{
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &visitor->cancel_type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &visitor->cancel_state);
	sdtkit_tap_reader_enter(tid, &visitor->reader);
}

void sdtkit_tap_visitor_leave(const struct sdtkit_tap_visitor *visitor)
{
	int unused;

	sdtkit_tap_reader_leave(&visitor->reader);
	pthread_setcancelstate(visitor->cancel_state, &unused);
	pthread_setcanceltype(visitor->cancel_type, &unused);
}
