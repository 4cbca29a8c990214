/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The path of a hit: what lib/tool/top/hit.bpf.h and count.bpf.h do in the
 * kernel. See count.h and path.h, and ../record/write.h for the rules.
 */
#include "../record/passes.h"
#include "../record/reader.h"
#include "path.h"
#include "plain.h"
#include "stacks.h"
#include "sums.h"
#include "times.h"
#include "under_way.h"

FAST void read_name(struct hit *hit, const struct sdtkit_count_action *action,
		    uint32_t flags, int i, struct sdtkit_count_open *o)
{
	if (!has_operand(action, SDTKIT_COUNT_NAME + i))
		return;
	o->name[i] = operand(hit, action, SDTKIT_COUNT_NAME + i);
	if (flags & (uint32_t)SDTKIT_COUNT_TEXT_0 << i)
		o->name[i] = text_of(hit, action->span, o->name[i]);
}

/* A value that is negative is the error of a call, and no number of bytes. */
FAST void add_value(struct hit *hit, const struct sdtkit_count_action *action,
		    int i, uint64_t *sum)
{
	uint64_t value = operand(hit, action, i);

	if (!action->ops[i].is_signed || (int64_t)value > 0)
		*sum += value;
}

/* The values that a start and an end may both have. */
FAST void read_values(struct hit *hit, const struct sdtkit_count_action *action,
		      const struct sdtkit_count_plan *plan, uint32_t flags,
		      struct sdtkit_count_open *o)
{
	int i;

	read_name(hit, action, flags, 0, o);
	read_name(hit, action, flags, 1, o);
	for (i = 0; flags & SDTKIT_COUNT_HAS_EXTRA && i < plan->sum_count; i++) {
		if (has_operand(action, SDTKIT_COUNT_SUM + i))
			add_value(hit, action, SDTKIT_COUNT_SUM + i, &o->sum[i]);
	}
}

FAST void set_key(struct hit *hit, const struct sdtkit_count_action *action,
		  uint32_t flags, uint64_t *key)
{
	key[0] = has_operand(action, SDTKIT_COUNT_KEY) ?
		 operand(hit, action, SDTKIT_COUNT_KEY) : 0;
	if (!(flags & SDTKIT_COUNT_MORE_KEYS)) {
		key[1] = key[2] = 0;
		return;
	}
	key[1] = operand(hit, action, SDTKIT_COUNT_KEY + 1);
	key[2] = operand(hit, action, SDTKIT_COUNT_KEY + 2);
}

FAST void set_parent(struct hit *hit, const struct sdtkit_count_action *action,
		     uint32_t flags, struct sdtkit_count_open *o)
{
	int i;

	for (i = 0; flags & SDTKIT_COUNT_HAS_PARENT && i < SDTKIT_COUNT_KEYS;
	     i++)
		o->parent[i] = flags & SDTKIT_COUNT_SAME_KEY ? o->key[i] :
			       operand(hit, action, SDTKIT_COUNT_PARENT + i);
}

FAST void begin(struct hit *hit, const struct sdtkit_count_action *action,
		const struct sdtkit_count_plan *plan, uint32_t flags)
{
	uint64_t key[SDTKIT_COUNT_KEYS], hash;
	struct sdtkit_count_open *o;
	struct found found;

	set_key(hit, action, flags, key);
	if (flags & SDTKIT_COUNT_BY_THREAD && !push(hit, action->span, key))
		return;
	hash = hash_of(action->span, key, flags);
	if (!reserve(hit, hash, action->span, key, flags, &found))
		return;
	o = found.open;
	set_open(o, action->span, key, flags);
	o->start = hit->cursor.time;
	clear(plan, flags, o);
	read_values(hit, action, plan, flags, o);
	set_parent(hit, action, flags, o);
	publish(&found, hash);
	if (flags & SDTKIT_COUNT_IN_LISTS)
		enter_list(hit, &found);
}

/* Adds the time to the span around it: its parent, or the one below it. */
static __attribute__((noinline)) void
tell_parents(struct hit *hit, const struct sdtkit_count_plan *plan,
	     const struct sdtkit_count_open *o, uint64_t running)
{
	unsigned int span = (unsigned int)o->span;
	uint64_t key[SDTKIT_COUNT_KEYS] = { 0 };
	struct found found;
	uint32_t flags;

	if (plan->flags & SDTKIT_COUNT_IN_RUNNING) {
		tell_running(hit, o, running);
		return;
	}
	if (plan->flags & SDTKIT_COUNT_BY_THREAD && o->key[0] > 0) {
		key[0] = o->key[0] - 1;
		key[1] = o->key[1];
	} else if (plan->flags & SDTKIT_COUNT_HAS_PARENT) {
		span = plan->parent;
		key[0] = o->parent[0];
		key[1] = o->parent[1];
		key[2] = o->parent[2];
	} else {
		return;
	}
	flags = hit->counter->plans[span].flags;
	if (span != o->span && flags & SDTKIT_COUNT_BY_THREAD &&
	    !top(hit, span, key))
		return;
	/* Spans of several threads may end at the same time. */
	if (may_be_kept(hit, span, flags) &&
	    find(hit, span, key, flags, &found))
		atomic_fetch_add(&found.open->inside, running);
}

/*
 * All that is done for a span that has ended. What its filter leaves out was no
 * time of its parent.
 */
FAST void conclude(struct hit *hit, const struct sdtkit_count_action *action,
		   const struct sdtkit_count_plan *plan, uint32_t flags,
		   struct sdtkit_count_open *o, struct end *end, bool filters)
{
	bool counts = !filters ||
		      passes_all(hit->writer, action->tests, action->test_count,
				 &hit->cursor, hit->registers);

	if (counts) {
		read_values(hit, action, plan, flags, o);
		end->is_error = has_operand(action, SDTKIT_COUNT_ERROR) &&
			is_error(plan, (int64_t)operand(hit, action,
							SDTKIT_COUNT_ERROR));
	}
	measure(hit, flags, o, end);
	if (flags & SDTKIT_COUNT_HAS_PARENT ||
	    (flags & SDTKIT_COUNT_BY_THREAD && o->key[0] > 0))
		tell_parents(hit, plan, o, end->running);
	if (counts)
		count(hit, plan, flags, o, end);
	else
		STAT(hit, action->span, filtered);
}

FAST bool find_ended(struct hit *hit, unsigned int span, uint32_t flags,
		     const uint64_t *key, uint64_t took, struct found *found)
{
	if (!may_be_kept(hit, span, flags) ||
	    !find(hit, span, key, flags, found) || !take(found))
		return false;
	if (!(flags & SDTKIT_COUNT_SUSPENDS) ||
	    !is_over(hit, flags, found->open, took))
		return true;
	STAT(hit, span, restarted);
	drop(hit, span, flags, found);
	return false;
}

FAST void finish(struct hit *hit, const struct sdtkit_count_action *action,
		 const struct sdtkit_count_plan *plan, uint32_t flags,
		 bool filters)
{
	struct end end = { .told = told(hit, action, flags) };
	uint64_t key[SDTKIT_COUNT_KEYS];
	struct sdtkit_count_open alone;
	struct found found;

	set_key(hit, action, flags, key);
	if (flags & SDTKIT_COUNT_BY_THREAD && !pop(hit, action->span, key))
		return;
	if (find_ended(hit, action->span, flags, key, end.told, &found)) {
		conclude(hit, action, plan, flags, found.open, &end, filters);
		drop(hit, action->span, flags, &found);
	} else if (flags & SDTKIT_COUNT_ALONE && end.told != NOT_TOLD) {
		/* It was not kept, since nothing suspended it. */
		set_open(&alone, action->span, key, flags);
		alone.start = 0;
		clear(plan, flags, &alone);
		set_parent(hit, action, flags, &alone);
		conclude(hit, action, plan, flags, &alone, &end, filters);
	} else {
		STAT(hit, action->span, unmatched);
	}
}

/* Keeps a span, whose start is not attached to, from its first suspend on. */
static void suspend_alone(struct hit *hit,
			  const struct sdtkit_count_action *action,
			  const struct sdtkit_count_plan *plan,
			  const uint64_t *key, bool is_there, uint64_t took)
{
	uint64_t hash = hash_of(action->span, key, plan->flags);
	struct sdtkit_count_open *o;
	struct found found;

	if (!reserve(hit, hash, action->span, key, plan->flags, &found))
		return;
	o = found.open;
	set_open(o, action->span, key, plan->flags);
	clear(plan, plan->flags, o);
	set_parent(hit, action, plan->flags, o);
	o->start = hit->cursor.time - ticks_of(hit, took);
	o->suspended = o->seen = hit->cursor.time;
	o->told = took;
	if (!is_there)
		atomic_fetch_add(&hit->counter->plans[action->span].kept, 1);
	publish(&found, hash);
}

/* If another thread ends the span at the same time, one of both is lost. */
static void pause_or_resume(struct hit *hit,
			    const struct sdtkit_count_action *action,
			    const struct sdtkit_count_plan *plan)
{
	bool suspends = action->role == SPAN_SUSPENDS, is_there;
	uint64_t now = hit->cursor.time, took = NOT_TOLD;
	uint64_t key[SDTKIT_COUNT_KEYS];
	struct sdtkit_count_open *o;
	struct found found;

	set_key(hit, action, plan->flags, key);
	if (plan->flags & SDTKIT_COUNT_BY_THREAD &&
	    !top(hit, action->span, key))
		return;
	is_there = may_be_kept(hit, action->span, plan->flags) &&
		   find(hit, action->span, key, plan->flags, &found);
	if (plan->flags & SDTKIT_COUNT_ALONE && suspends)
		took = told(hit, action, plan->flags);
	if (took != NOT_TOLD &&
	    (!is_there || is_over(hit, plan->flags, found.open, took))) {
		suspend_alone(hit, action, plan, key, is_there, took);
		return;
	}
	if (!is_there)
		return;
	o = found.open;
	o->seen = now;
	if (took != NOT_TOLD)
		o->told = took;
	if (suspends) {
		if (o->suspended == 0)
			o->suspended = now;
	} else if (o->suspended != 0) {
		o->suspended_ticks += now - o->suspended;
		o->suspended = 0;
	}
	if (!suspends && plan->flags & SDTKIT_COUNT_IN_LISTS)
		enter_list(hit, &found);
}

/* For a span of any kind. */
static __attribute__((noinline)) void
act_slowly(struct hit *hit, const struct sdtkit_count_action *action,
	   const struct sdtkit_count_plan *plan)
{
	if (action->role == SPAN_STARTS)
		begin(hit, action, plan, plan->flags);
	else if (action->role == SPAN_ENDS)
		finish(hit, action, plan, plan->flags, false);
	else
		pause_or_resume(hit, action, plan);
}

FAST void act(struct hit *hit, const struct sdtkit_count_action *action)
{
	const struct sdtkit_count_plan *plan = action->plan;
	uint32_t flags = plan->flags & ~(uint32_t)SDTKIT_COUNT_SPECIAL;

	if (flags != plan->flags)
		act_slowly(hit, action, plan);
	else if (action->role == SPAN_STARTS)
		begin(hit, action, plan, flags);
	else
		finish(hit, action, plan, flags, false);
}

/* A probe of several spans. */
static __attribute__((noinline)) void
act_more(struct hit *hit, const struct sdtkit_count_site *site)
{
	int i;

	for (i = 1; i < site->action_count; i++)
		act_slowly(hit, &site->actions[i], site->actions[i].plan);
}

/* A probe of spans some of which have filters. */
static __attribute__((noinline)) void
act_filtered(struct hit *hit, const struct sdtkit_count_site *site)
{
	const struct sdtkit_count_action *action = site->actions;
	const struct sdtkit_count_action *end = action + site->action_count;

	for (; action < end; action++) {
		if (action->tests != NULL)
			finish(hit, action, action->plan, action->plan->flags,
			       true);
		else
			act_slowly(hit, action, action->plan);
	}
}

FAST void set_lane(struct hit *hit, struct sdtkit_record_lane *lane)
{
	hit->lane = lane;
	hit->set = (void *)lane->data;
	hit->own = lane->user;
}

/* The first hit of the thread at this level, and each hit of a guest. */
static __attribute__((cold, noinline)) bool
set_first(struct hit *hit, uint32_t level, struct sdtkit_record_lane *guests)
{
	struct sdtkit_record_lane *lane =
		sdtkit_record_claim(hit->writer, &sdtkit_record_thread, level,
				    guests, &hit->cursor.is_over);

	if (lane == NULL)
		return false;
	set_lane(hit, lane);
	hit->own = &hit->counter->privates[lane->ring - hit->writer->rings];
	hit->cursor.is_careful = sdtkit_record_thread.is_careful;
	if (atomic_load(&hit->set->used) == 0)
		atomic_store(&hit->set->used, sizeof(*hit->set));
	if (lane != guests)
		leave_stacks(hit);
	/* If a handler jumps out before, the lane has no user yet. */
	BARRIER();
	lane->user = hit->own;
	return true;
}

static __attribute__((cold, noinline)) void tick(struct hit *hit)
{
	sdtkit_record_tick(hit->writer, hit->cursor.time);
	sdtkit_count_set_scale(hit->counter, hit->writer);
	hit->cursor.is_over = sdtkit_record_is_over(hit->writer->file);
}

FAST bool hit_with(const struct sdtkit_count_site *site,
		   const uint64_t *registers, bool filters)
{
	struct sdtkit_record_lane *lane, guests;
	struct hit hit;
	uint32_t level;
	char here;

	if (!enter_hit(&site->writer, &here, &level))
		return false;
	lane = lane_of(site, level);
	hit.registers = registers;
	hit.counter = site->counter;
	hit.writer = site->writer;
	hit.cursor.is_careful = sdtkit_record_thread.is_careful;
	hit.cursor.is_over = false;
	hit.cursor.pid = 0;
	hit.cursor.time = 0;
	if (has_lane(site, lane))
		set_lane(&hit, lane);
	else if (!set_first(&hit, level, &guests))
		goto leave;
	if (site->needs_time) {
		read_time(hit.writer, &hit.cursor);
		if (hit.cursor.time >= atomic_load_explicit(
				&hit.writer->clock_due, memory_order_relaxed))
			tick(&hit);
	}
	if (filters) {
		act_filtered(&hit, site);
		goto leave;
	}
	act(&hit, &site->actions[0]);
	if (site->action_count > 1)
		act_more(&hit, site);
leave:
	leave_hit(level);
	return hit.cursor.is_over;
}

static __attribute__((noinline)) bool
hit_any(const struct sdtkit_count_site *site, const uint64_t *registers)
{
	return hit_with(site, registers, false);
}

static bool hit_filtered(const struct sdtkit_count_site *site,
			 const uint64_t *registers)
{
	return hit_with(site, registers, true);
}

/* A start or an end of a call: the compiler knows most of its flags. */
FAST void call(const struct sdtkit_count_site *site, const uint64_t *registers,
	       struct sdtkit_record_lane *lane, enum sdtkit_count_plain plain,
	       uint64_t now)
{
	const struct sdtkit_count_action *action = &site->actions[0];
	const uint32_t others = ~(uint32_t)SDTKIT_COUNT_SPECIAL |
				SDTKIT_COUNT_TEXTS;
	uint32_t flags = (action->plan->flags & others) | SDTKIT_COUNT_CALL;
	struct hit hit;

	hit.cursor.is_careful = sdtkit_record_thread.is_careful;
	hit.cursor.pid = 0;
	hit.cursor.time = now;
	hit.registers = registers;
	hit.counter = site->counter;
	hit.writer = site->writer;
	set_lane(&hit, lane);
	if (plain == SDTKIT_COUNT_PLAIN_ENTRY)
		begin(&hit, action, action->plan, flags);
	else
		finish(&hit, action, action->plan, flags, false);
}

FAST bool act_plainly(const struct sdtkit_count_site *site,
		      const uint64_t *registers,
		      struct sdtkit_record_lane *lane,
		      enum sdtkit_count_plain plain, uint64_t now)
{
	if (plain == SDTKIT_COUNT_PLAIN_START)
		return begin_plainly(site, registers, lane, now);
	if (plain == SDTKIT_COUNT_PLAIN_END || plain == SDTKIT_COUNT_PLAIN_TOLD)
		return end_plainly(site, registers, lane, plain, now);
	call(site, registers, lane, plain, now);
	return true;
}

/* Returns false if hit_any() has to do it. */
FAST bool hit_plainly(const struct sdtkit_count_site *site,
		      const uint64_t *registers, enum sdtkit_count_plain plain)
{
	struct sdtkit_record_lane *lane = lane_of(site, 0);
	bool is_done = false;
	uint64_t now = 0;
	char here;

	if (moves(site, plain) || !enter_outermost(&here))
		return false;
	if (has_lane(site, lane) &&
	    (plain == SDTKIT_COUNT_PLAIN_TOLD || read_clock(site, &now)))
		is_done = act_plainly(site, registers, lane, plain, now);
	leave_hit(0);
	return __builtin_expect(is_done, 1);
}

#define HIT(name, plain)						\
	static bool							\
	hit_##name(const struct sdtkit_count_site *site,		\
		   const uint64_t *registers)				\
	{								\
		return !hit_plainly(site, registers, plain) &&		\
		       hit_any(site, registers);			\
	}

HIT(told, SDTKIT_COUNT_PLAIN_TOLD)
HIT(start, SDTKIT_COUNT_PLAIN_START)
HIT(end, SDTKIT_COUNT_PLAIN_END)
HIT(entry, SDTKIT_COUNT_PLAIN_ENTRY)
HIT(exit, SDTKIT_COUNT_PLAIN_EXIT)

bool (*const sdtkit_count_hits[SDTKIT_COUNT_PLAIN_KINDS])
	(const struct sdtkit_count_site *site, const uint64_t *registers) = {
	[SDTKIT_COUNT_NOT_PLAIN] = hit_any,
	[SDTKIT_COUNT_WITH_FILTER] = hit_filtered,
	[SDTKIT_COUNT_PLAIN_ENTRY] = hit_entry,
	[SDTKIT_COUNT_PLAIN_EXIT] = hit_exit,
	[SDTKIT_COUNT_PLAIN_TOLD] = hit_told,
	[SDTKIT_COUNT_PLAIN_START] = hit_start,
	[SDTKIT_COUNT_PLAIN_END] = hit_end,
};

bool sdtkit_count_hit(void *of, const uint64_t *registers, void *context)
{
	const struct sdtkit_count_site *site = of;

	return site->hit(site, registers);
}
