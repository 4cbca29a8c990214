/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a span took: see path.h. What count.bpf.h does for top. */
#ifndef SDTKIT_COUNT_TIMES_H
#define SDTKIT_COUNT_TIMES_H

#include "path.h"
#include "sums.h"

/* No argument tells how long it took. */
#define NOT_TOLD	UINT64_MAX

enum {
	/* A hit may come so many ns after the program has read its clock. */
	LATE = 100000000,
};

FAST uint64_t ns_of(const struct hit *hit, uint64_t ticks)
{
	uint64_t scale = get(&hit->counter->scale);
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)((wide)ticks * scale >> SDTKIT_COUNT_FRACTION);
#else
	/* Machines without it have no ticks. */
	return scale != 0 ? ticks : 0;
#endif
}

FAST uint64_t ticks_of(const struct hit *hit, uint64_t ns)
{
	int shift = ns != 0 ? __builtin_clzll(ns) : 0;
	uint64_t ticks = (ns << shift) / get(&hit->counter->scale);

	return shift <= SDTKIT_COUNT_FRACTION ?
	       ticks << (SDTKIT_COUNT_FRACTION - shift) :
	       ticks >> (shift - SDTKIT_COUNT_FRACTION);
}

/*
 * What an argument tells of the time, in nanoseconds: 0 of them means that the
 * program does not know, and 0 of a larger unit that it was less than one.
 */
FAST uint64_t told_by(const struct sdtkit_count_action *action, uint32_t flags,
		      uint64_t value)
{
	if (value > action->most ||
	    (value == 0 && (action->unit == 1 || flags & SDTKIT_COUNT_BEGAN)))
		return NOT_TOLD;
	return value * action->unit;
}

/* How long a span has taken, as an argument of the probe tells. */
FAST uint64_t told(struct hit *hit, const struct sdtkit_count_action *action,
		   uint32_t flags)
{
	uint64_t value, now;

	if (!has_operand(action, SDTKIT_COUNT_TIME))
		return NOT_TOLD;
	value = told_by(action, flags, operand(hit, action, SDTKIT_COUNT_TIME));
	if (value == NOT_TOLD || !(flags & SDTKIT_COUNT_BEGAN))
		return value;
	now = hit->counter->time + ns_of(hit, hit->cursor.time -
					      hit->counter->ticks);
	return now > value ? now - value : NOT_TOLD;
}

FAST void measure(const struct hit *hit, uint32_t flags,
		  const struct sdtkit_count_open *o, struct end *end)
{
	uint64_t now = hit->cursor.time, without = 0, inside;

	end->total = end->told;
	if (end->told == NOT_TOLD)
		end->total = now > o->start ? ns_of(hit, now - o->start) : 0;
	end->running = end->self = end->total;
	if (!(flags & SDTKIT_COUNT_HAS_EXTRA))
		return;
	if (flags & SDTKIT_COUNT_SUSPENDS) {
		without = o->suspended_ticks;
		if (o->suspended != 0)
			without += now - o->suspended;
		without = ns_of(hit, without);
	}
	end->running = end->total > without ? end->total - without : 0;
	inside = get(&o->inside);
	end->self = end->running > inside ? end->running - inside : 0;
}

/*
 * Whether what was kept without a start is another span, that ended without a
 * probe: it had taken longer, or this one began after it was seen last.
 */
FAST bool is_over(const struct hit *hit, uint32_t flags,
		  const struct sdtkit_count_open *o, uint64_t took)
{
	return flags & SDTKIT_COUNT_ALONE && took != NOT_TOLD &&
	       (took < o->told ||
		ns_of(hit, hit->cursor.time - o->seen) > took + LATE);
}

#endif /* SDTKIT_COUNT_TIMES_H */
