/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.c - which names have series of their own.
 *
 *	known: 1,024 names
 *	       some are shown: requests are added to their row of the sum
 *	       the others are not: requests are added to "other"
 *
 *	postgres,query,select 1		shown
 *	postgres,query,other		the names of this group without series
 *	postgres,other,other		of groups beyond the limits
 *	other,other,other		of parts beyond the limits
 *
 * So a request is counted once, and what was counted never moves. Whether a
 * name is shown may change at any time then; it changes rarely, because each
 * series that begins costs those who keep it.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "series.h"

static const unsigned long long CHANGE_NS = 600000000000ULL;

/* Appends the row of a name that had none so far. */
static void append_row(const struct series_set *set, const struct series *s)
{
	const struct report_table *table =
		report_table(set->sum, set->of->table);
	void *keys = memory_zeros(1, table->row_size);
	char text[sizeof(set->keys)];
	char *at = strcpy(text, s->keys);
	size_t i;

	for (i = 0; i < set->num_keys; i++)
		report_key_copy(&table->keys[i], keys, strsep(&at, "\n"));
	report_want(set->sum, set->of->table, keys);
	free(keys);
}

static bool is_full(const struct series_set *set,
		    const struct series_part *part)
{
	return set->of->most > 0 && part->num_shown >= set->of->most;
}

/* Returns whether there is room for another series; makes it if it can. */
static bool has_room(struct series_set *set, struct series_part *part)
{
	bool full = is_full(set, part);
	struct series *idle = NULL;
	size_t i;

	if (!full && set->num_shown < set->max_shown)
		return true;
	for (i = 0; i < set->num_known && part->full != set->now; i++) {
		struct series *s = &set->known[i];

		if (s->shown && (!full || s->part == part) &&
		    (idle == NULL || s->last < idle->last))
			idle = s;
	}
	if (idle == NULL || set->now - idle->last < SERIES_IDLE_NS) {
		part->full = set->now;
		return false;
	}
	series_hide(set, idle);
	return true;
}

/*
 * Returns the one with the most or the least requests since the last change: of
 * a part, or of all parts that may have another one.
 */
static struct series *extreme(struct series_set *set, bool shown,
			      const struct series_part *part)
{
	struct series *found = NULL;
	size_t i;

	for (i = 0; i < set->num_known; i++) {
		struct series *s = &set->known[i];

		if (s->shown != shown ||
		    (part == NULL ? !shown && is_full(set, s->part) :
				    s->part != part))
			continue;
		if (found == NULL || (shown ? s->recent < found->recent :
					      s->recent > found->recent))
			found = s;
	}
	return found;
}

/* The busiest names get the series of those that are less than half as busy. */
static void swap(struct series_set *set, const struct series_part *part)
{
	struct series *least, *most;

	for (;;) {
		least = extreme(set, true, part);
		most = extreme(set, false, part);
		if (least == NULL || most == NULL ||
		    most->recent / 2 <= least->recent)
			break;
		series_hide(set, least);
		series_show(set, most);
		append_row(set, most);
	}
}

static void change(struct series_set *set)
{
	size_t i;

	for (i = 0; i < SERIES_PARTS; i++) {
		if (set->parts[i].name != NULL)
			swap(set, &set->parts[i]);
	}
	swap(set, NULL);
	for (i = 0; i < set->num_known; i++)
		set->known[i].recent = 0;
}

struct series_set *series_new(struct report *sum,
			      const struct metrics_table *of,
			      unsigned int max_shown)
{
	const struct report_table *table = report_table(sum, of->table);
	struct series_set *set = memory_zeros(1, sizeof(*set));

	set->sum = sum;
	set->of = of;
	set->num_keys = table->num_keys;
	set->like = memory_zeros(1, table->row_size);
	set->max_shown = max_shown;
	set->max_known = max_shown + max_shown / 2;
	if (set->max_known < SERIES_KNOWN)
		set->max_known = SERIES_KNOWN;
	set->known = memory_zeros(set->max_known, sizeof(*set->known));
	return set;
}

static void forget_nothing(void *node) { }

void series_free(struct series_set *set)
{
	size_t i;

	if (set == NULL)
		return;
	tdestroy(set->by_keys, forget_nothing);
	for (i = 0; i < set->num_known; i++)
		free(set->known[i].keys);
	for (i = 0; i < SERIES_PARTS; i++)
		free(set->parts[i].name);
	free(set->known);
	free(set->like);
	free(set);
}

void series_limit(struct series_set *set, unsigned int max_shown)
{
	set->max_shown = max_shown;
	while (set->num_shown > max_shown)
		series_hide(set, extreme(set, true, NULL));
}

void series_set_time(struct series_set *set, unsigned long long now)
{
	set->now = now;
	set->num_new = 0;
	if (set->due == 0)
		set->due = now + CHANGE_NS;
	if (now < set->due)
		return;
	change(set);
	set->due = now + CHANGE_NS;
}

/* Whether the group of the keys may have a row "other" of its own. */
static bool has_other(struct series_set *set, struct series_part *part)
{
	if ((set->of->most > 0 && part->num_others >= set->of->most) ||
	    (set->num_others >= SERIES_OTHERS &&
	     series_forget_part(set) == NULL))
		return false;
	part->num_others++;
	set->num_others++;
	return true;
}

/*
 * Sets the keys to those of the row of what has no series. The rows of groups
 * have a limit as well, as names of groups are also chosen by others.
 */
static void set_other(struct series_set *set)
{
	size_t t = set->of->table, i;
	const struct report_key *keys = report_table(set->sum, t)->keys;
	struct series_part *part = series_part_of(set);

	report_key_copy(&keys[set->num_keys - 1], set->like, "other");
	if (report_find(set->sum, t, set->like) != NULL)
		return;
	if (part != NULL && has_other(set, part)) {
		report_want(set->sum, t, set->like);
		return;
	}
	for (i = part == NULL ? 0 : 1; i < set->num_keys; i++)
		report_key_copy(&keys[i], set->like, "other");
}

static bool is_other(const struct series_set *set)
{
	const struct report_key *keys =
		report_table(set->sum, set->of->table)->keys;

	return strcmp(report_key_text(&keys[set->num_keys - 1], set->like,
				      NULL), "other") == 0;
}

void series_add(struct series_set *set, const void *row)
{
	size_t t = set->of->table;
	const struct report_table *table = report_table(set->sum, t);
	struct series *s = series_look_up(set, t, row);

	if (s == NULL && !is_other(set))
		s = series_learn(set);
	if (s != NULL) {
		if (!s->shown && s->last != set->now && has_room(set, s->part))
			series_show(set, s);
		s->part->last = s->last = set->now;
		s->recent += report_get(table->columns, row);
	}
	if (s == NULL || !s->shown)
		set_other(set);
	report_sum_row(table, report_want(set->sum, t, set->like), row);
}

static unsigned long long bit_of(const struct series_set *set, const void *row)
{
	const struct report_table *table =
		report_table(set->sum, set->pairs->table);

	return 1ULL << report_key_number(&table->keys[set->num_keys], row);
}

/* Returns the row of the sum with the keys, and the rest of those of a row. */
static void *want_pair(const struct series_set *set, const void *row)
{
	size_t t = set->pairs->table, i;
	const struct report_table *table = report_table(set->sum, t);
	const struct report_key *names =
		report_table(set->sum, set->of->table)->keys;
	void *keys = memory_zeros(1, table->row_size);
	void *found;

	memcpy(keys, row, table->row_size);
	for (i = 0; i < table->num_keys; i++) {
		if (table->keys[i].size > 0)
			series_set_key(&table->keys[i], keys,
				       i < set->num_keys ?
				       report_key_text(&names[i], set->like,
						       NULL) :
				       report_key_text(&table->keys[i], row,
						       NULL));
	}
	found = report_want(set->sum, t, keys);
	free(keys);
	return found;
}

/* Whether a name has a series of its own with the other keys of a row. */
static bool shows_pair(const struct series_set *set, const struct series *s,
		       const void *row)
{
	return s->shown && (set->pairs->most == 0 ||
			    (s->pairs & bit_of(set, row)) != 0);
}

void series_add_pair(struct series_set *set, const void *row)
{
	size_t t = set->pairs->table;
	struct series *s = series_look_up(set, t, row);

	if (s != NULL && s->shown && !shows_pair(set, s, row) &&
	    set->num_pairs < set->pairs->most) {
		s->pairs |= bit_of(set, row);
		set->num_pairs++;
	}
	if (s == NULL || !shows_pair(set, s, row))
		set_other(set);
	report_sum_row(report_table(set->sum, t), want_pair(set, row), row);
}

bool series_shows(struct series_set *set, size_t t, const void *row)
{
	const struct series *s = series_look_up(set, t, row);

	return s == NULL || (t == set->of->table ? s->shown :
						   shows_pair(set, s, row));
}

const void *series_row(struct series_set *set, const void *row)
{
	size_t t = set->of->table;
	const struct report_key *keys = report_table(set->sum, t)->keys;
	const struct series *s = series_look_up(set, t, row);

	if (s == NULL || !s->shown)
		report_key_copy(&keys[set->num_keys - 1], set->like, "other");
	return report_find(set->sum, t, set->like);
}
