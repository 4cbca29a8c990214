/* SPDX-License-Identifier: BSD-2-Clause */
/* See hook.h. */
#include <errno.h>
#include <string.h>

#include "error.h"
#include "hook.h"
#include "jump.h"
#include "patch.h"
#include "state.h"

/* What is there instead of a nop, for a message. */
static int refuse(uintptr_t address)
{
	const unsigned char *bytes = (const unsigned char *)address;
	size_t i;

	for (i = 0; i < sdtkit_tap_machine.trap_count; i++) {
		if (sdtkit_tap_is_trapped(address,
					  &sdtkit_tap_machine.traps[i]))
			return sdtkit_tap_fail(EBUSY, "a debugger or a tracer "
				"has its breakpoint at %#lx: detach it",
				(unsigned long)address);
	}
	return sdtkit_tap_fail(EOPNOTSUPP, "at %#lx there is no nop that this "
		"library knows, but %02x: the site was not made by "
		"sdtkit or <sys/sdt.h>, or something else changed it",
		(unsigned long)address, bytes[0]);
}

static int set_trap(struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_trap *trap =
		sdtkit_tap_find_nop(place->address);
	int ret;

	if (trap == NULL)
		return refuse(place->address);
	place->trap = trap;
	ret = sdtkit_tap_set_trap(place->address, trap, place->protection);
	if (ret == 0)
		place->way = SDTKIT_TAP_TRAP;
	return ret;
}

/* Whether a tap at this place was opened with has_no_traps. */
static bool may_not_trap(const struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_call *call = atomic_load(&place->calls);

	const struct sdtkit_tap_hook *hook = atomic_load(&place->hooks);

	while (call != NULL && !call->hook->tap->raw.has_no_traps)
		call = atomic_load(&call->next);
	while (hook != NULL && !hook->tap->raw.has_no_traps)
		hook = atomic_load(&hook->next);
	return call != NULL || hook != NULL;
}

static int refuse_trap(const struct sdtkit_tap_place *place)
{
	return sdtkit_tap_fail(EOPNOTSUPP, "it can have only a trap, which would "
		"kill a thread that blocks its signal: %s",
		place->why_trap != NULL ? place->why_trap :
					  "another tap has its trap there");
}

/*
 * A trap is never replaced by a jump: a thread that has met the trap goes on
 * with what is behind it, so that its hit would be told of twice.
 */
static int arm(struct sdtkit_tap_place *place)
{
	place->is_left = false;
	if (place->way == SDTKIT_TAP_TRAP)
		return set_trap(place);
	place->why_trap = sdtkit_tap_jump_set(place);
	if (place->why_trap != NULL)
		return may_not_trap(place) ? refuse_trap(place) :
					     set_trap(place);
	place->way = SDTKIT_TAP_JUMP;
	return 0;
}

/* Whether the jump or the trap is there. */
static bool is_set(const struct sdtkit_tap_place *place)
{
	switch (place->way) {
	case SDTKIT_TAP_JUMP:
		return sdtkit_tap_jump_is_set(place);
	case SDTKIT_TAP_TRAP:
		return sdtkit_tap_is_trapped(place->address, place->trap);
	default:
		return false;
	}
}

/*
 * A whole word at a time: not all machines change half of one at once.  Never
 * below 0, where tracers may have left it.
 */
static void add_to_semaphore(const struct sdtkit_tap_hook *hook, int change)
{
	typedef uint32_t __attribute__((__may_alias__)) word_t;
	uintptr_t address = (uintptr_t)hook->semaphore;
	word_t *word = (word_t *)(address & ~(uintptr_t)3);
	uint32_t old, new;
	uint16_t half;

	if (hook->semaphore == NULL)
		return;
	old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
	do {
		new = old;
		memcpy(&half, (char *)&new + (address & 2), sizeof(half));
		if (half == 0 && change < 0)
			return;
		half = (uint16_t)(half + change);
		memcpy((char *)&new + (address & 2), &half, sizeof(half));
	} while (!__atomic_compare_exchange_n(word, &old, new, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
}

static void link_call(struct sdtkit_tap_hook *hook)
{
	struct sdtkit_tap_place *place = hook->place;
	struct sdtkit_tap_call *call = place->call.hook == NULL ?
				       &place->call : &hook->own_call;

	call->hit = hook->hit;
	call->site = hook->site;
	call->context = hook->context;
	call->hook = hook;
	hook->call = call;
	atomic_store(&call->next, atomic_load(&place->calls));
	atomic_store(&place->calls, call);
}

static void unlink_call(const struct sdtkit_tap_hook *hook)
{
	_Atomic(struct sdtkit_tap_call *) *link = &hook->place->calls;

	while (atomic_load(link) != hook->call)
		link = &atomic_load(link)->next;
	atomic_store(link, atomic_load(&hook->call->next));
}

static void link_hook(struct sdtkit_tap_hook *hook)
{
	if (hook->hit != NULL && !hook->by_vectors) {
		link_call(hook);
		return;
	}
	atomic_store(&hook->next, atomic_load(&hook->place->hooks));
	atomic_store(&hook->place->hooks, hook);
}

static void unlink_hook(struct sdtkit_tap_hook *hook)
{
	_Atomic(struct sdtkit_tap_hook *) *link = &hook->place->hooks;

	if (hook->hit != NULL && !hook->by_vectors) {
		unlink_call(hook);
		return;
	}
	while (atomic_load(link) != hook)
		link = &atomic_load(link)->next;
	atomic_store(link, atomic_load(&hook->next));
}

void sdtkit_tap_hook_forget(struct sdtkit_tap_hook *hook)
{
	if (hook->call != NULL && hook->call != &hook->own_call)
		hook->call->hook = NULL;
}

static bool has_hooks(const struct sdtkit_tap_place *place)
{
	return atomic_load(&place->calls) != NULL ||
	       atomic_load(&place->hooks) != NULL;
}

/* Whether there is a jump or a trap, and it is not another tracer's. */
static bool is_armed(const struct sdtkit_tap_place *place)
{
	return (has_hooks(place) || place->is_left) && is_set(place);
}

/* A hit must find the hook when the first one comes. */
int sdtkit_tap_hook_up(struct sdtkit_tap_hook *hook)
{
	struct sdtkit_tap_place *place = sdtkit_tap_place_find(hook->address);
	bool armed = is_armed(place);
	int ret;

	if (place->way == SDTKIT_TAP_TRAP && hook->tap->raw.has_no_traps)
		return refuse_trap(place);
	place->protection = hook->protection;
	place->has_extent = hook->has_extent;
	hook->place = place;
	link_hook(hook);
	if (!armed) {
		ret = arm(place);
		if (ret < 0) {
			unlink_hook(hook);
			return ret;
		}
	}
	add_to_semaphore(hook, 1);
	return 0;
}

/* Whether some tap still wants to be told of the hits here. */
static bool is_wanted(const struct sdtkit_tap_place *place)
{
	const struct sdtkit_tap_call *call = atomic_load(&place->calls);
	const struct sdtkit_tap_hook *hook = atomic_load(&place->hooks);

	while (call != NULL && call->hook->is_withdrawn)
		call = atomic_load(&call->next);
	while (hook != NULL && hook->is_withdrawn)
		hook = atomic_load(&hook->next);
	return call != NULL || hook != NULL;
}

static void disarm(struct sdtkit_tap_place *place)
{
	bool done;

	if (is_wanted(place))
		return;
	if (place->way == SDTKIT_TAP_JUMP)
		done = sdtkit_tap_jump_clear(place);
	else
		done = sdtkit_tap_clear_trap(place->address, place->trap,
					     place->protection);
	place->is_left = !done;
}

void sdtkit_tap_hook_off(struct sdtkit_tap_hook *hook,
			 enum sdtkit_tap_presence presence)
{
	struct sdtkit_tap_place *place = hook->place;
	bool armed = presence != SDTKIT_TAP_GONE && is_set(place);

	if (!hook->is_withdrawn && (armed || presence == SDTKIT_TAP_SAME))
		add_to_semaphore(hook, -1);
	unlink_hook(hook);
	if (armed)
		disarm(place);
}

void sdtkit_tap_hook_withdraw(struct sdtkit_tap_hook *hook)
{
	struct sdtkit_tap_place *place = hook->place;

	if (hook->is_withdrawn)
		return;
	hook->is_withdrawn = true;
	if (!is_set(place))
		return;
	add_to_semaphore(hook, -1);
	disarm(place);
}

static void renew_semaphore(const struct sdtkit_tap_hook *hook,
			    enum sdtkit_tap_presence presence)
{
	if (hook->is_withdrawn)
		return;
	if (presence == SDTKIT_TAP_MAYBE_ANEW ||
	    (hook->semaphore != NULL && *hook->semaphore == 0))
		add_to_semaphore(hook, 1);
}

int sdtkit_tap_place_renew(struct sdtkit_tap_place *place,
			   enum sdtkit_tap_presence presence)
{
	const struct sdtkit_tap_call *call = atomic_load(&place->calls);
	const struct sdtkit_tap_hook *hook = atomic_load(&place->hooks);
	int ret;

	if (!is_wanted(place) || is_set(place))
		return 0;
	ret = arm(place);
	/* A tap without traps misses the hits: no failure of another's. */
	if (ret == -EOPNOTSUPP && may_not_trap(place))
		return 0;
	if (ret < 0)
		return ret;
	for (; call != NULL; call = atomic_load(&call->next))
		renew_semaphore(call->hook, presence);
	for (; hook != NULL; hook = atomic_load(&hook->next))
		renew_semaphore(hook, presence);
	return 0;
}
