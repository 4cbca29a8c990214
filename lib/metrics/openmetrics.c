/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * openmetrics.c - writes the sums as OpenMetrics 1.0.0 or in the older text
 * format of Prometheus.
 *
 *	# TYPE smbd_requests counter
 *	# HELP smbd_requests Requests that had their result.
 *	smbd_requests_total{command="read"} 4
 *	# EOF
 *
 * Seconds are written with all nine digits of the nanoseconds, as integers are
 * divided: a double would lose some after months.
 */
#include <math.h>
#include <string.h>

#include "openmetrics.h"

/* The buckets of a histogram: 2^3 to 2^27 us. */
enum { FIRST_BUCKET = 3, LAST_BUCKET = 27 };

struct writer {
	FILE *out;
	enum metrics_format format;
	const struct metrics_totals *totals;
	const struct metrics_family *family;
	const struct report_table *table;	/* of the family */
	const struct report_column *column;	/* the first one */
	bool begun;			/* the family has a sample */
	unsigned int labels;		/* of the sample */
};

static void header(const struct writer *w, const char *name, const char *type,
		   const char *unit, const char *help)
{
	bool old = w->format == METRICS_PROMETHEUS;
	const char *suffix = "";

	if (strcmp(type, "counter") == 0)
		suffix = "_total";
	if (strcmp(type, "info") == 0)
		suffix = "_info";
	if (old && strcmp(type, "info") == 0)
		type = "gauge";
	fprintf(w->out, "# TYPE %s%s %s\n", name, old ? suffix : "", type);
	if (!old && unit != NULL)
		fprintf(w->out, "# UNIT %s %s\n", name, unit);
	fprintf(w->out, "# HELP %s%s %s\n", name, old ? suffix : "", help);
}

/* Begins a sample, and its family if it is the first one. */
static void sample(struct writer *w, const char *suffix)
{
	const char *unit = w->column->unit == REPORT_BYTES ? "bytes" :
		w->column->unit == REPORT_NS ||
		w->column->kind == REPORT_SLOTS ? "seconds" : NULL;
	const char *type = w->column->kind == REPORT_GAUGE ? "gauge" :
		w->column->kind == REPORT_SLOTS ? "histogram" : "counter";

	if (!w->begun)
		header(w, w->family->name, type, unit, w->family->help);
	w->begun = true;
	w->labels = 0;
	if (suffix == NULL)
		suffix = w->column->kind == REPORT_GAUGE ? "" : "_total";
	fprintf(w->out, "%s%s", w->family->name, suffix);
}

static void label(struct writer *w, const char *name, const char *value)
{
	fprintf(w->out, "%c%s=\"", w->labels++ == 0 ? '{' : ',', name);
	for (; *value != '\0'; value++) {
		if (*value == '"' || *value == '\\' || *value == '\n')
			putc('\\', w->out);
		putc(*value == '\n' ? 'n' : *value, w->out);
	}
	putc('"', w->out);
}

static void number(const struct writer *w, unsigned long long value)
{
	fprintf(w->out, "%s %llu\n", w->labels > 0 ? "}" : "", value);
}

static void seconds(const struct writer *w, unsigned long long ns)
{
	fprintf(w->out, "%s %llu.%09llu\n", w->labels > 0 ? "}" : "",
		ns / 1000000000, ns % 1000000000);
}

static void end(const struct writer *w, unsigned long long value)
{
	(w->column->unit == REPORT_NS ? seconds : number)(w, value);
}

static void key_label(struct writer *w, const struct metrics_label *l,
		      const struct report_key *key, const void *row)
{
	char buffer[REPORT_NAME];

	label(w, l->name, l->text != NULL ?
	      l->text(report_key_number(key, row), buffer) :
	      report_key_text(key, row, buffer));
}

/* Begins a sample of a row, with the labels of its keys. */
static void row_sample(struct writer *w, const char *suffix, const void *row)
{
	const struct metrics_label *l = w->family->labels;
	size_t i;

	sample(w, suffix);
	for (i = 0; i < METRICS_LABELS && l[i].name != NULL; i++)
		key_label(w, &l[i], &w->table->keys[i], row);
}

/* A column of the family; NULL: the first one of its group. */
static const struct report_column *column_of(const struct writer *w,
					     const char *key)
{
	const struct report_column *column;

	REPORT_FOR_EACH(column, w->table, w->family->group) {
		if (key == NULL || (column->key != NULL &&
				    strcmp(column->key, key) == 0))
			return column;
	}
	return report_column_find(w->table, key);
}

static void histogram(struct writer *w, const void *row)
{
	const struct metrics_value *values = w->family->values;
	unsigned long long powers[REPORT_POWERS], sum = 0, count;
	int bucket, i = 0;
	char le[32];

	report_fold(w->column, row, powers);
	for (bucket = FIRST_BUCKET; bucket <= LAST_BUCKET; bucket++) {
		while (i < bucket)
			sum += powers[i++];
		snprintf(le, sizeof(le), "%.9g", ldexp(1e-6, bucket));
		row_sample(w, "_bucket", row);
		label(w, "le", le);
		number(w, sum);
	}
	count = report_get(column_of(w, values[1].column), row);
	row_sample(w, "_bucket", row);
	label(w, "le", "+Inf");
	number(w, count);
	row_sample(w, "_count", row);
	number(w, count);
	row_sample(w, "_sum", row);
	seconds(w, report_get(column_of(w, values[2].column), row));
}

static void value(struct writer *w, const struct metrics_value *v,
		  const void *row)
{
	unsigned long long is = v->get != NULL ? v->get(row) :
		report_get(v == w->family->values ? w->column :
			   column_of(w, v->column), row);

	if (v->rare && is == 0)
		return;
	row_sample(w, NULL, row);
	if (w->family->by != NULL)
		label(w, w->family->by,
		      v->text != NULL ? v->text(row) : v->label);
	end(w, is);
}

/* All columns of the group. */
static void group(struct writer *w, const void *row)
{
	const struct report_column *column;

	REPORT_FOR_EACH(column, w->table, w->family->group) {
		row_sample(w, NULL, row);
		label(w, w->family->by, column->key);
		end(w, report_get(column, row));
	}
}

static void values(struct writer *w, const void *row)
{
	const struct metrics_value *v = w->family->values;
	const char *rare = w->family->rare;

	if (rare != NULL &&
	    report_get(report_column_find(w->table, rare), row) == 0)
		return;
	if (w->column->kind == REPORT_SLOTS) {
		histogram(w, row);
	} else if (v->column == NULL) {
		group(w, row);
	} else {
		for (; v < w->family->values + METRICS_VALUES &&
		     v->column != NULL; v++)
			value(w, v, row);
	}
}

/* How much of a row of another table is in rows with the same first key. */
static unsigned long long listed(const struct writer *w,
				 const struct report_key *key, const void *row)
{
	const struct report *sum = w->totals->sum;
	unsigned int table = w->family->table;
	unsigned long long count = 0;
	size_t i;

	for (i = 0; i < sum->rows[table].count; i++) {
		const void *other = report_row(sum, table, i);

		if (report_key_number(w->table->keys, other) ==
		    report_key_number(key, row))
			count += report_get(w->column, other);
	}
	return count;
}

static void rest(struct writer *w)
{
	const struct metrics_family *f = w->family;
	const struct report *sum = w->totals->sum;
	const struct report_table *table = report_table(sum, f->rest_of);
	unsigned long long all, known;
	size_t i;

	for (i = 0; i < sum->rows[f->rest_of].count; i++) {
		const void *row = report_row(sum, f->rest_of, i);

		all = report_get(report_column_find(table, f->rest), row);
		known = listed(w, table->keys, row);
		sample(w, NULL);
		key_label(w, &f->labels[0], table->keys, row);
		label(w, f->labels[1].name, "other");
		end(w, all > known ? all - known : 0);
	}
}

static void family(struct writer *w, const struct metrics_family *f)
{
	const struct metrics_table *of = w->totals->of->tables;
	const struct report *sum = w->totals->sum;
	size_t i;

	while (of->table != f->table)
		of++;
	if (of->way != METRICS_ROWS && !w->totals->has_names)
		return;
	w->family = f;
	w->table = report_table(sum, f->table);
	w->column = column_of(w, f->values[0].column);
	w->begun = false;
	for (i = 0; i < sum->rows[f->table].count; i++)
		values(w, report_row(sum, f->table, i));
	if (f->rest != NULL)
		rest(w);
}

/* What is about the program itself. */
static void own(const struct writer *w, const struct own_totals *own)
{
	const struct {
		const char *name, *type, *unit, *help;
		double value;
	} all[] = {
		{ "start_time_seconds", "gauge", "seconds",
		  "When %s started, since 1970.", own->start_time },
		{ "last_report_time_seconds", "gauge", "seconds",
		  "Until when the numbers count, since 1970.",
		  own->report_time },
		{ "cpu_seconds", "counter", "seconds",
		  "Time that %s has used.", (double)own->cpu_ns / 1e9 },
		{ "resident_memory_bytes", "gauge", "bytes", "Memory of %s.",
		  (double)own->memory },
		{ "reports", "counter", NULL,
		  "How often the numbers were updated.",
		  (double)w->totals->reports },
	};
	char name[64], help[64];
	size_t i;

	snprintf(name, sizeof(name), "%s_build", own->program);
	snprintf(help, sizeof(help), "The version of %s.", own->program);
	header(w, name, "info", NULL, help);
	fprintf(w->out, "%s_info{version=\"%s\"} 1\n", name, own->version);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(name, sizeof(name), "%s_%s", own->program,
			 all[i].name);
		snprintf(help, sizeof(help), all[i].help, own->program);
		header(w, name, all[i].type, all[i].unit, help);
		fprintf(w->out, "%s%s %.*f\n", name,
			all[i].type[0] == 'c' ? "_total" : "",
			strstr(name, "seconds") != NULL ? 3 : 0, all[i].value);
	}
}

void metrics_write(FILE *out, enum metrics_format format,
		   const struct metrics_totals *totals,
		   const struct own_totals *of)
{
	struct writer w = { .out = out, .format = format, .totals = totals };
	size_t i;

	for (i = 0; i < totals->of->num_families; i++)
		family(&w, &totals->of->families[i]);
	own(&w, of);
	if (totals->of->lost != NULL)
		family(&w, totals->of->lost);
	if (format == METRICS_OPENMETRICS)
		fputs("# EOF\n", out);
}
