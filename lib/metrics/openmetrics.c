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
#include <string.h>

#include "base/when.h"
#include "openmetrics.h"
#include "put.h"
#include "slots/slots.h"

enum { MOST_LABELS = 4096 };	/* bytes of the labels of a row */

struct writer {
	FILE *out;
	enum metrics_format format;
	const struct metrics_totals *totals;
	const struct metrics_family *family;
	const struct report_table *table;	/* of the family */
	const struct report_column *column;	/* the first one */
	bool begun;			/* the family has a sample */
	/* Of a row: its labels, which all samples of the row have. */
	char labels[MOST_LABELS];
	size_t length;
	/* Of a histogram: the first limit as a power of two, and as text. */
	int first;
	char limits[SLOTS_BUCKETS][24];
	const struct exemplar *exemplar;	/* the next one */
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

/* Begins the family if this is its first sample. */
static void begin_family(struct writer *w)
{
	const char *unit = w->column->unit == REPORT_BYTES ? "bytes" :
		w->column->unit == REPORT_NS ||
		w->column->kind == REPORT_SLOTS ? "seconds" : NULL;
	const char *type = w->column->kind == REPORT_GAUGE ? "gauge" :
		w->column->kind == REPORT_SLOTS ? "histogram" : "counter";

	if (!w->begun)
		header(w, w->family->name, type, unit, w->family->help);
	w->begun = true;
}

static void add_char(struct writer *w, char c)
{
	if (w->length < MOST_LABELS - 1)
		w->labels[w->length++] = c;
}

static void add_text(struct writer *w, const char *text)
{
	while (*text != '\0')
		add_char(w, *text++);
}

/* Adds a label to those of the row. */
static void label(struct writer *w, const char *name, const char *value)
{
	add_char(w, w->length == 0 ? '{' : ',');
	add_text(w, name);
	add_text(w, "=\"");
	for (; *value != '\0'; value++) {
		if (*value == '"' || *value == '\\' || *value == '\n')
			add_char(w, '\\');
		add_char(w, *value == '\n' ? 'n' : *value);
	}
	add_char(w, '"');
}

/* Writes the name and the labels of a sample. */
static void sample(const struct writer *w, const char *suffix)
{
	if (suffix == NULL)
		suffix = w->column->kind == REPORT_GAUGE ? "" : "_total";
	put_text(w->out, w->family->name);
	put_text(w->out, suffix);
	put_bytes(w->out, w->labels, w->length);
	put_text(w->out, w->length > 0 ? "} " : " ");
}

static void number(const struct writer *w, unsigned long long value)
{
	put_digits(w->out, value, 1);
	put_bytes(w->out, "\n", 1);
}

static void seconds(const struct writer *w, unsigned long long ns)
{
	put_seconds(w->out, ns);
	put_bytes(w->out, "\n", 1);
}

static void end(const struct writer *w, unsigned long long value)
{
	sample(w, NULL);
	(w->column->unit == REPORT_NS ? seconds : number)(w, value);
}

static void key_label(struct writer *w, const struct metrics_label *l,
		      const struct report_key *key, const void *row)
{
	char buffer[REPORT_NAME];
	const char *text = l->text != NULL ?
		l->text(report_key_number(key, row), buffer) :
		report_key_text(key, row, buffer);

	if (!key->optional || text[0] != '\0')
		label(w, l->name, text);
}

/* Begins the samples of a row, with the labels of its keys. */
static void row_labels(struct writer *w, const void *row)
{
	const struct metrics_label *l = w->family->labels;
	size_t i;

	begin_family(w);
	w->length = 0;
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

/* Prepares the limits of the buckets. */
static void set_limits(struct writer *w)
{
	unsigned long long unit = report_slots_ns(w->column);
	int i;

	for (w->first = 0; unit << w->first < SLOTS_FIRST_NS;)
		w->first++;
	for (i = 0; i < SLOTS_BUCKETS; i++)
		snprintf(w->limits[i], sizeof(w->limits[i]), "%.15g",
			 (double)(unit << (w->first + i)) / 1e9);
}

/* Writes the exemplar of a bucket, if there is one. */
static void exemplar(struct writer *w, size_t row, unsigned int power)
{
	const struct metrics_totals *t = w->totals;
	const struct exemplar *last = exemplars_next(
		&w->exemplar, t->exemplars + t->num_exemplars, w->family, row,
		power);

	if (last == NULL || w->format != METRICS_OPENMETRICS)
		return;
	put_text(w->out, " # {");
	put_text(w->out, last->labels);
	put_text(w->out, "} ");
	put_seconds(w->out, last->ns);
	put_bytes(w->out, " ", 1);
	put_seconds(w->out, last->end_ns + when_offset());
}

static void bucket(const struct writer *w, const char *limit,
		   unsigned long long count)
{
	put_text(w->out, w->family->name);
	put_text(w->out, "_bucket");
	put_bytes(w->out, w->labels, w->length);
	put_text(w->out, w->length > 0 ? ",le=\"" : "{le=\"");
	put_text(w->out, limit);
	put_text(w->out, "\"} ");
	put_digits(w->out, count, 1);
}

static void histogram(struct writer *w, const void *row, size_t at)
{
	const struct metrics_value *values = w->family->values;
	unsigned long long powers[REPORT_POWERS], sum = 0, count;
	int i, power = 0;

	report_fold(w->column, row, powers);
	row_labels(w, row);
	for (i = 0; i < SLOTS_BUCKETS; i++) {
		while (power < w->first + i)
			sum += powers[power++];
		bucket(w, w->limits[i], sum);
		exemplar(w, at, (unsigned int)power);
		put_bytes(w->out, "\n", 1);
	}
	count = report_get(column_of(w, values[1].column), row);
	bucket(w, "+Inf", count);
	exemplar(w, at, ~0U);
	put_bytes(w->out, "\n", 1);
	sample(w, "_count");
	number(w, count);
	sample(w, "_sum");
	seconds(w, report_get(column_of(w, values[2].column), row));
}

static void value(struct writer *w, const struct metrics_value *v,
		  const void *row)
{
	unsigned long long is = v->get != NULL ? v->get(row) :
		report_get(v == w->family->values ? w->column :
			   column_of(w, v->column), row);
	const char *text;

	if (v->rare && is == 0)
		return;
	row_labels(w, row);
	text = v->text != NULL ? v->text(row) : v->label;
	if (w->family->by != NULL && text[0] != '\0')
		label(w, w->family->by, text);
	end(w, is);
}

/* All columns of the group. */
static void group(struct writer *w, const void *row)
{
	const struct report_column *column;

	REPORT_FOR_EACH(column, w->table, w->family->group) {
		row_labels(w, row);
		label(w, w->family->by, column->key);
		end(w, report_get(column, row));
	}
}

static void values(struct writer *w, const void *row, size_t at)
{
	const struct metrics_value *v = w->family->values;
	const char *rare = w->family->rare;

	if (rare != NULL &&
	    report_get(report_column_find(w->table, rare), row) == 0)
		return;
	if (w->column->kind == REPORT_SLOTS) {
		histogram(w, row, at);
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
		begin_family(w);
		w->length = 0;
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
	if (w->column->kind == REPORT_SLOTS)
		set_limits(w);
	for (i = 0; i < sum->rows[f->table].count; i++)
		values(w, report_row(sum, f->table, i), i);
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
	struct writer w = {
		.out = out, .format = format, .totals = totals,
		.exemplar = totals->exemplars,
	};
	size_t i;

	for (i = 0; i < totals->of->num_families; i++)
		family(&w, &totals->of->families[i]);
	own(&w, of);
	if (totals->of->lost != NULL)
		family(&w, totals->of->lost);
	if (format == METRICS_OPENMETRICS)
		fputs("# EOF\n", out);
}
