/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * add.c - adds reports up.
 *
 * Names are looked up in a hash table beside the rows, because a busy server
 * has thousands of them in each second. Sorting the rows drops that table.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/add.h"

enum { FIRST_INDEX = 64 };

/* Adds counters of 8 bytes, which is all that such a struct has. */
static void add_words(void *into, const void *from, size_t size)
{
	const unsigned long long *b = from;
	unsigned long long *a = into;
	size_t i;

	for (i = 0; i < size / sizeof(*a); i++)
		a[i] += b[i];
}

static void add_extreme(struct tsmbd_extreme *into,
			const struct tsmbd_extreme *from)
{
	if (from->min != 0 && (into->min == 0 || from->min < into->min))
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

static void add_error(struct counters *c, const struct error_count *error)
{
	int i;

	for (i = 0; i < c->num_errors; i++) {
		if (c->errors[i].opcode == error->opcode &&
		    c->errors[i].status == error->status) {
			c->errors[i].count += error->count;
			return;
		}
	}
	if (i == TSMBD_MAX_ERRORS)
		c->lost[TSMBD_LOST_ERRORS] += error->count;
	else
		c->errors[c->num_errors++] = *error;
}

static void add_counters(struct counters *into, const struct counters *from)
{
	int i;

	add_words(into->ops, from->ops, sizeof(into->ops));
	for (i = 0; i < TSMBD_OPS; i++)
		add_extreme(&into->extremes[i], &from->extremes[i]);
	add_words(into->calls, from->calls, sizeof(into->calls));
	add_words(into->disk, from->disk, sizeof(into->disk));
	add_words(into->sizes, from->sizes, sizeof(into->sizes));
	add_words(into->lost, from->lost, sizeof(into->lost));
	for (i = 0; i < from->num_errors; i++)
		add_error(into, &from->errors[i]);
}

static void copy_now(struct tally *to, const struct tally *from)
{
	to->connected = from->connected;
	to->sessions = from->sessions;
	to->opens = from->opens;
	to->under_way = from->under_way;
	to->notifies = from->notifies;
}

static void add_now(struct tally *to, const struct tally *from)
{
	to->connected += from->connected;
	to->sessions += from->sessions;
	to->opens += from->opens;
	to->under_way += from->under_way;
	to->notifies += from->notifies;
}

/* Adds what a time has; not what is there at its end. */
static void add_tally(struct tally *into, const struct tally *from)
{
	int i;

	for (i = 0; i < TSMBD_PHASES; i++)
		into->phase_ns[i] += from->phase_ns[i];
	into->sum_ns += from->sum_ns;
	into->elapsed_ns += from->elapsed_ns;
	into->events += from->events;
	into->ctdb_requests += from->ctdb_requests;
	into->syscall_ns += from->syscall_ns;
}

/* Those that have ended in this time. */
static unsigned long long ended(const struct tally *t)
{
	return t->processes > t->connected ? t->processes - t->connected : 0;
}

/* A process that lives on is in several reports, and counts once. */
static void add_processes(struct tally *into, const struct tally *from,
			  bool later)
{
	unsigned long long processes = ended(into) + ended(from);

	if (later)
		copy_now(into, from);
	into->processes = processes + into->connected;
}

static unsigned int hash_text(unsigned int hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619U;
	return hash * 16777619U;
}

static unsigned int hash_row(const struct top_row *row)
{
	return hash_text(hash_text(2166136261U, row->name), row->share);
}

/* Returns where the table has this row, or where it would be. */
static unsigned int *look_up(const struct top *top, const struct top_row *row)
{
	unsigned int at = hash_row(row);
	unsigned int *entry;

	for (;; at++) {
		entry = &top->index[at & (top->index_size - 1)];
		if (*entry == 0 ||
		    top_by_name(&top->rows[*entry - 1], row) == 0)
			return entry;
	}
}

/* The table is twice as large as the rows may get until the next call. */
static void build_index(struct top *top)
{
	unsigned int size = FIRST_INDEX;
	int i;

	while (size < 4 * (unsigned int)top->count)
		size *= 2;
	free(top->index);
	top->index_size = size;
	top->index = calloc(size, sizeof(*top->index));
	if (top->index == NULL)
		err(1, NULL);
	for (i = 0; i < top->count; i++)
		*look_up(top, &top->rows[i]) = (unsigned int)i + 1;
}

/* What the kernel had of the name is left out: it is told already. */
static void add_row(struct top *top, const struct top_row *from)
{
	unsigned int *entry;
	struct top_row *row;

	if (top->index == NULL ||
	    2 * ((unsigned int)top->count + 1) > top->index_size)
		build_index(top);
	entry = look_up(top, from);
	if (*entry == 0) {
		row = top_new_row(top);
		*entry = (unsigned int)top->count;
		strcpy(row->name, from->name);
		strcpy(row->share, from->share);
	}
	top_add_row(&top->rows[*entry - 1], from);
}

static bool is_other(const struct top_row *row)
{
	return strcmp(row->name, ADD_OTHER) == 0 && row->share[0] == '\0';
}

/* Marks rows by each order in turn, until so many are marked. */
static void mark(struct top *top, int count)
{
	unsigned int order;
	int marked = 0;
	int i;

	for (order = 0; order <= TSMBD_BY_ERRORS; order++) {
		top_sort(top, order);
		for (i = 0; i < top->count &&
		     marked < count * ((int)order + 1) / 4; i++) {
			struct top_row *row = &top->rows[i];

			if (row->value.named || is_other(row))
				continue;
			row->value.named = 1;
			marked++;
		}
	}
}

void top_shrink(struct top *top, int count)
{
	struct top_row other = { .name = ADD_OTHER };
	int kept = 0;
	int i;

	if (top->count <= count)
		return;
	mark(top, count - 1);
	for (i = 0; i < top->count; i++) {
		if (!top->rows[i].value.named) {
			top_add_row(&other, &top->rows[i]);
			continue;
		}
		top->rows[i].value.named = 0;
		if (kept != i)
			top->rows[kept] = top->rows[i];
		kept++;
	}
	top->rows[kept++] = other;
	top->count = kept;
	free(top->index);
	top->index = NULL;
}

/* Shrinking takes a while, so there is room for as many again. */
void top_append(struct top *into, const struct top_row *row)
{
	add_row(into, row);
	if (into->count == 2 * ADD_ROWS)
		top_shrink(into, ADD_ROWS);
}

static void add_top(struct top *into, const struct top *from)
{
	int i;

	for (i = 0; i < from->count; i++)
		top_append(into, &from->rows[i]);
}

static bool is_same_wait(const struct waited *a, const struct waited *b)
{
	return strcmp(a->node, b->node) == 0 &&
	       strcmp(a->client, b->client) == 0 &&
	       strcmp(a->holder, b->holder) == 0 &&
	       strcmp(a->holder_node, b->holder_node) == 0 &&
	       a->holder_vnn == b->holder_vnn &&
	       strcmp(a->share, b->share) == 0 &&
	       strcmp(a->file, b->file) == 0;
}

static struct waited *find_wait(struct smbd_report *r, const struct waited *w)
{
	int i;

	for (i = 0; i < r->num_waits; i++) {
		if (is_same_wait(&r->waits[i], w))
			return &r->waits[i];
	}
	return NULL;
}

/* The last row is the one of those that do not fit. */
static struct waited *new_wait(struct smbd_report *r, const struct waited *like)
{
	static const struct waited other = { .client = ADD_OTHER };
	struct waited *w;

	if (r->num_waits >= ADD_WAITS - 1)
		like = &other;
	w = like == &other ? find_wait(r, like) : NULL;
	if (w != NULL)
		return w;
	if (r->waits == NULL)
		r->waits = calloc(ADD_WAITS, sizeof(*r->waits));
	if (r->waits == NULL)
		err(1, NULL);
	w = &r->waits[r->num_waits++];
	*w = *like;
	w->count = w->ns = w->max = 0;
	return w;
}

void smbd_report_add_wait(struct smbd_report *into, const struct waited *from)
{
	struct waited *w = find_wait(into, from);

	if (w == NULL)
		w = new_wait(into, from);
	w->count += from->count;
	w->ns += from->ns;
	if (from->max > w->max)
		w->max = from->max;
}

/* Adds what is added whatever the reports are of. */
static void add_sums(struct smbd_report *into, const struct smbd_report *from)
{
	int i;

	add_counters(&into->counters, &from->counters);
	add_tally(&into->tally, &from->tally);
	into->totals.requests += from->totals.requests;
	into->totals.bytes_in += from->totals.bytes_in;
	into->totals.bytes_out += from->totals.bytes_out;
	for (i = 0; i < TSMBD_KINDS; i++)
		add_top(&into->tops[i], &from->tops[i]);
	for (i = 0; i < from->num_waits; i++)
		smbd_report_add_wait(into, &from->waits[i]);
}

void smbd_report_add(struct smbd_report *into, const struct smbd_report *from)
{
	bool later = from->end_ns >= into->end_ns;

	memcpy(into->hosts, from->hosts, sizeof(into->hosts));
	if (from->vnn != 0)
		into->vnn = from->vnn;
	add_processes(&into->tally, &from->tally, later);
	add_sums(into, from);
	into->elapsed_ns += from->elapsed_ns;
	if (later)
		into->end_ns = from->end_ns;
}

/* Appends the name of a server; those that do not fit become dots. */
static void add_host(struct smbd_report *into, const struct smbd_report *from)
{
	size_t length = strlen(into->hosts);
	size_t left = sizeof(into->hosts) - length;

	if (length == 0)
		memcpy(into->hosts, from->hosts, sizeof(into->hosts));
	else if (strlen(from->hosts) + 6 < left)
		snprintf(into->hosts + length, left, ",%s", from->hosts);
	else if (into->hosts[length - 1] != '.' && left > 4)
		snprintf(into->hosts + length, left, ",...");
}

void smbd_report_join(struct smbd_report *into, const struct smbd_report *from)
{
	unsigned long long begin = into->end_ns - into->elapsed_ns;

	add_host(into, from);
	if (into->end_ns == 0 || from->end_ns - from->elapsed_ns < begin)
		begin = from->end_ns - from->elapsed_ns;
	into->tally.processes += from->tally.processes;
	add_now(&into->tally, &from->tally);
	add_sums(into, from);
	if (from->end_ns > into->end_ns)
		into->end_ns = from->end_ns;
	into->elapsed_ns = into->end_ns - begin;
}

static int by_wait(const void *a, const void *b)
{
	const struct waited *x = a;
	const struct waited *y = b;

	return x->ns < y->ns ? 1 : -(x->ns > y->ns);
}

void smbd_report_sort(struct smbd_report *r, unsigned int order)
{
	int kind;

	smbd_report_add_up(r);
	for (kind = 0; kind < TSMBD_KINDS; kind++)
		top_sort(&r->tops[kind], order);
	if (r->num_waits > 0)
		qsort(r->waits, (size_t)r->num_waits, sizeof(*r->waits),
		      by_wait);
}

void smbd_report_clear(struct smbd_report *r)
{
	top_free(r->tops);
	free(r->waits);
	memset(r, 0, sizeof(*r));
}
