/* SPDX-License-Identifier: BSD-2-Clause */
/* random_report.c - makes reports. */
#include <stdio.h>
#include <string.h>

#include "random_report.h"

static unsigned long long state;

static unsigned int random_below(unsigned int limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(state >> 33) % limit;
}

/* About as smbd has them: most take 40 to 200 us, and a few very long. */
static unsigned int random_ns(unsigned int op)
{
	unsigned int us = 20 + 10 * op + random_below(50) + random_below(100);

	if (random_below(100) == 0)
		us *= 1 + random_below(1000);
	return us * 1000 + random_below(1000);
}

static void count_time(struct report *r, size_t t, void *row, unsigned int ns)
{
	const struct report_table *table = report_table(r, t);
	const struct report_column *slots = report_column_find(table, "slots");

	report_slot_add(slots, row, report_slot_of(slots, ns / 1000), 1);
}

static void add_request(struct report *r, struct operation_row *row)
{
	struct tsmbd_extreme *x = &row->extreme;
	unsigned int ns = random_ns(row->opcode);
	struct tsmbd_op *op = &row->op;

	op->count++;
	op->total_ns += ns;
	op->run_ns += ns - ns / 10;
	op->waited_ns += ns / 10;
	if (row->opcode == TSMBD_READ && op->count % 50 == 0) {
		op->limited++;
		op->limit_ns += ns / 20;
	}
	if (row->opcode == TSMBD_CREATE && op->count % 50 == 0) {
		op->kept++;
		op->refused += op->count % 100 == 0;
	}
	op->bytes_in += 100 + random_below(60);
	op->bytes_out += row->opcode == TSMBD_READ ? 65536 : 80;
	count_time(r, SMBD_OPERATIONS, row, ns);
	x->min = x->min == 0 || ns < x->min ? ns : x->min;
	x->max = ns > x->max ? ns : x->max;
}

static void add_error(struct report *r, struct operation_row *row)
{
	struct error_count *error = report_append(r, SMBD_ERRORS);

	row->op.errors = 1;
	error->opcode = row->opcode;
	error->status = 0xc0000034 + random_below(4);
	error->count = 1;
}

static void fill_operations(struct report *r, const struct random_load *load)
{
	static const unsigned char often[] = { 5, 6, 8, 9, 14, 16, 17, 3, 1, 2,
		0, 4, 7, 10, 11, 12, 13, 15, 18, 19 };
	struct server_row *sums = server_row(r);
	struct operation_row *row;
	unsigned int i, count;

	for (i = 0; i < load->commands; i++) {
		row = report_append(r, SMBD_OPERATIONS);
		row->opcode = often[i];
		for (count = 1 + random_below(load->requests); count > 0; count--)
			add_request(r, row);
		if (random_below(3) == 0)
			add_error(r, row);
		sums->requests += row->op.count;
		sums->bytes_in += row->op.bytes_in;
		sums->bytes_out += row->op.bytes_out;
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

static void fill_names(struct report *r, unsigned int kind, unsigned int names)
{
	static const char *const forms[] = { "ipv4:192.0.2.%u", "user%u",
		"share%u", "dir/letter-%u.odt" };
	unsigned int i, ns, requests;
	struct name_row *row;

	for (i = 0; i < names; i++) {
		row = report_append(r, SMBD_CLIENTS + kind);
		ns = random_ns(5);
		snprintf(row->name, sizeof(row->name), forms[kind],
			 i * 7 + random_below(7));
		if (kind == TSMBD_FILES)
			strcpy(row->share, "data");
		requests = 1 + random_below(100);
		row->requests = requests;
		row->errors = random_below(2);
		row->bytes = random_below(1 << 20);
		row->ns = (unsigned long long)requests * ns;
		row->max = ns;
		for (; requests > 0; requests--)
			count_time(r, SMBD_CLIENTS + kind, row, ns);
	}
}

static void fill_waits(struct report *r, unsigned int waits)
{
	struct waited *w;
	unsigned int i;

	for (i = 0; i < waits; i++) {
		w = report_append(r, SMBD_WAITS);
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

struct report *random_report(unsigned int seed, const struct random_load *load)
{
	struct report *r = report_new(&smbd_tables);
	struct server_row *server = server_row_new(r);
	struct disk_row *disk;
	unsigned int i;

	state = seed;
	r->elapsed_ns = 1000000000;
	r->end_ns = (seed + 1ULL) * 1000000000;
	server->vnn = 2;
	fill_tally(&server->tally);
	fill_operations(r, load);
	for (i = 0; i < 2; i++) {
		disk = report_append(r, SMBD_DISK);
		disk->direction = i;
		disk->io.count = random_below(1000);
		disk->io.ns = random_below(1000000000);
		disk->io.slots[random_below(20)] = disk->io.count;
	}
	server->lost[random_below(TSMBD_LOST_KINDS)] = random_below(2);
	for (i = 0; i < TSMBD_KINDS; i++)
		fill_names(r, i, load->names);
	fill_waits(r, load->waits);
	return r;
}
