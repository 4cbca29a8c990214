/* SPDX-License-Identifier: BSD-2-Clause */
/* old_report.c - reports that are not in tables yet, until nobody has them. */
#include <stdlib.h>

#include "report.h"
#include "rows.h"

static int by_count(const void *a, const void *b)
{
	const struct error_count *x = a;
	const struct error_count *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->opcode != y->opcode)
		return x->opcode < y->opcode ? -1 : 1;
	return x->status < y->status ? -1 : 1;
}

static struct totals add_up(const struct counters *c)
{
	struct totals totals = { 0 };
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		totals.requests += c->ops[op].count;
		totals.bytes_in += c->ops[op].bytes_in;
		totals.bytes_out += c->ops[op].bytes_out;
	}
	return totals;
}

void smbd_report_add_up(struct smbd_report *r)
{
	r->totals = add_up(&r->counters);
	qsort(r->counters.errors, (size_t)r->counters.num_errors,
	      sizeof(r->counters.errors[0]), by_count);
}

static struct report *filled(const struct smbd_report *r)
{
	static struct report rows = { .tables = &smbd_tables };

	rows_fill(&rows, r);
	return &rows;
}

void smbd_report_print(FILE *out, const struct options *options,
		       const struct smbd_report *r, bool again)
{
	smbd_print(out, options, filled(r), again);
}

json_t *smbd_report_object(const struct options *options,
			   const struct smbd_report *r)
{
	return smbd_json(options, filled(r));
}

void smbd_report_json(FILE *out, const struct options *options,
		      const struct smbd_report *r)
{
	json_t *object = smbd_report_object(options, r);

	json_dumpf(object, out, JSON_COMPACT);
	putc('\n', out);
	json_decref(object);
}
