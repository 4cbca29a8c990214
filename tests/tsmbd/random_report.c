/* SPDX-License-Identifier: BSD-2-Clause */
/* random_report.c - makes reports, and compares them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "history/add.h"
#include "random_report.h"

static unsigned long long state;

unsigned int random_below(unsigned int limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(state >> 33) % limit;
}

/* The same as slots_fine() of slots.bpf.h, which cannot be compiled here. */
static unsigned int slot_of(unsigned long long us)
{
	unsigned int power;

	if (us < 16)
		return (unsigned int)us;
	power = 63 - (unsigned int)__builtin_clzll(us);
	return (power - 2) * 8 + (us >> (power - 3)) % 8;
}

/* About as smbd has them: most take 40 to 200 us, and a few very long. */
static unsigned int random_ns(unsigned int op)
{
	unsigned int us = 20 + 10 * op + random_below(50) + random_below(100);

	if (random_below(100) == 0)
		us *= 1 + random_below(1000);
	return us * 1000 + random_below(1000);
}

static void add_request(struct counters *c, unsigned int opcode)
{
	struct tsmbd_extreme *x = &c->extremes[opcode];
	struct tsmbd_op *op = &c->ops[opcode];
	unsigned int ns = random_ns(opcode);

	op->count++;
	op->total_ns += ns;
	op->run_ns += ns - ns / 10;
	op->waited_ns += ns / 10;
	if (opcode == TSMBD_READ && op->count % 50 == 0) {
		op->limited++;
		op->limit_ns += ns / 20;
	}
	if (opcode == TSMBD_CREATE && op->count % 50 == 0) {
		op->kept++;
		op->refused += op->count % 100 == 0;
	}
	op->bytes_in += 100 + random_below(60);
	op->bytes_out += opcode == TSMBD_READ ? 65536 : 80;
	op->slots[slot_of(ns / 1000)]++;
	x->min = x->min == 0 || ns < x->min ? ns : x->min;
	x->max = ns > x->max ? ns : x->max;
}

static void fill_operations(struct smbd_report *r, const struct random_load *load)
{
	static const unsigned char often[] = { 5, 6, 8, 9, 14, 16, 17, 3, 1, 2,
		0, 4, 7, 10, 11, 12, 13, 15, 18, 19 };
	struct counters *c = &r->counters;
	unsigned int i, count;

	for (i = 0; i < load->commands; i++) {
		count = random_below(load->requests + 1);
		while (count-- > 0)
			add_request(c, often[i]);
	}
	for (i = 0; i < load->commands; i++) {
		if (c->ops[often[i]].count == 0 || random_below(3) > 0)
			continue;
		c->ops[often[i]].errors = 1;
		c->errors[c->num_errors++] = (struct error_count){ often[i],
			0xc0000034 + random_below(4), 1 };
	}
}

static void fill_tally(struct tally *t)
{
	int i;

	for (i = 0; i < TSMBD_PHASES; i++) {
		t->phase_ns[i] = random_below(1000000000);
		t->sum_ns += t->phase_ns[i];
	}
	t->elapsed_ns = t->sum_ns + random_below(1000);
	t->connected = 20 + random_below(3);
	t->processes = t->connected + random_below(3);
	t->events = random_below(10000);
	t->sessions = t->connected;
	t->opens = random_below(500);
	t->under_way = random_below(20);
	t->notifies = t->under_way / 2;
}

static void fill_top(struct top *top, int kind, const struct random_load *load)
{
	static const char *const forms[] = { "ipv4:192.0.2.%u", "user%u",
		"share%u", "dir/letter-%u.odt" };
	unsigned int i;

	if (load->names == 0)
		return;
	top->rows = calloc(load->names, sizeof(*top->rows));
	assert_non_null(top->rows);
	for (i = 0; i < load->names; i++) {
		struct top_row *row = &top->rows[top->count++];
		unsigned int ns = random_ns(5);

		snprintf(row->name, sizeof(row->name), forms[kind],
			 i * 7 + random_below(7));
		if (kind == TSMBD_FILES)
			strcpy(row->share, "data");
		row->value.requests = 1 + random_below(100);
		row->value.errors = random_below(2);
		row->value.bytes = random_below(1 << 20);
		row->value.ns = row->value.requests * ns;
		row->value.max = ns;
		row->value.slots[slot_of(ns / 1000) / 2] =
			(unsigned int)row->value.requests;
	}
	top->capacity = top->count;
}

static void fill_waits(struct smbd_report *r, const struct random_load *load)
{
	unsigned int i;

	if (load->waits == 0)
		return;
	r->waits = calloc(load->waits, sizeof(*r->waits));
	assert_non_null(r->waits);
	for (i = 0; i < load->waits; i++) {
		struct waited *w = &r->waits[r->num_waits++];

		snprintf(w->client, sizeof(w->client), "ipv4:192.0.2.%u", i);
		snprintf(w->holder, sizeof(w->holder), "ipv4:192.0.2.%u",
			 random_below(8));
		strcpy(w->share, "data");
		snprintf(w->file, sizeof(w->file), "%u", random_below(8));
		w->count = 1 + random_below(4);
		w->holder_vnn = random_below(4);
		w->max = random_below(1000000000);
		w->ns = w->max * w->count;
	}
}

void random_report(struct smbd_report *r, unsigned int seed,
		   const struct random_load *load)
{
	int i;

	memset(r, 0, sizeof(*r));
	state = seed;
	r->elapsed_ns = 999000000 + random_below(2000000);
	r->end_ns = (seed + 1ULL) * 1000000000;
	r->vnn = 2;
	fill_tally(&r->tally);
	fill_operations(r, load);
	for (i = 0; i < 2; i++) {
		r->counters.disk[i].count = random_below(1000);
		r->counters.disk[i].ns = random_below(1000000000);
		r->counters.disk[i].slots[random_below(20)] =
			r->counters.disk[i].count;
	}
	r->counters.lost[random_below(TSMBD_LOST_KINDS)] = random_below(2);
	for (i = 0; i < TSMBD_KINDS; i++)
		fill_top(&r->tops[i], i, load);
	fill_waits(r, load);
	smbd_report_add_up(r);
}

static void assert_same_rows(struct top *a, struct top *b)
{
	int i;

	top_sort(a, TSMBD_BY_REQUESTS);
	top_sort(b, TSMBD_BY_REQUESTS);
	assert_int_equal(a->count, b->count);
	for (i = 0; i < a->count; i++) {
		assert_string_equal(a->rows[i].name, b->rows[i].name);
		assert_string_equal(a->rows[i].share, b->rows[i].share);
		assert_memory_equal(&a->rows[i].value, &b->rows[i].value,
				    offsetof(struct tsmbd_top_value, pid));
	}
}

static int by_names(const void *a, const void *b)
{
	const struct waited *x = a;
	const struct waited *y = b;
	int order = strcmp(x->client, y->client);

	if (order == 0)
		order = strcmp(x->holder, y->holder);
	if (order == 0 && x->holder_vnn != y->holder_vnn)
		return x->holder_vnn < y->holder_vnn ? -1 : 1;
	return order != 0 ? order : strcmp(x->file, y->file);
}

static void sort_waits(struct smbd_report *r)
{
	if (r->num_waits > 0)
		qsort(r->waits, (size_t)r->num_waits, sizeof(*r->waits),
		      by_names);
}

void assert_same_report(struct smbd_report *a, struct smbd_report *b)
{
	int i;

	smbd_report_add_up(a);
	smbd_report_add_up(b);
	assert_int_equal(a->vnn, b->vnn);
	assert_int_equal(a->end_ns, b->end_ns);
	assert_int_equal(a->elapsed_ns, b->elapsed_ns);
	assert_memory_equal(&a->tally, &b->tally, sizeof(a->tally));
	assert_memory_equal(&a->totals, &b->totals, sizeof(a->totals));
	assert_int_equal(a->counters.num_errors, b->counters.num_errors);
	a->counters.bank = b->counters.bank;
	assert_memory_equal(&a->counters, &b->counters, sizeof(a->counters));
	for (i = 0; i < TSMBD_KINDS; i++)
		assert_same_rows(&a->tops[i], &b->tops[i]);
	sort_waits(a);
	sort_waits(b);
	assert_int_equal(a->num_waits, b->num_waits);
	for (i = 0; i < a->num_waits; i++)
		assert_memory_equal(&a->waits[i], &b->waits[i],
				    sizeof(a->waits[i]));
}
