/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread that jumped off its site -> the raw hooks there; see jump_hit.h.
 *
 *	trampoline --> sdtkit_tap_jump_entry, which saves the general registers
 *	           --> sdtkit_tap_on_jump() --> call->hit()
 *	           --> sdtkit_tap_on_jump_rest(), with vectors saved, if there
 *	               are other hooks, if a tap is over, or for the first hit
 *	               of the thread
 *
 * Invariant: this file is compiled so that it uses general registers only, and
 * without what compilers add at functions (sanitizers): the vector registers
 * have the program's contents, and the thread may be anywhere.
 */
#include <stdatomic.h>

#include "inside.h"
#include "jump_hit.h"
#include "state.h"

#if defined(__x86_64__) && defined(__LP64__)
#include "jump_entry_x86_64.h"
#elif defined(__AARCH64EL__) && defined(__LP64__)
#include "jump_entry_aarch64.h"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#include "jump_entry_ppc64.h"
#endif

/* Returns whether a tap is over. */
static bool call_all(const struct sdtkit_tap_call *call,
		     const uint64_t *registers)
{
	bool is_over = false;

	for (; call != NULL;
	     call = atomic_load_explicit(&call->next, memory_order_acquire))
		is_over |= sdtkit_tap_call(call, registers);
	return is_over;
}

static inline bool has_hooks(const struct sdtkit_tap_place *place)
{
	return atomic_load_explicit(&place->hooks, memory_order_relaxed) !=
	       NULL;
}

/* A hit that interrupts another one, or a place of several hooks. */
static __attribute__((noinline)) enum sdtkit_tap_rest
hit_slowly(const struct sdtkit_tap_place *place, const uint64_t *registers,
	   struct sdtkit_tap_inside *self)
{
	unsigned int depth = atomic_load_explicit(&self->depth,
						  memory_order_relaxed);
	bool is_over;

	if (depth == 0)
		atomic_store_explicit(&self->round, self->round + 1,
				      memory_order_relaxed);
	atomic_store_explicit(&self->depth, depth + 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	is_over = call_all(atomic_load_explicit(&place->calls,
						memory_order_acquire),
			   registers);
	atomic_store_explicit(&self->depth, depth, memory_order_release);
	return is_over || has_hooks(place) ? SDTKIT_TAP_EVENTS :
					     SDTKIT_TAP_NOTHING;
}

/*
 * A closer of the tap makes the processors agree (inside.h) before it looks at
 * the depth, so that it suffices here to keep the compiler's order. Most places
 * have one call; what is needed behind it has to be saved, which is little.
 */
enum sdtkit_tap_rest sdtkit_tap_on_jump(const struct sdtkit_tap_place *place,
					const uint64_t *registers)
{
	struct sdtkit_tap_inside *self = sdtkit_tap_self;
	const struct sdtkit_tap_call *call;
	bool is_over;

	if (self == NULL ||
	    atomic_load_explicit(&self->tid, memory_order_relaxed) == 0)
		return SDTKIT_TAP_ALL;
	if (__builtin_expect(atomic_load_explicit(&self->depth,
			memory_order_relaxed) != 0 || has_hooks(place), 0))
		return hit_slowly(place, registers, self);
	atomic_store_explicit(&self->round, self->round + 1,
			      memory_order_relaxed);
	atomic_store_explicit(&self->depth, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	call = atomic_load_explicit(&place->calls, memory_order_acquire);
	if (__builtin_expect(call != NULL && atomic_load_explicit(&call->next,
				memory_order_acquire) == NULL, 1))
		is_over = sdtkit_tap_call(call, registers);
	else
		is_over = call_all(call, registers);
	atomic_store_explicit(&self->depth, 0, memory_order_release);
	return is_over ? SDTKIT_TAP_EVENTS : SDTKIT_TAP_NOTHING;
}
