/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turn.c - new maps for rows and texts, when those in use fill up.
 *
 *	hit -> rows_now[0] -> rows -> the row of a name
 *	new rows -> rows_now[0], the programs that run have ended
 *	-> the old rows are read a last time, and closed
 *
 * An update of a map of maps returns when all programs have ended that may have
 * seen the old map: synchronize_rcu(). So each span is counted in one of both,
 * and nothing is added to the old one after it was read. A name that is still in
 * use comes back with its next hit.
 *
 * A text is needed as long as its hash is in a row or in a span under way. The
 * texts of spans under way are copied; rows are read a turn later at most, and
 * two old maps are kept.
 */
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "top/sweep.h"
#include "top/turn.h"

bool turn_is_due(const struct engine *e)
{
	return e->turns && (*e->rows_used >= TOP_TURN_ROWS ||
			    *e->texts_used >= TOP_TURN_TEXTS);
}

bool turn_text(const struct engine *e, unsigned long long hash,
	       struct top_text *text)
{
	int i;

	for (i = 0; i < ENGINE_TEXTS && e->texts[i] >= 0; i++) {
		if (bpf_map_lookup_elem(e->texts[i], &hash, text) == 0)
			return true;
	}
	return false;
}

/* Returns a map without entries that is like another one, or -1. */
static int new_map(int like)
{
	struct bpf_map_create_opts options = { .sz = sizeof(options) };
	struct bpf_map_info info;
	unsigned int size = sizeof(info);

	memset(&info, 0, sizeof(info));
	if (bpf_obj_get_info_by_fd(like, &info, &size) != 0)
		return -1;
	options.map_flags = info.map_flags;
	return bpf_map_create((enum bpf_map_type)info.type, info.name,
			      info.key_size, info.value_size, info.max_entries,
			      &options);
}

/* Any value may be passed: a number is not the hash of a text. */
static void keep_text(const struct engine *e, unsigned long long hash)
{
	struct top_text text;

	if (hash != 0 && turn_text(e, hash, &text))
		bpf_map_update_elem(e->texts[0], &hash, &text, BPF_NOEXIST);
}

static void keep_names(const struct top_key *key, const void *open,
		       void *engine)
{
	const struct top_open *o = open;
	int i;

	for (i = 0; i < TOP_NAMES; i++)
		keep_text(engine, o->name[i]);
}

static void keep_values(const struct top_key *key, const void *values,
			void *engine)
{
	const struct top_values *v = values;
	int i;

	for (i = 0; i < TOP_ARGUMENTS; i++)
		keep_text(engine, v->value[i]);
}

static void keep_texts(struct engine *e)
{
	const struct top_slot *slot;

	for (slot = e->slots; slot < e->slots + TOP_SLOTS; slot++) {
		if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) !=
		    TOP_IN_USE)
			continue;
		keep_names(&slot->key, &slot->open, e);
		if (e->slot_values != NULL)
			keep_values(&slot->key,
				    &e->slot_values[slot - e->slots], e);
	}
	sweep_entries(e->opens, sizeof(struct top_open), keep_names, e);
	sweep_entries(e->values, sizeof(struct top_values), keep_values, e);
}

/* Returns when no program uses the map that was there. */
static bool use(int map_now, int map)
{
	const unsigned int zero = 0;

	return bpf_map_update_elem(map_now, &zero, &map, BPF_ANY) == 0;
}

static bool turn_texts(struct engine *e)
{
	int fresh = new_map(e->texts[0]);

	if (fresh < 0)
		return false;
	*e->texts_used = 0;
	if (!use(e->texts_now, fresh)) {
		close(fresh);
		return false;
	}
	if (e->texts[ENGINE_TEXTS - 1] >= 0)
		close(e->texts[ENGINE_TEXTS - 1]);
	memmove(&e->texts[1], &e->texts[0],
		(ENGINE_TEXTS - 1) * sizeof(e->texts[0]));
	e->texts[0] = fresh;
	keep_texts(e);
	return true;
}

int turn(struct engine *e)
{
	int old = e->rows;
	int fresh;

	if (!turn_is_due(e))
		return -1;
	/* first, since old texts are let go with those of a turn */
	fresh = new_map(old);
	if (fresh < 0)
		return -1;
	if (engine_add_others(fresh, e->num_spans) != 0 || !turn_texts(e)) {
		close(fresh);
		return -1;
	}
	*e->rows_used = 0;
	if (!use(e->rows_now, fresh)) {
		close(fresh);
		return -1;
	}
	e->rows = fresh;
	return old;
}
