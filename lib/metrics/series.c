/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * series.c - which names have series of their own.
 *
 *	known: 1,024 names with what was counted in their series so far
 *	       some are shown: requests are added to their value
 *	       the others are not: requests are added to "other"
 *
 * So a request is counted once, and what was counted never moves. Whether a
 * name is shown may change at any time then; it changes rarely, because each
 * series that begins costs those who keep it.
 */
#include <string.h>

#include "base/text.h"
#include "series.h"

static const unsigned long long IDLE_NS = 3600000000000ULL;
static const unsigned long long CHANGE_NS = 600000000000ULL;

static int *chain_of(struct series_set *set, const char *name)
{
	unsigned long long hash = 14695981039346656037ULL;

	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211ULL;
	return &set->chains[(hash ^ hash >> 32) % SERIES_CHAINS];
}

static struct series *find(struct series_set *set, const char *name)
{
	int i;

	for (i = *chain_of(set, name); i != 0; i = set->known[i - 1].next) {
		if (strcmp(set->known[i - 1].name, name) == 0)
			return &set->known[i - 1];
	}
	return NULL;
}

static void unchain(struct series_set *set, const struct series *s)
{
	int *link = chain_of(set, s->name);
	int index = (int)(s - set->known) + 1;

	while (*link != index)
		link = &set->known[*link - 1].next;
	*link = s->next;
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

/*
 * Returns the entry of the name that has been idle for longest, or NULL.
 * Looking for it takes long, and with thousands of new names at a time it is in
 * vain.
 */
static struct series *forget_one(struct series_set *set)
{
	struct series *found = NULL;
	int i;

	if (set->num_new == SERIES_NEW)
		return NULL;
	set->num_new++;
	for (i = 0; i < set->num_known; i++) {
		struct series *s = &set->known[i];

		if (!s->shown && s->last < set->now &&
		    is_better_to_forget(s, found))
			found = s;
	}
	if (found != NULL)
		unchain(set, found);
	return found;
}

static struct series *learn(struct series_set *set, const char *name)
{
	struct series *s;
	int *chain;

	if (set->num_known < SERIES_KNOWN)
		s = &set->known[set->num_known++];
	else
		s = forget_one(set);
	if (s == NULL)
		return NULL;
	memset(s, 0, sizeof(*s));
	memcpy(s->name, name, strlen(name));
	chain = chain_of(set, s->name);
	s->next = *chain;
	*chain = (int)(s - set->known) + 1;
	return s;
}

static void show(struct series_set *set, struct series *s)
{
	s->shown = true;
	s->was_shown = true;
	set->num_shown++;
}

static void hide(struct series_set *set, struct series *s)
{
	int op;

	s->shown = false;
	set->num_shown--;
	for (op = 0; op < TSMBD_OPS; op++) {
		set->num_pairs -= s->pairs[op].shown;
		s->pairs[op].shown = false;
	}
}

/* Returns whether there is room for another series; makes it if it can. */
static bool has_room(struct series_set *set)
{
	struct series *idle = NULL;
	int i;

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
	int i;

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
	int i;

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

void series_begin(struct series_set *set, int max_shown)
{
	memset(set, 0, sizeof(*set));
	set->max_shown = max_shown;
}

void series_limit(struct series_set *set, int max_shown)
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

static void add(struct series_value *to, const struct series_value *value)
{
	to->requests += value->requests;
	to->errors += value->errors;
	to->bytes += value->bytes;
	to->ns += value->ns;
}

void series_add(struct series_set *set, const char *text,
		const struct series_value *value)
{
	char name[SERIES_NAME];
	struct series *s;

	text_plain(text, name, sizeof(name));
	s = find(set, name);
	if (s == NULL && strcmp(name, "other") != 0)
		s = learn(set, name);
	if (s == NULL) {
		add(&set->other, value);
		return;
	}
	if (!s->shown && s->last != set->now && has_room(set))
		show(set, s);
	s->last = set->now;
	s->recent += value->requests;
	add(s->shown ? &s->value : &set->other, value);
}

void series_add_pair(struct series_set *set, const char *text,
		     unsigned int opcode, unsigned long long requests,
		     unsigned long long ns)
{
	struct series_pair *pair = &set->other_pairs[opcode];
	char name[SERIES_NAME];
	struct series *s;

	s = find(set, text_plain(text, name, sizeof(name)));
	if (s != NULL && s->shown) {
		struct series_pair *own = &s->pairs[opcode];

		if (!own->shown && set->num_pairs < SERIES_PAIRS) {
			own->shown = true;
			set->num_pairs++;
		}
		if (own->shown)
			pair = own;
	}
	pair->requests += requests;
	pair->ns += ns;
}
