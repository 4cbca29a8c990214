/* SPDX-License-Identifier: BSD-2-Clause */
/* See jump.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "deliver.h"
#include "inside.h"
#include "jump.h"
#include "machine.h"
#include "patch.h"
#include "state.h"
#include "stub.h"
#include "trap.h"

/* Why there are no jumps in this process, or NULL. */
static const char *refused = "it was not asked for";

void sdtkit_tap_jump_prepare(void)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	const char *way = secure_getenv("SDTKIT_TAP_WAY");

	if (jump == NULL)
		refused = "this library has no jumps for this machine";
	else if (way != NULL && strcmp(way, "trap") == 0)
		refused = "SDTKIT_TAP_WAY=trap is in the environment";
	else
		refused = sdtkit_tap_inside_prepare();
	if (refused == NULL)
		refused = jump->prepare();
	if (refused == NULL)
		sdtkit_tap_inside_join((pid_t)syscall(SYS_gettid));
}

/*
 * A nop, or the trap of a tracer, and behind it what the jump is made of. A
 * kernel that had a call there leaves the end of it.
 */
static bool is_site(const struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	const unsigned char *at = (const unsigned char *)place->address;
	const struct sdtkit_tap_trap *trap = &sdtkit_tap_machine.traps[0];

	if (memcmp(at + jump->offset, jump->site + jump->offset,
		   jump->begin_size - jump->offset) != 0)
		return false;
	return jump->offset == 0 || memcmp(at, jump->site, jump->offset) == 0 ||
	       sdtkit_tap_is_trapped(place->address, trap);
}

static uintptr_t patched(const struct sdtkit_tap_place *place)
{
	return place->address + sdtkit_tap_machine.jump->offset;
}

static const char *aim(struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	uintptr_t target;
	const char *why;

	if (place->target != 0)
		return NULL;
	if (sdtkit_tap_place_is_crowded(place, jump->stub_size))
		return "the stub of an unloaded library is in the way";
	why = sdtkit_tap_stub_make(place, &target);
	if (why != NULL)
		return why;
	place->target = target;
	place->jump = jump->code(place->address, target);
	return NULL;
}

const char *sdtkit_tap_jump_set(struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;
	const char *why;

	if (refused != NULL)
		return refused;
	if (!place->has_extent || !is_site(place))
		return "its instructions are not those of a site with room for "
		       "a jump, or a tracer has changed them";
	why = aim(place);
	if (why != NULL)
		return why;
	if (!sdtkit_tap_exchange(patched(place), jump->nop, place->jump,
				 jump->nop_size, place->protection))
		return "its code cannot be written";
	sdtkit_tap_inside_sync_code();
	return NULL;
}

bool sdtkit_tap_jump_is_set(const struct sdtkit_tap_place *place)
{
	return sdtkit_tap_holds(patched(place), place->jump,
				sdtkit_tap_machine.jump->nop_size);
}

bool sdtkit_tap_jump_clear(const struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_jump *jump = sdtkit_tap_machine.jump;

	if (!sdtkit_tap_exchange(patched(place), place->jump, jump->nop,
				 jump->nop_size, place->protection))
		return false;
	sdtkit_tap_inside_sync_code();
	return true;
}

void sdtkit_tap_count_ways(const struct sdtkit_tap *tap,
			   struct sdtkit_tap_ways *ways)
{
	const struct sdtkit_tap_loaded *loaded;
	const struct sdtkit_tap_hook *hook;

	*ways = (struct sdtkit_tap_ways) { .why = NULL };
	sdtkit_tap_lock();
	for (loaded = tap->loaded; loaded != NULL; loaded = loaded->next) {
		for (hook = loaded->hooks; hook != NULL; hook = hook->sibling) {
			if (hook->place->way == SDTKIT_TAP_JUMP) {
				ways->jumps++;
				continue;
			}
			if (ways->traps++ == 0)
				ways->why = hook->place->why_trap;
		}
	}
	sdtkit_tap_unlock();
}

/* -------------------------------------------------------------- at a hit */

/* What the handler of a trap blocks too, see trap.c. */
static void block_signals(sigset_t *before)
{
	sigset_t blocked;

	sdtkit_tap_blocked_signals(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static void deliver_events(const struct sdtkit_tap_place *place,
			   struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_visitor visitor;
	sigset_t before;

	block_signals(&before);
	thread->pid = getpid();
	sdtkit_tap_visitor_enter(thread->tid, &visitor);
	sdtkit_tap_deliver_events(place, thread);
	sdtkit_tap_visitor_leave(&visitor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/*
 * Signals are blocked meanwhile. If a handler left this function by
 * siglongjmp(), a close would wait for the hit without end.
 */
static void deliver_raw(const struct sdtkit_tap_place *place,
			const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_visitor visitor;
	sigset_t before;

	block_signals(&before);
	sdtkit_tap_visitor_enter(thread->tid, &visitor);
	sdtkit_tap_deliver_raw(place, thread->registers);
	sdtkit_tap_visitor_leave(&visitor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* From the first hit on, if there is one, the thread has a record. */
static void deliver_all(const struct sdtkit_tap_place *place,
			const struct sdtkit_tap_thread *thread)
{
	sdtkit_tap_inside_join(thread->tid);
	if (sdtkit_tap_on_jump(place, thread->registers) == SDTKIT_TAP_ALL)
		deliver_raw(place, thread);
}

void sdtkit_tap_on_jump_rest(const struct sdtkit_tap_place *place,
			     const uint64_t *registers, const void *vectors,
			     enum sdtkit_tap_rest rest)
{
	int error = errno;
	struct sdtkit_tap_thread thread = {
		.tid = (pid_t)syscall(SYS_gettid),
		.registers = registers,
		.vectors = vectors,
	};

	if (rest == SDTKIT_TAP_ALL)
		deliver_all(place, &thread);
	if (atomic_load(&place->hooks) != NULL)
		deliver_events(place, &thread);
	errno = error;
}
