/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.c - compares a report with a condition.
 *
 * A request counts in the second in which its result was known. A second in
 * which no such request had a result has no percentiles. That is so when nobody
 * asks for anything, and also when the server hangs: the requests that are
 * under way tell one from the other.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "measure.h"

/* Whether a row is one of those that the term is about. */
static bool is_counted(const struct measures *m, const struct term *term,
		       const void *row)
{
	const struct measure_subject *subject = term->measure->subject;
	char buffer[REPORT_NAME];
	const char *name;

	if (subject == NULL || measure_of_columns(term->measure))
		return true;
	name = measure_name(m, term->measure, row, buffer);
	if (strcmp(term->subject, "*") != 0)
		return measure_of_keys(term->measure) ?
		       measure_matches(m, term->measure, term->subject, row) !=
		       MEASURE_NONE : strcmp(term->subject, name) == 0;
	return term->kind != MEASURE_TIME || subject->apart == NULL ||
	       strcmp(subject->apart, name) != 0;
}

/* Whether two rows are of the same thing: by all keys but the last one. */
static bool is_same(const struct measures *m, const struct term *term,
		    const void *a, const void *b)
{
	const struct report_key *keys = measure_table(m, term->measure)->keys;
	size_t k;

	for (k = 0; k + 1 < term->measure->subject->keys; k++) {
		if (report_compare_key(&keys[k], a, b) != 0)
			return false;
	}
	return true;
}

/*
 * The sum of these rows, which the caller releases; like is NULL, or only those
 * of the same thing are added.
 */
static void *collect(const struct measures *m, const struct term *term,
		     const struct report *r, const void *like)
{
	const struct report_table *table = measure_table(m, term->measure);
	size_t t = term->measure->table;
	void *sum = memory_zeros(1, table->row_size);
	size_t i;

	for (i = 0; i < r->rows[t].count; i++) {
		const void *row = report_row(r, t, i);

		if (is_counted(m, term, row) &&
		    (like == NULL || is_same(m, term, like, row)))
			report_sum_row(table, sum, row);
	}
	return sum;
}

/* The number of a column of the measure, or of all of them for NULL. */
static double number(const struct measures *m, const struct measure *measure,
		     const char *key, const void *row)
{
	const struct report_column *column = NULL;
	unsigned long long value = 0;

	while ((column = measure_next(m, measure, column)) != NULL) {
		if (key == NULL || strcmp(key, column->key) == 0)
			value += report_get(column, row);
	}
	return (double)value;
}

/* Returns NAN if a time or a part is one of nothing. */
static double value_of_row(const struct measures *m, const struct term *term,
			   const struct report *r, const void *row)
{
	const struct measure *measure = term->measure;
	const struct report_table *table = measure_table(m, measure);
	double of = measure->of == NULL ? 1 : (double)report_get(
		report_column_find(table, measure->of), row);
	double value;

	if (of == 0 && (term->kind == MEASURE_TIME ||
			term->kind == MEASURE_PERCENT))
		return NAN;
	if (measure->how == MEASURE_PERCENTILE)
		return report_quantile(table, row, measure->part) *
			report_slots_ns(report_column_find(table,
							   measure->column));
	value = number(m, measure, measure_of_columns(measure) ?
		       term->subject : measure->column, row);
	if (measure->minus != NULL)
		value -= number(m, measure, measure->minus, row);
	if (measure->how == MEASURE_MEAN)
		return value / of;
	switch (term->kind) {
	case MEASURE_PERCENT:
		return 100 * value / of;
	case MEASURE_RATE:
	case MEASURE_BYTES:
		return r->elapsed_ns == 0 ? 0 :
		       value * 1e9 / (double)r->elapsed_ns;
	default:
		return value;
	}
}

/* The value of the rows that are the same thing as a row, or of all for NULL. */
static double value_of(const struct measures *m, const struct term *term,
		       const struct report *r, const void *like)
{
	void *row = collect(m, term, r, like);
	double value = value_of_row(m, term, r, row);

	free(row);
	return value;
}

/* Whether the row has no other name in the term than its last key. */
static bool is_one_of_many(const struct measures *m, const struct term *term,
			   const void *row)
{
	return measure_of_keys(term->measure) &&
	       strcmp(term->subject, "*") != 0 &&
	       measure_matches(m, term->measure, term->subject, row) ==
	       MEASURE_LAST;
}

static double measure_term(const struct measures *m, const struct term *term,
			   const struct report *r)
{
	size_t t = term->measure->table, i;
	double worst = NAN;
	bool found = false;

	for (i = 0; i < r->rows[t].count; i++) {
		const void *row = report_row(r, t, i);

		if (!is_one_of_many(m, term, row))
			continue;
		found = true;
		worst = condition_worse(term, worst, value_of(m, term, r, row));
	}
	return found ? worst : value_of(m, term, r, NULL);
}

/* Whether requests are under way, of the term's subject if they have one. */
static bool are_under_way(const struct measures *m, const struct term *of,
			  const struct report *r)
{
	struct term term = {
		.measure = measure_find(m, m->under_way),
		.kind = MEASURE_NUMBER,
	};

	strcpy(term.subject, term.measure->subject == of->measure->subject ?
	       of->subject : "*");
	return measure_term(m, &term, r) > 0;
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
			       const struct report *r,
			       double values[CONDITION_TERMS])
{
	enum verdict verdict = VERDICT_HOLDS;
	bool fails = false, under_way = false;
	int i;

	for (i = 0; i < c->num_terms; i++) {
		values[i] = measure_term(c->measures, &c->terms[i], r);
		if (isnan(values[i])) {
			verdict = VERDICT_OPEN;
			under_way |= are_under_way(c->measures, &c->terms[i],
						   r);
		} else if (!compare(&c->terms[i], values[i])) {
			fails = true;
		}
	}
	if (fails || (verdict == VERDICT_OPEN && !under_way))
		return VERDICT_FAILS;
	return verdict;
}
