/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.c - which names have series of their own.
 *
 *	known: 1,024 names
 *	       some are shown: requests are added to their row of the sum
 *	       the others are not: requests are added to "other"
 *
 * So a request is counted once, and what was counted never moves. Whether a
 * name is shown may change at any time then; it changes rarely, because each
 * series that begins costs those who keep it.
 */
#include <err.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "series.h"

static const unsigned long long IDLE_NS = 3600000000000ULL;
static const unsigned long long CHANGE_NS = 600000000000ULL;

/* The name is the first member of a struct series. */
static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct series *find(const struct series_set *set, const char *name)
{
	struct series *const *found = tfind(name, &set->by_name, by_name);

	return found == NULL ? NULL : *found;
}

/* Those that were never shown have no value that somebody has seen. */
static bool is_better_to_forget(const struct series *a, const struct series *b)
{
	if (b == NULL)
		return true;
	if (a->was_shown != b->was_shown)
		return b->was_shown;
	return a->last < b->last;
}

/* Removes the rows of a name. */
static void remove_rows(struct report *sum, size_t t, const char *name)
{
	const struct report_key *key = report_table(sum, t)->keys;
	size_t i = 0;

	while (i < sum->rows[t].count) {
		const void *row = report_row(sum, t, i);

		if (strcmp(report_key_text(key, row, NULL), name) == 0)
			report_remove(sum, t, row);
		else
			i++;
	}
}

/*
 * Returns the entry of the name that has been idle for longest, or NULL.
 * Looking for it takes long, and with thousands of new names at a time it is in
 * vain.
 */
static struct series *forget_one(struct series_set *set)
{
	struct series *found = NULL;
	size_t i;

	if (set->num_new == SERIES_NEW)
		return NULL;
	set->num_new++;
	for (i = 0; i < set->num_known; i++) {
		struct series *s = &set->known[i];

		if (!s->shown && s->last < set->now &&
		    is_better_to_forget(s, found))
			found = s;
	}
	if (found == NULL)
		return NULL;
	if (found->was_shown)
		remove_rows(set->sum, set->table, found->name);
	if (found->was_shown && set->pairs != NULL)
		remove_rows(set->sum, set->pairs->table, found->name);
	tdelete(found, &set->by_name, by_name);
	return found;
}

static struct series *learn(struct series_set *set, const char *name)
{
	struct series *s;

	if (set->num_known < SERIES_KNOWN)
		s = &set->known[set->num_known++];
	else
		s = forget_one(set);
	if (s == NULL)
		return NULL;
	memset(s, 0, sizeof(*s));
	memcpy(s->name, name, strlen(name));
	if (tsearch(s, &set->by_name, by_name) == NULL)
		err(1, NULL);
	return s;
}

/*
 * Returns the row of a name, which is new if there is none; like has the other
 * keys. A limit of the table is not for the sum.
 */
static void *row_of(const struct series_set *set, size_t t, const void *like,
		    const char *name)
{
	const struct report_table *table = report_table(set->sum, t);
	void *keys = memory_zeros(1, table->row_size);
	void *row;

	if (like != NULL)
		memcpy(keys, like, table->row_size);
	report_key_copy(table->keys, keys, name);
	row = report_want(set->sum, t, keys);
	free(keys);
	return row;
}

static void show(struct series_set *set, struct series *s)
{
	row_of(set, set->table, NULL, s->name);
	s->shown = true;
	s->was_shown = true;
	set->num_shown++;
}

static void hide(struct series_set *set, struct series *s)
{
	s->shown = false;
	set->num_shown--;
	set->num_pairs -= (unsigned int)__builtin_popcountll(s->pairs);
	s->pairs = 0;
}

/* Returns whether there is room for another series; makes it if it can. */
static bool has_room(struct series_set *set)
{
	struct series *idle = NULL;
	size_t i;

	if (set->num_shown < set->max_shown)
		return true;
	for (i = 0; i < set->num_known; i++) {
		struct series *s = &set->known[i];

		if (s->shown && (idle == NULL || s->last < idle->last))
			idle = s;
	}
	if (idle == NULL || set->now - idle->last < IDLE_NS)
		return false;
	hide(set, idle);
	return true;
}

/* Returns the one with the most or the least requests since the last change. */
static struct series *extreme(struct series_set *set, bool shown)
{
	struct series *found = NULL;
	size_t i;

	for (i = 0; i < set->num_known; i++) {
		struct series *s = &set->known[i];

		if (s->shown == shown &&
		    (found == NULL || (shown ? s->recent < found->recent :
					       s->recent > found->recent)))
			found = s;
	}
	return found;
}

/* The busiest names get the series of those that are less than half as busy. */
static void change(struct series_set *set)
{
	struct series *least, *most;
	size_t i;

	for (;;) {
		least = extreme(set, true);
		most = extreme(set, false);
		if (least == NULL || most == NULL ||
		    most->recent / 2 <= least->recent)
			break;
		hide(set, least);
		show(set, most);
	}
	for (i = 0; i < set->num_known; i++)
		set->known[i].recent = 0;
}

struct series_set *series_new(struct report *sum, size_t table,
			      unsigned int max_shown)
{
	struct series_set *set = memory_zeros(1, sizeof(*set));

	set->sum = sum;
	set->table = table;
	set->max_shown = max_shown;
	return set;
}

static void forget_nothing(void *node) { }

void series_free(struct series_set *set)
{
	if (set != NULL)
		tdestroy(set->by_name, forget_nothing);
	free(set);
}

void series_limit(struct series_set *set, unsigned int max_shown)
{
	set->max_shown = max_shown;
	while (set->num_shown > max_shown)
		hide(set, extreme(set, true));
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

/* Returns the name of a row without what others must not see. */
static const char *name_of(const struct series_set *set, size_t t,
			   const void *row, char name[SERIES_NAME])
{
	const struct report_key *key = report_table(set->sum, t)->keys;

	return text_plain(report_key_text(key, row, NULL), name, SERIES_NAME);
}

void series_add(struct series_set *set, const void *row)
{
	const struct report_table *table = report_table(set->sum, set->table);
	char name[SERIES_NAME];
	struct series *s;

	s = find(set, name_of(set, set->table, row, name));
	if (s == NULL && strcmp(name, "other") != 0)
		s = learn(set, name);
	if (s != NULL) {
		if (!s->shown && s->last != set->now && has_room(set))
			show(set, s);
		s->last = set->now;
		s->recent += report_get(table->columns, row);
	}
	report_sum_row(table, row_of(set, set->table, NULL, s != NULL &&
				     s->shown ? name : "other"), row);
}

static unsigned long long bit_of(const struct series_set *set, const void *row)
{
	const struct report_table *table =
		report_table(set->sum, set->pairs->table);

	return 1ULL << report_key_number(&table->keys[1], row);
}

void series_add_pair(struct series_set *set, const void *row)
{
	unsigned long long bit = bit_of(set, row);
	size_t t = set->pairs->table;
	char name[SERIES_NAME];
	struct series *s;

	s = find(set, name_of(set, t, row, name));
	if (s != NULL && s->shown && (s->pairs & bit) == 0 &&
	    set->num_pairs < set->pairs->most) {
		s->pairs |= bit;
		set->num_pairs++;
	}
	report_sum_row(report_table(set->sum, t), row_of(
		set, t, row, s != NULL && (s->pairs & bit) != 0 ?
		name : "other"), row);
}

bool series_shows(const struct series_set *set, size_t t, const void *row)
{
	const struct report_key *key = report_table(set->sum, t)->keys;
	const struct series *s = find(set, report_key_text(key, row, NULL));

	return s == NULL || (t == set->table ? s->shown :
				     (s->pairs & bit_of(set, row)) != 0);
}
