/* SPDX-License-Identifier: BSD-2-Clause */
/* Spans under way: see count.h, and path.h. What keep.bpf.h does for top. */
#ifndef SDTKIT_COUNT_UNDER_WAY_H
#define SDTKIT_COUNT_UNDER_WAY_H

#include "path.h"

/* A span under way: where it is, and the state in which it was found. */
struct found {
	struct sdtkit_count_open *open;
	_Atomic uint64_t *state;
	uint64_t seen;
	bool is_own;
};

FAST bool is_same_key(const uint64_t *a, const uint64_t *b, uint32_t flags)
{
	return a[0] == b[0] && (!(flags & SDTKIT_COUNT_MORE_KEYS) ||
				(a[1] == b[1] && a[2] == b[2]));
}

FAST uint64_t hash_of(unsigned int span, const uint64_t *key, uint32_t flags)
{
	uint64_t hash = (key[0] ^ (uint64_t)span << 56) * 0x9e3779b97f4a7c15;

	if (flags & SDTKIT_COUNT_MORE_KEYS)
		hash = (hash ^ mix(key[1], key[2])) * 0xc4ceb9fe1a85ec53;
	return hash ^ hash >> 32;
}

FAST struct sdtkit_count_group *own_group(struct sdtkit_count_private *own,
					  uint64_t hash, uint32_t flags)
{
	uint64_t at = hash >> 32 & (SDTKIT_COUNT_OWN - 1);

	return flags & SDTKIT_COUNT_BY_THREAD ? &own->calls[at] :
						&own->groups[at];
}

/* The keys of spans by thread have the set of the thread, too: see push(). */
FAST struct sdtkit_count_group *
shared_group(const struct hit *hit, uint64_t hash, const uint64_t *key,
	     uint32_t flags)
{
	uint64_t set = flags & SDTKIT_COUNT_BY_THREAD ? mix(key[1], 0) >> 32 :
		       0;

	return &hit->counter->shared[((hash >> 32) + set) &
				     (SDTKIT_COUNT_SHARED - 1)];
}

FAST bool is_at(struct sdtkit_count_group *group, int way, uint64_t hash,
		unsigned int span, const uint64_t *key, uint32_t flags,
		struct found *found)
{
	const uint64_t wanted = hash << 32 | SDTKIT_COUNT_UNDER_WAY;
	const uint64_t mask = (uint64_t)UINT32_MAX << 32 | SDTKIT_COUNT_STATE;

	found->open = &group->open[way];
	found->state = &group->state[way];
	found->seen = atomic_load_explicit(found->state, memory_order_acquire);
	return ((found->seen ^ wanted) & mask) == 0 &&
	       found->open->span == span &&
	       is_same_key(found->open->key, key, flags);
}

/* In a way that is not the first. */
static __attribute__((noinline)) bool
find_behind(struct sdtkit_count_group *group, uint64_t hash, unsigned int span,
	    const uint64_t *key, uint32_t flags, struct found *found)
{
	int i;

	for (i = 1; i < SDTKIT_COUNT_WAYS; i++) {
		if (is_at(group, i, hash, span, key, flags, found))
			return true;
	}
	return false;
}

FAST bool find_in(struct sdtkit_count_group *group, uint64_t hash,
		  unsigned int span, const uint64_t *key, uint32_t flags,
		  struct found *found)
{
	struct found behind;

	if (__builtin_expect(is_at(group, 0, hash, span, key, flags, found), 1))
		return true;
	if (!find_behind(group, hash, span, key, flags, &behind))
		return false;
	found->open = behind.open;
	found->state = behind.state;
	found->seen = behind.seen;
	return true;
}

/* In the table of the process. */
static inline bool find_shared(const struct hit *hit, uint64_t hash,
			       unsigned int span, const uint64_t *key,
			       uint32_t flags, struct found *found)
{
	found->is_own = false;
	return find_in(shared_group(hit, hash, key, flags), hash, span, key,
		       flags & SDTKIT_COUNT_BY_THREAD ?
		       flags | SDTKIT_COUNT_MORE_KEYS : flags, found);
}

/*
 * In the table of the process, and in those of other threads: after that, the
 * key is known to move.
 */
static __attribute__((noinline)) bool
find_elsewhere(struct hit *hit, uint64_t hash, unsigned int span,
	       const uint64_t *key, struct found *found)
{
	struct sdtkit_count_plan *plan = &hit->counter->plans[span];
	uint32_t used = atomic_load(&hit->writer->file->rings_used), i;

	if (find_shared(hit, hash, span, key, plan->flags, found))
		return true;
	if (plan->flags & SDTKIT_COUNT_BY_THREAD)
		return false;
	for (i = 0; i < used && i < hit->writer->ring_count; i++) {
		if (!find_in(own_group(&hit->counter->privates[i], hash, 0),
			     hash, span, key, plan->flags, found))
			continue;
		atomic_store(&plan->moves, true);
		return true;
	}
	return false;
}

FAST bool find(struct hit *hit, unsigned int span, const uint64_t *key,
	       uint32_t flags, struct found *found)
{
	uint64_t hash = hash_of(span, key, flags);

	found->is_own = find_in(own_group(hit->own, hash, flags), hash, span,
				key, flags, found);
	return __builtin_expect(found->is_own, 1) ||
	       find_elsewhere(hit, hash, span, key, found);
}

/*
 * A span whose start is not attached to is in a table only from its first
 * suspend to its end. While none of them is, no table has to be searched.
 */
FAST bool may_be_kept(const struct hit *hit, unsigned int span, uint32_t flags)
{
	return !(flags & SDTKIT_COUNT_ALONE) ||
	       get(&hit->counter->plans[span].kept) > 0;
}

/* Returns false if another thread has ended it. */
FAST bool take(struct found *found)
{
	uint64_t taken = (found->seen & ~(uint64_t)SDTKIT_COUNT_STATE) |
			 SDTKIT_COUNT_TAKEN;

	if (found->is_own)
		return true;
	if (!atomic_compare_exchange_strong(found->state, &found->seen, taken))
		return false;
	found->seen = taken;
	return true;
}

/* The number of the use changes with each one that is filled. */
FAST void give_back(struct found *found)
{
	atomic_store_explicit(found->state, found->seen &
			      ~(uint64_t)SDTKIT_COUNT_STATE,
			      memory_order_release);
}

/* What has ended is in no table any more. */
FAST void drop(struct hit *hit, unsigned int span, uint32_t flags,
	       struct found *found)
{
	give_back(found);
	if (flags & SDTKIT_COUNT_ALONE)
		atomic_fetch_sub(&hit->counter->plans[span].kept, 1);
}

FAST void set_open(struct sdtkit_count_open *o, unsigned int span,
		   const uint64_t *key, uint32_t flags)
{
	o->span = span;
	o->key[0] = key[0];
	if (!(flags & SDTKIT_COUNT_LONG_KEYS))
		return;
	o->key[1] = key[1];
	o->key[2] = key[2];
}

FAST void clear(const struct sdtkit_count_plan *plan, uint32_t flags,
		struct sdtkit_count_open *o)
{
	int i;

	o->name[0] = o->name[1] = 0;
	if (!(flags & SDTKIT_COUNT_HAS_EXTRA))
		return;
	atomic_store_explicit(&o->inside, 0, memory_order_relaxed);
	if (flags & (SDTKIT_COUNT_SUSPENDS | SDTKIT_COUNT_IN_LISTS)) {
		o->suspended = o->suspended_ticks = 0;
		o->seen = o->told = 0;
	}
	for (i = 0; i < plan->sum_count; i++)
		o->sum[i] = 0;
}

/* What has been found free, or taken, and is complete now. */
FAST void publish(struct found *found, uint64_t hash)
{
	const uint64_t numbers = UINT32_MAX & ~(uint64_t)SDTKIT_COUNT_STATE;

	found->seen = hash << 32 | SDTKIT_COUNT_UNDER_WAY |
		      ((found->seen + SDTKIT_COUNT_USE) & numbers);
	atomic_store_explicit(found->state, found->seen, memory_order_release);
}

/* An element that is free, which the owner has then; others have to take it. */
FAST bool find_free(struct sdtkit_count_group *group, bool is_own,
		    struct found *found)
{
	int i;

	for (i = 0; i < SDTKIT_COUNT_WAYS; i++) {
		found->state = &group->state[i];
		found->seen = get(found->state);
		if ((found->seen & SDTKIT_COUNT_STATE) != SDTKIT_COUNT_FREE)
			continue;
		found->open = &group->open[i];
		found->is_own = is_own;
		if (take(found))
			return true;
	}
	return false;
}

/* Takes the one that began first. */
static bool take_oldest(struct hit *hit, struct sdtkit_count_group *group,
			struct found *found)
{
	unsigned int span;
	int oldest = 0, i;

	for (i = 1; i < SDTKIT_COUNT_WAYS; i++) {
		if (group->open[i].start < group->open[oldest].start)
			oldest = i;
	}
	found->open = &group->open[oldest];
	found->state = &group->state[oldest];
	found->seen = get(found->state);
	found->is_own = false;
	if ((found->seen & SDTKIT_COUNT_STATE) != SDTKIT_COUNT_UNDER_WAY ||
	    !take(found))
		return false;
	span = (unsigned int)(found->open->span % SDTKIT_COUNT_SPANS);
	if (hit->counter->plans[span].flags & SDTKIT_COUNT_ALONE)
		atomic_fetch_sub(&hit->counter->plans[span].kept, 1);
	STAT(hit, span, lost);
	return true;
}

/* One that is under way already, or whose key moves, or that has no room. */
static __attribute__((noinline)) bool
reserve_slowly(struct hit *hit, uint64_t hash, unsigned int span,
	       const uint64_t *key, struct found *found)
{
	const struct sdtkit_count_plan *plan = &hit->counter->plans[span];
	struct sdtkit_count_group *group = own_group(hit->own, hash,
							     plan->flags);

	found->is_own = find_in(group, hash, span, key, plan->flags, found);
	if (!found->is_own &&
	    !find_shared(hit, hash, span, key, plan->flags, found)) {
		group = shared_group(hit, hash, key, plan->flags);
		return find_free(group, false, found) ||
		       take_oldest(hit, group, found);
	}
	STAT(hit, span, restarted);
	return take(found);
}

/* Whether the group has nothing under way, which most groups have not. */
FAST bool is_empty(struct sdtkit_count_group *group, struct found *found)
{
	uint64_t any;

	_Static_assert(SDTKIT_COUNT_WAYS == 4, "each is looked at");
	found->open = &group->open[0];
	found->state = &group->state[0];
	found->seen = get(found->state);
	found->is_own = true;
	any = found->seen | get(&group->state[1]) | get(&group->state[2]) |
	      get(&group->state[3]);
	return __builtin_expect((any & SDTKIT_COUNT_STATE) ==
				SDTKIT_COUNT_FREE, 1);
}

/* Finds what is free in the own table, if the key is not under way there. */
FAST bool find_new(struct sdtkit_count_group *group, uint64_t hash,
		   unsigned int span, const uint64_t *key, uint32_t flags,
		   struct found *found)
{
	return is_empty(group, found) ||
	       (!find_in(group, hash, span, key, flags, found) &&
		find_free(group, true, found));
}

/*
 * Where one that begins is kept: to be filled, and published. The owner of a
 * table need not take what is free, since nobody else looks at that.
 */
FAST bool reserve(struct hit *hit, uint64_t hash, unsigned int span,
		  const uint64_t *key, uint32_t flags, struct found *found)
{
	const struct sdtkit_count_plan *plan = &hit->counter->plans[span];
	struct sdtkit_count_group *group = own_group(hit->own, hash,
							     flags);
	struct found other;

	STAT(hit, span, started);
	if ((flags & SDTKIT_COUNT_BY_THREAD ||
	     !atomic_load_explicit(&plan->moves, memory_order_relaxed)) &&
	    find_new(group, hash, span, key, flags, found))
		return true;
	if (reserve_slowly(hit, hash, span, key, &other)) {
		*found = other;
		return true;
	}
	STAT(hit, span, lost);
	return false;
}

#endif /* SDTKIT_COUNT_UNDER_WAY_H */
