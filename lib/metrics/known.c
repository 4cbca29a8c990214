/* SPDX-License-Identifier: BSD-2-Clause */
/* known.c - the names that are remembered, and the parts that they are of. */
#include <err.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "known.h"

static int by_keys(const void *a, const void *b)
{
	const struct series *x = a, *y = b;

	return strcmp(x->keys, y->keys);
}

static void insert(struct series_set *set, struct series *s)
{
	if (tsearch(s, &set->by_keys, by_keys) == NULL)
		err(1, NULL);
}

/* Joins the keys that rows of all tables of the set have. */
static void join(const struct series_set *set, size_t t, const void *row,
		 char *to)
{
	const struct report_key *key = report_table(set->sum, t)->keys;
	size_t i;

	for (i = 0; i < set->num_keys; i++)
		to = stpcpy(stpcpy(to, report_key_text(&key[i], row, NULL)),
			    "\n");
}

void series_set_key(const struct report_key *key, void *row, const char *text)
{
	char plain[SERIES_NAME];

	report_key_copy(key, row, text_plain(text, plain, sizeof(plain)));
}

struct series *series_look_up(struct series_set *set, size_t t, const void *row)
{
	const struct report_key *from = report_table(set->sum, t)->keys;
	size_t names = set->of->table;
	const struct report_key *to = report_table(set->sum, names)->keys;
	struct series like = { .keys = set->keys };
	struct series *const *found;
	size_t i;

	for (i = 0; i < set->num_keys; i++)
		series_set_key(&to[i], set->like,
			       report_key_text(&from[i], row, NULL));
	join(set, names, set->like, set->keys);
	found = tfind(&like, &set->by_keys, by_keys);
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

/* Removes the rows of the sum whose keys begin like that. */
static void remove_rows(const struct series_set *set,
			const struct metrics_table *of, const char *keys)
{
	char joined[sizeof(set->keys)];
	size_t i = 0;

	while (of != NULL && i < set->sum->rows[of->table].count) {
		const void *row = report_row(set->sum, of->table, i);

		join(set, of->table, row, joined);
		if (strncmp(joined, keys, strlen(keys)) == 0)
			report_remove(set->sum, of->table, row);
		else
			i++;
	}
}

void series_show(struct series_set *set, struct series *s)
{
	s->shown = true;
	s->was_shown = true;
	s->part->num_shown++;
	set->num_shown++;
}

void series_hide(struct series_set *set, struct series *s)
{
	s->shown = false;
	s->part->num_shown--;
	set->num_shown--;
	set->num_pairs -= (unsigned int)__builtin_popcountll(s->pairs);
	s->pairs = 0;
}

static void forget(struct series_set *set, struct series *s)
{
	struct series *last = &set->known[set->num_known - 1];

	if (s->shown)
		series_hide(set, s);
	tdelete(s, &set->by_keys, by_keys);
	free(s->keys);
	if (s != last) {
		tdelete(last, &set->by_keys, by_keys);
		*s = *last;
		insert(set, s);
	}
	set->num_known--;
}

/*
 * Forgets the name that has been idle for longest; returns whether there is
 * one. Looking for it takes long, and with thousands of new names at a time it
 * is in vain.
 */
static bool forget_one(struct series_set *set)
{
	struct series *found = NULL;
	size_t i;

	if (set->num_new == SERIES_NEW)
		return false;
	set->num_new++;
	for (i = 0; i < set->num_known; i++) {
		struct series *s = &set->known[i];

		if (!s->shown && s->last < set->now &&
		    is_better_to_forget(s, found))
			found = s;
	}
	if (found == NULL)
		return false;
	if (found->was_shown) {
		remove_rows(set, set->of, found->keys);
		remove_rows(set, set->pairs, found->keys);
	}
	forget(set, found);
	return true;
}

struct series_part *series_forget_part(struct series_set *set)
{
	struct series_part *p, *idle = NULL;
	char keys[SERIES_NAME + 1];
	size_t i;

	for (p = set->parts; p < set->parts + SERIES_PARTS; p++) {
		if (p->name != NULL && (idle == NULL || p->last < idle->last))
			idle = p;
	}
	if (idle == NULL || set->now - idle->last < SERIES_IDLE_NS)
		return NULL;
	stpcpy(stpcpy(keys, idle->name), "\n");
	remove_rows(set, set->of, keys);
	remove_rows(set, set->pairs, keys);
	for (i = set->num_known; i-- > 0;) {
		if (set->known[i].part == idle)
			forget(set, &set->known[i]);
	}
	set->num_others -= idle->num_others;
	free(idle->name);
	memset(idle, 0, sizeof(*idle));
	return idle;
}

struct series_part *series_part_of(struct series_set *set)
{
	const char *name = set->num_keys == 1 ? "" : report_key_text(
		report_table(set->sum, set->of->table)->keys, set->like, NULL);
	struct series_part *p, *part = NULL;

	for (p = set->parts; p < set->parts + SERIES_PARTS; p++) {
		if (p->name == NULL ? part == NULL : strcmp(p->name, name) == 0)
			part = p;
		if (p->name != NULL && part == p)
			break;
	}
	if (part == NULL)
		part = series_forget_part(set);
	if (part == NULL || strcmp(name, "other") == 0)
		return NULL;
	if (part->name == NULL)
		part->name = memory_of(strdup(name));
	part->last = set->now;
	return part;
}

struct series *series_learn(struct series_set *set)
{
	struct series_part *part = series_part_of(set);
	struct series *s;

	if (part == NULL ||
	    (set->num_known == set->max_known && !forget_one(set)))
		return NULL;
	s = &set->known[set->num_known++];
	*s = (struct series){
		.keys = memory_of(strdup(set->keys)), .part = part,
	};
	insert(set, s);
	return s;
}
