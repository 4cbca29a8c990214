/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * totals.c - adds reports up.
 *
 * The main thread adds, and others copy. The lock is held while numbers are
 * added or copied, never while something is printed or sent, so that a reader
 * does not make a report late.
 */
#include <pthread.h>
#include <string.h>

#include "slots/slots.h"
#include "totals.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct totals_since totals;
static struct series_set sets[TOTALS_SETS];

bool totals_begin(bool has_names, int max_series)
{
	bool begins = totals.has_names != has_names ||
		sets[0].max_shown == 0;
	int kind;

	if (begins) {
		pthread_mutex_lock(&lock);
		memset(&totals, 0, sizeof(totals));
		totals.has_names = has_names;
		pthread_mutex_unlock(&lock);
	}
	for (kind = 0; kind < TOTALS_SETS; kind++) {
		if (begins)
			series_begin(&sets[kind], max_series);
		else
			series_limit(&sets[kind], max_series);
	}
	return begins;
}

static void add_op(struct op_totals *to, const struct tsmbd_op *op)
{
	unsigned long long slots[SLOTS_POWERS];
	int i;

	to->count += op->count;
	to->total_ns += op->total_ns;
	to->run_ns += op->run_ns;
	to->ctdb_ns += op->ctdb_ns;
	to->oplock_ns += op->oplock_ns;
	to->waited_ns += op->waited_ns;
	to->limit_ns += op->limit_ns;
	to->limited += op->limited;
	to->kept += op->kept;
	to->refused += op->refused;
	to->bytes_in += op->bytes_in;
	to->bytes_out += op->bytes_out;
	to->errors += op->errors;
	slots_fold(op->slots, slots);
	for (i = 0; i < SLOTS_POWERS; i++)
		to->slots[i] += slots[i];
}

/* Returns the pair of a command and a status, or NULL if there are too many. */
static struct error_count *find_error(const struct error_count *e)
{
	struct error_count *found;
	int i;

	for (i = 0; i < totals.num_errors; i++) {
		if (totals.errors[i].opcode == e->opcode &&
		    totals.errors[i].status == e->status)
			return &totals.errors[i];
	}
	if (totals.num_errors == TOTALS_ERRORS)
		return NULL;
	found = &totals.errors[totals.num_errors++];
	found->opcode = e->opcode;
	found->status = e->status;
	return found;
}

static void add_error(const struct error_count *e)
{
	struct error_count *to;

	if (e->opcode >= TSMBD_OPS || !tsmbd_is_failure(e->opcode, e->status))
		return;
	to = find_error(e);
	if (to == NULL)
		return;
	to->count += e->count;
	totals.ops[e->opcode].listed += e->count;
}

static void add_counters(const struct counters *c)
{
	int i, slot;

	for (i = 0; i < TSMBD_OPS; i++)
		add_op(&totals.ops[i], &c->ops[i]);
	for (i = 0; i < c->num_errors; i++)
		add_error(&c->errors[i]);
	for (i = 0; i < 2; i++) {
		totals.disk[i].count += c->disk[i].count;
		totals.disk[i].ns += c->disk[i].ns;
		for (slot = 0; slot < SLOTS_POWERS; slot++)
			totals.disk[i].slots[slot] += c->disk[i].slots[slot];
	}
	for (i = 0; i < TSMBD_LOST_KINDS; i++)
		totals.lost[i] += c->lost[i];
}

static void add_tally(const struct tally *t)
{
	int i;

	for (i = 0; i < TSMBD_PHASES; i++)
		totals.phase_ns[i] += t->phase_ns[i];
	totals.events += t->events;
	totals.ctdb_requests += t->ctdb_requests;
	totals.connected = t->connected;
	totals.sessions = t->sessions;
	totals.opens = t->opens;
	totals.under_way = t->under_way - t->notifies;
	totals.notifies = t->notifies;
}

static void add_names(struct series_set *set, const struct top *top)
{
	int i;

	for (i = 0; i < top->count; i++) {
		const struct tsmbd_top_value *v = &top->rows[i].value;
		const struct series_value value = {
			v->requests, v->errors, v->bytes, v->ns,
		};

		series_add(set, top->rows[i].name, &value);
	}
}

static void add_pairs(struct series_set *set, const struct top *top)
{
	int i;

	for (i = 0; i < top->count; i++) {
		const struct top_row *row = &top->rows[i];

		if (row->opcode < TSMBD_OPS)
			series_add_pair(set, row->name, row->opcode,
					row->value.requests, row->value.ns);
	}
}

/* Makes the series that are shown visible to those who copy the sums. */
static void publish(struct set_totals *to, const struct series_set *set)
{
	int i;

	to->count = 0;
	for (i = 0; i < set->num_known; i++) {
		const struct series *s = &set->known[i];

		if (!s->shown || to->count == SERIES_SHOWN)
			continue;
		memcpy(to->named[to->count].name, s->name, sizeof(s->name));
		to->named[to->count].value = s->value;
		memcpy(to->named[to->count].pairs, s->pairs, sizeof(s->pairs));
		to->count++;
	}
	to->other = set->other;
	memcpy(to->other_pairs, set->other_pairs, sizeof(to->other_pairs));
}

void totals_add(const struct smbd_report *r)
{
	int kind;

	for (kind = 0; kind < TOTALS_SETS && totals.has_names; kind++) {
		series_set_time(&sets[kind], r->end_ns);
		add_names(&sets[kind], &r->tops[kind]);
	}
	if (totals.has_names)
		add_pairs(&sets[TSMBD_SHARES], &r->share_commands);
	pthread_mutex_lock(&lock);
	totals.reports++;
	totals.end_ns = r->end_ns;
	add_counters(&r->counters);
	add_tally(&r->tally);
	for (kind = 0; kind < TOTALS_SETS && totals.has_names; kind++)
		publish(&totals.sets[kind], &sets[kind]);
	pthread_mutex_unlock(&lock);
}

void totals_copy(struct totals_since *copy)
{
	pthread_mutex_lock(&lock);
	*copy = totals;
	pthread_mutex_unlock(&lock);
}
