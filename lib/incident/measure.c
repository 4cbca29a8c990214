/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.c - compares a report with a condition.
 *
 * A request counts in the second in which its result was known. A second in
 * which no such request had a result has no percentiles. That is so when nobody
 * asks for anything, and also when smbd hangs: the requests that are under way
 * tell one from the other.
 */
#include <math.h>
#include <string.h>

#include "slots/slots.h"
#include "measure.h"
#include "tsmbd/report.h"

/* The row of a command, or the sum of the rows of all. */
struct row {
	struct tsmbd_op op;
	struct tsmbd_extreme extreme;
};

static void add_row(struct row *row, const struct counters *c, int op)
{
	const struct tsmbd_extreme *extreme = &c->extremes[op];
	const unsigned long long *from = (const void *)&c->ops[op];
	unsigned long long *to = (void *)&row->op;
	size_t i;

	if (c->ops[op].count == 0)
		return;
	for (i = 0; i < sizeof(row->op) / sizeof(*to); i++)
		to[i] += from[i];
	if (row->extreme.min == 0 || extreme->min < row->extreme.min)
		row->extreme.min = extreme->min;
	if (extreme->max > row->extreme.max)
		row->extreme.max = extreme->max;
}

/* The times of all commands are without those that wait for a change. */
static void collect(const struct term *term, const struct counters *c,
		    struct row *row)
{
	int op;

	memset(row, 0, sizeof(*row));
	if (term->subject != CONDITION_ALL) {
		add_row(row, c, term->subject);
		return;
	}
	for (op = 0; op < TSMBD_OPS; op++) {
		if (op != TSMBD_NOTIFY || term->kind != CONDITION_TIME)
			add_row(row, c, op);
	}
}

static double quantile_ns(const struct row *row, double part)
{
	return slots_quantile_fine(row->op.slots, part, row->extreme.min,
				   row->extreme.max) * 1000;
}

static double per_second(unsigned long long count, const struct smbd_report *r)
{
	return r->elapsed_ns == 0 ? 0 :
	       (double)count * 1e9 / (double)r->elapsed_ns;
}

static double part_of(unsigned long long part, unsigned long long all)
{
	return all == 0 ? 0 : 100.0 * (double)part / (double)all;
}

static double lost(const struct counters *c)
{
	unsigned long long sum = 0;
	int i;

	for (i = 0; i < TSMBD_LOST_KINDS; i++)
		sum += c->lost[i];
	return (double)sum;
}

static double value_of_server(const struct term *term, const struct smbd_report *r)
{
	const struct tally *t = &r->tally;

	switch (term->measure) {
	case MEASURE_SHARE:
		return part_of(t->phase_ns[term->subject], t->sum_ns);
	case MEASURE_CONNECTIONS:
		return (double)t->connected;
	case MEASURE_SESSIONS:
		return (double)t->sessions;
	case MEASURE_OPEN_FILES:
		return (double)t->opens;
	case MEASURE_UNDER_WAY:
		return (double)(t->under_way - t->notifies);
	default:
		return lost(&r->counters);
	}
}

static double value_of_row(const struct term *term, const struct row *row,
			   const struct smbd_report *r)
{
	const struct tsmbd_op *op = &row->op;

	switch (term->measure) {
	case MEASURE_P50:
		return quantile_ns(row, 0.5);
	case MEASURE_P95:
		return quantile_ns(row, 0.95);
	case MEASURE_P99:
		return quantile_ns(row, 0.99);
	case MEASURE_P999:
		return quantile_ns(row, 0.999);
	case MEASURE_MAX:
		return (double)row->extreme.max;
	case MEASURE_AVG:
		return (double)op->total_ns / (double)op->count;
	case MEASURE_RATE:
		return per_second(op->count, r);
	case MEASURE_COUNT:
		return (double)op->count;
	case MEASURE_ERRORS:
		return term->kind == CONDITION_PERCENT ?
		       part_of(op->errors, op->count) : (double)op->errors;
	case MEASURE_BYTES_IN:
		return per_second(op->bytes_in, r);
	case MEASURE_BYTES_OUT:
		return per_second(op->bytes_out, r);
	case MEASURE_OPLOCK_WAIT:
		return (double)op->oplock_ns;
	default:
		return (double)op->ctdb_ns;
	}
}

/* What has no value without a request; else it is 0. */
static bool needs_request(const struct term *term)
{
	return term->kind == CONDITION_TIME || term->kind == CONDITION_PERCENT;
}

bool measure_term(const struct term *term, const struct smbd_report *r,
		  double *value)
{
	struct row row;

	if (term->measure >= MEASURE_SHARE) {
		*value = value_of_server(term, r);
		return term->measure != MEASURE_SHARE || r->tally.sum_ns > 0;
	}
	collect(term, &r->counters, &row);
	if (row.op.count == 0 && needs_request(term))
		return false;
	*value = value_of_row(term, &row, r);
	return true;
}

static bool compare(const struct term *term, double value)
{
	switch (term->compare) {
	case COMPARE_MORE:
		return value > term->limit;
	case COMPARE_MORE_OR_SAME:
		return value >= term->limit;
	case COMPARE_LESS:
		return value < term->limit;
	case COMPARE_LESS_OR_SAME:
		return value <= term->limit;
	}
	return false;
}

enum verdict measure_condition(const struct condition *c,
			       const struct smbd_report *r,
			       double values[CONDITION_TERMS])
{
	enum verdict verdict = VERDICT_HOLDS;
	bool fails = false;
	int i;

	for (i = 0; i < c->num_terms; i++) {
		if (!measure_term(&c->terms[i], r, &values[i])) {
			values[i] = NAN;
			verdict = VERDICT_OPEN;
		} else if (!compare(&c->terms[i], values[i])) {
			fails = true;
		}
	}
	if (fails)
		return VERDICT_FAILS;
	if (verdict == VERDICT_OPEN &&
	    r->tally.under_way <= r->tally.notifies)
		return VERDICT_FAILS;
	return verdict;
}
