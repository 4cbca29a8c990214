/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts and ends of most spans: what hit.c does for any hit, in fewer
 * instructions, if all that it needs is there. If it is not, nothing has been
 * done yet.
 */
#ifndef SDTKIT_COUNT_PLAIN_H
#define SDTKIT_COUNT_PLAIN_H

#include "path.h"
#include "sums.h"
#include "times.h"
#include "under_way.h"

FAST struct sdtkit_record_lane *lane_of(const struct sdtkit_count_site *site,
					uint32_t level)
{
	return (void *)((char *)&sdtkit_record_thread + site->lanes_at +
			level * sizeof(struct sdtkit_record_lane));
}

FAST bool has_lane(const struct sdtkit_count_site *site,
		   const struct sdtkit_record_lane *lane)
{
	return __builtin_expect(sdtkit_record_is_valid(site->writer, lane) &&
				lane->user != NULL, 1);
}

/* Whether keys of the span have turned out to move between threads. */
FAST bool moves(const struct sdtkit_count_site *site,
		enum sdtkit_count_plain plain)
{
	return (plain == SDTKIT_COUNT_PLAIN_START ||
		plain == SDTKIT_COUNT_PLAIN_END) &&
	       __builtin_expect(atomic_load_explicit(
			&site->actions[0].plan->moves, memory_order_relaxed),
		       0);
}

/* Returns false if something is due that hits do seldom. */
FAST bool read_clock(const struct sdtkit_count_site *site, uint64_t *now)
{
	*now = sdtkit_record_now(site->writer);
	return *now < sdtkit_record_thread.check_due &&
	       *now < atomic_load_explicit(&site->writer->clock_due,
					   memory_order_relaxed);
}

FAST uint64_t plain_key(const struct sdtkit_count_action *action,
			const uint64_t *registers)
{
	return has_operand(action, SDTKIT_COUNT_KEY) ?
	       in_register(action, registers, SDTKIT_COUNT_KEY) : 0;
}

FAST void plain_names(const struct sdtkit_count_action *action,
		      const uint64_t *registers, uint64_t *name)
{
	if (has_operand(action, SDTKIT_COUNT_NAME))
		name[0] = in_register(action, registers, SDTKIT_COUNT_NAME);
	if (has_operand(action, SDTKIT_COUNT_NAME + 1))
		name[1] = in_register(action, registers, SDTKIT_COUNT_NAME + 1);
}

/* Returns false, and has done nothing, if its key is under way. */
FAST bool begin_plainly(const struct sdtkit_count_site *site,
			const uint64_t *registers,
			struct sdtkit_record_lane *lane, uint64_t now)
{
	const struct sdtkit_count_action *action = &site->actions[0];
	const struct hit hit = { .set = (void *)lane->data };
	const uint64_t key[SDTKIT_COUNT_KEYS] = {
		plain_key(action, registers),
	};
	uint64_t hash = hash_of(action->span, key, 0);
	struct sdtkit_count_group *group = own_group(lane->user, hash,
							     0);
	struct found found;

	if (!find_new(group, hash, action->span, key, 0, &found))
		return false;
	STAT(&hit, action->span, started);
	set_open(found.open, action->span, key, 0);
	found.open->start = now;
	clear(action->plan, 0, found.open);
	plain_names(action, registers, found.open->name);
	publish(&found, hash);
	return true;
}

/*
 * Returns false, and has counted nothing, if there is no start of this thread,
 * no row yet, or no time.
 */
FAST bool end_plainly(const struct sdtkit_count_site *site,
		      const uint64_t *registers,
		      struct sdtkit_record_lane *lane,
		      enum sdtkit_count_plain plain, uint64_t now)
{
	const struct sdtkit_count_action *action = &site->actions[0];
	struct hit hit = { .counter = site->counter, .lane = lane,
			   .set = (void *)lane->data };
	struct sdtkit_count_head head = {
		.kind = sdtkit_count_kind(SDTKIT_COUNT_ROW, action->span),
	};
	const uint64_t key[SDTKIT_COUNT_KEYS] = {
		plain_key(action, registers),
	};
	struct end end = { .total = NOT_TOLD };
	struct sdtkit_count_row *row;
	_Atomic uint64_t *slot;
	struct found found = { .state = NULL };

	if (plain == SDTKIT_COUNT_PLAIN_END) {
		uint64_t hash = hash_of(action->span, key, 0);

		if (!find_in(own_group(lane->user, hash, 0), hash,
			     action->span, key, 0, &found))
			return false;
		head.name[0] = found.open->name[0];
		head.name[1] = found.open->name[1];
	}
	plain_names(action, registers, head.name);
	if (plain == SDTKIT_COUNT_PLAIN_TOLD ||
	    has_operand(action, SDTKIT_COUNT_TIME))
		end.total = told_by(action, 0, in_register(action, registers,
						SDTKIT_COUNT_TIME));
	if (plain == SDTKIT_COUNT_PLAIN_END && end.total == NOT_TOLD)
		end.total = now > found.open->start ?
			    ns_of(&hit, now - found.open->start) : 0;
	row = end.total != NOT_TOLD ? find_entry(&hit, &head) : NULL;
	slot = row != NULL ? slot_of(&hit, row, end.total) : NULL;
	if (slot == NULL)
		return false;
	end.is_error = has_operand(action, SDTKIT_COUNT_ERROR) &&
		is_error(action->plan, (int64_t)in_register(action, registers,
						SDTKIT_COUNT_ERROR));
	/* As in count(). */
	if (sdtkit_record_is_valid(site->writer, lane)) {
		add_end(row, &end);
		add_slot(slot);
	}
	if (found.state != NULL)
		give_back(&found);
	return true;
}

#endif /* SDTKIT_COUNT_PLAIN_H */
