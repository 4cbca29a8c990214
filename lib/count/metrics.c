/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a counter of this process has, as text for Prometheus: the metrics that
 * "sdtkit serve" has of spans, with the same names and labels.
 *
 *	rows, by numbers --> series, by labels --> families
 *
 * Rows whose names read the same are one series: the ports of a host, texts
 * that are not UTF-8.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../base/utf8.h"
#include "../record/read_parts.h"
#include "../text/host.h"
#include "../text/unit.h"
#include "count.h"
#include "read.h"

struct series {
	struct sdtkit_count_sums sums;
	/* program="self",provider="shop",span="order",name="BUY" */
	char *labels;
};

struct text {
	FILE *out;
	const struct sdtkit_counter *counter;
	const struct sdtkit_count_counts *counts;
	struct series *series;
	size_t count;
};

static void put_label(FILE *out, const char *name, const char *value)
{
	unsigned int code;
	int length;

	fprintf(out, "%s=\"", name);
	for (; *value != '\0'; value += length > 0 ? length : 1) {
		length = utf8_decode(value, &code);
		if (*value == '\n')
			fputs("\\n", out);
		else if (length == 0)
			fputc('?', out);
		else
			fprintf(out, "%s%.*s", *value == '"' || *value == '\\' ?
				"\\" : "", length, value);
	}
	fputc('"', out);
}

static void put_span(FILE *out, const struct sdtkit_count_span *span)
{
	put_label(out, "program", program_invocation_short_name);
	put_label(out, ",provider", span->provider);
	put_label(out, ",span", span->name);
}

/* As sample_value() of sdtkit top does it. */
static void print_value(char *to, size_t size, const struct span_label *label,
			const char *text, uint64_t value)
{
	size_t i = label->names != NULL ? label->names->enumerator_count : 0;

	while (i-- > 0) {
		if (label->names->enumerators[i].value == (int64_t)value)
			text = label->names->enumerators[i].name;
	}
	if (text != NULL)
		snprintf(to, size, "%s", text);
	else if (label->is_address)
		snprintf(to, size, "0x%" PRIx64, value);
	else if (label->is_signed)
		snprintf(to, size, "%" PRId64, (int64_t)value);
	else
		snprintf(to, size, "%" PRIu64, value);
	if (label->is_host)
		sdtkit_cut_to_host(to);
}

/* "READ", "READ | hit" */
static void print_name(const struct span *span,
		       const struct sdtkit_count_sums *row, char *to,
		       size_t size)
{
	char one[SPAN_LABEL];
	size_t used = 0;
	int i;

	snprintf(to, size, "%s", row->is_other ? "other" : "");
	for (i = 0; i < span->num_names && !row->is_other; i++) {
		print_value(one, sizeof(one), &span->name[i], row->text[i],
			    row->name[i]);
		snprintf(to + used, size - used, "%s%s", i > 0 ? " | " : "",
			 one[0] != '\0' || span->num_names == 1 ? one : "-");
		used = strlen(to);
	}
}

static bool set_series(const struct text *t,
		       const struct sdtkit_count_sums *row, struct series *to)
{
	char name[SDTKIT_COUNT_NAMES * SPAN_LABEL + 4];
	size_t size;
	FILE *out = open_memstream(&to->labels, &size);

	if (out == NULL)
		return false;
	to->sums = *row;
	print_name(&t->counter->spans.span[row->span], row, name, sizeof(name));
	put_span(out, &t->counts->spans[row->span]);
	put_label(out, ",name", name);
	return fclose(out) == 0;
}

static int compare(const void *a, const void *b)
{
	const struct series *one = a, *other = b;

	return strcmp(one->labels, other->labels);
}

static void add_sums(struct sdtkit_count_sums *to,
		     const struct sdtkit_count_sums *from)
{
	int i;

	to->errors += from->errors;
	to->total += from->total;
	to->running += from->running;
	for (i = 0; i < SDTKIT_COUNT_SUMS; i++)
		to->sum[i] += from->sum[i];
	for (i = 0; i < SLOTS_FINE; i++)
		to->slots[i] += from->slots[i];
}

static bool make_series(struct text *t)
{
	size_t rows = t->counts->row_count, made = 0, i;

	t->series = calloc(rows + 1, sizeof(*t->series));
	while (t->series != NULL && made < rows &&
	       set_series(t, &t->counts->rows[made], &t->series[made]))
		made++;
	t->count = made;
	if (t->series == NULL || made < rows)
		return false;
	qsort(t->series, rows, sizeof(*t->series), compare);
	for (i = 1, t->count = rows > 0; i < rows; i++) {
		struct series *last = &t->series[t->count - 1];

		if (compare(last, &t->series[i]) == 0) {
			add_sums(&last->sums, &t->series[i].sums);
			free(t->series[i].labels);
		} else {
			t->series[t->count++] = t->series[i];
		}
	}
	return true;
}

static void family(const struct text *t, const char *name, const char *type,
		   const char *help)
{
	fprintf(t->out, "# TYPE sdtkit_%s %s\n# HELP sdtkit_%s %s\n", name,
		type, name, help);
}

static void sample(const struct text *t, const char *name, const char *labels,
		   uint64_t value)
{
	fprintf(t->out, "sdtkit_%s{%s} %" PRIu64 "\n", name, labels, value);
}

static void seconds(const struct text *t, const char *name, const char *labels,
		    uint64_t ns)
{
	fprintf(t->out, "sdtkit_%s{%s} %" PRIu64 ".%09" PRIu64 "\n", name,
		labels, ns / 1000000000, ns % 1000000000);
}

/*
 * The count is that of the slots: a hit that is going on now may be in one
 * number of a row, and not yet in another.
 */
static void histogram(const struct text *t, const struct series *s)
{
	uint64_t limit = SDTKIT_COUNT_SLOT, sum = 0;
	int octaves = -2, slot = 0, i;

	for (; limit < SLOTS_FIRST_NS; limit *= 2)
		octaves++;
	for (i = 0; i < SLOTS_BUCKETS; i++, limit *= 2) {
		for (; slot < (octaves + i) * SDTKIT_COUNT_OCTAVE; slot++)
			sum += s->sums.slots[slot];
		fprintf(t->out, "sdtkit_span_duration_seconds_bucket{%s,"
			"le=\"%.15g\"} %" PRIu64 "\n", s->labels,
			(double)limit / 1e9, sum);
	}
	for (; slot < SLOTS_FINE; slot++)
		sum += s->sums.slots[slot];
	fprintf(t->out, "sdtkit_span_duration_seconds_bucket{%s,le=\"+Inf\"} %"
		PRIu64 "\n", s->labels, sum);
	sample(t, "span_duration_seconds_count", s->labels, sum);
	seconds(t, "span_duration_seconds_sum", s->labels, s->sums.total);
}

static void put_sums(const struct text *t, const struct series *s)
{
	const struct sdtkit_count_span *span = &t->counts->spans[s->sums.span];
	const struct sdtkit_unit *unit;
	size_t i;

	for (i = 0; i < span->sum_count; i++) {
		unit = sdtkit_unit_of(span->sums[i]);
		fprintf(t->out, "sdtkit_span_sum_total{%s,argument=\"%s\"",
			s->labels, span->sums[i]);
		if (unit != NULL)
			fprintf(t->out, ",unit=\"%s\"", unit->name);
		fprintf(t->out, "} %" PRIu64 "\n", s->sums.sum[i]);
	}
}

static void put_series(const struct text *t)
{
	const struct series *s, *end = t->series + t->count;

	family(t, "span_duration_seconds", "histogram",
	       "Time from the start of a span to its end.");
	for (s = t->series; s < end; s++)
		histogram(t, s);
	family(t, "span_errors_total", "counter", "Spans that failed.");
	for (s = t->series; s < end; s++)
		sample(t, "span_errors_total", s->labels, s->sums.errors);
	family(t, "span_waiting_seconds_total", "counter",
	       "Time in which spans were suspended.");
	for (s = t->series; s < end; s++)
		seconds(t, "span_waiting_seconds_total", s->labels,
			s->sums.total - s->sums.running);
	family(t, "span_sum_total", "counter", "Sums of arguments of spans.");
	for (s = t->series; s < end; s++)
		put_sums(t, s);
}

/* As sample_under_way() of sdtkit top does it. */
static uint64_t under_way(const struct sdtkit_count_span *span,
			  const struct sdtkit_count_total *total)
{
	uint64_t done = total->ended + total->restarted + total->left +
			total->lost;

	return span->flags & SDTKIT_COUNT_ALONE || total->started < done ? 0 :
	       total->started - done;
}

static void put_reason(const struct text *t,
		       const struct sdtkit_count_span *span,
		       const char *reason, uint64_t count)
{
	if (count == 0)
		return;
	fputs("sdtkit_spans_not_counted_total{", t->out);
	put_span(t->out, span);
	fprintf(t->out, ",reason=\"%s\"} %" PRIu64 "\n", reason, count);
}

static void put_totals(const struct text *t)
{
	const struct sdtkit_count_span *span = t->counts->spans;
	const struct sdtkit_count_total *total = t->counts->totals;
	size_t i;

	family(t, "spans_in_progress", "gauge",
	       "Spans that have begun and have not ended.");
	for (i = 0; i < t->counts->span_count; i++) {
		fputs("sdtkit_spans_in_progress{", t->out);
		put_span(t->out, &span[i]);
		fprintf(t->out, "} %" PRIu64 "\n",
			under_way(&span[i], &total[i]));
	}
	family(t, "spans_not_counted_total", "counter",
	       "Spans without a time, by reason.");
	for (i = 0; i < t->counts->span_count; i++, span++, total++) {
		put_reason(t, span, "unmatched", total->unmatched);
		put_reason(t, span, "restarted", total->restarted);
		put_reason(t, span, "abandoned", total->left);
		put_reason(t, span, "lost", total->lost + total->deep);
		put_reason(t, span, "unread", total->unread);
	}
	family(t, "lost_total", "counter", "What could not be counted.");
	sample(t, "lost_total", "what=\"hits\"", t->counts->lost);
}

static int write_text(struct text *t)
{
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", NULL), before;
	bool made = c != NULL && make_series(t);

	if (made) {
		before = uselocale(c);
		put_series(t);
		put_totals(t);
		uselocale(before);
	}
	while (t->count > 0)
		free(t->series[--t->count].labels);
	free(t->series);
	if (c != NULL)
		freelocale(c);
	if (!made)
		return sdtkit_record_no_memory();
	return fflush(t->out) == 0 && !ferror(t->out) ? 0 :
	       sdtkit_record_fail(EIO, "the metrics cannot be written");
}

int sdtkit_recorder_metrics(const struct sdtkit_recorder *recorder, FILE *out)
{
	struct text text = { .out = out, .counter = recorder->user };
	struct sdtkit_count_reader *reader;
	int ret;

	if (recorder->kind == NULL)
		return sdtkit_record_fail(EINVAL, "this recorder does not "
			"count: open it with sdtkit_recorder_count()");
	ret = sdtkit_count_open_mapped(recorder->output.file,
				       recorder->output.size, &reader);
	if (ret < 0)
		return ret;
	ret = sdtkit_count_read(reader, &text.counts);
	if (ret == 0)
		ret = write_text(&text);
	sdtkit_count_close(reader);
	return ret;
}
