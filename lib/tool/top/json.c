/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - sdtkit top --json: a line for each report. docs/top.schema.json
 * describes it.
 *
 *	{"sdtkit_top": 1, "elapsed_us": 1000211, "spans": [...], "probes": []}
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/json.h"
#include "common/out.h"
#include "lib/slots/slots.h"
#include "top/catalogue.h"
#include "top/columns.h"
#include "top/lines.h"
#include "top/json.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *number(unsigned long long value)
{
	return json_out_signed((int64_t)value);
}

/* As the tables have it: counts are integers, times microseconds. */
static json_t *column_json(const struct column *column,
			   const struct sample_row *row)
{
	char text[32];

	column_text(column, row, text);
	if (column->unit == UNIT_COUNT)
		return number(strtoull(text, NULL, 10));
	return json_real(strtod(text, NULL));
}

static json_t *slots_json(const struct sample_row *row)
{
	unsigned long long powers[SLOTS_POWERS];
	json_t *list = json_array();
	json_t *slot;
	size_t i;

	slots_fold(row->slots, powers);
	for (i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
		if (powers[i] == 0)
			continue;
		slot = json_object();
		set(slot, "from_ns", number(i == 0 ? 0 :
					    (unsigned long long)TOP_UNIT << i));
		set(slot, "count", number(powers[i]));
		json_array_append_new(list, slot);
	}
	return list;
}

static json_t *row_json(const struct view_context *context,
			const struct sample_row *row)
{
	json_t *object = json_object();
	json_t *sums = json_object();
	size_t i;
	int j;

	set(object, "provider", json_out_text(row->span->provider));
	set(object, "span", json_out_text(row->span->text->name));
	set(object, "name", row->span->num_names == 0 ? json_null() :
	    json_out_text(row->name));
	for (i = 0; i < num_columns; i++) {
		if (column_is_shown(&columns[i], context->plan))
			set(object, columns[i].key,
			    column_json(&columns[i], row));
	}
	for (j = 0; j < row->span->num_sums; j++)
		set(sums, row->span->sum[j].name,
		    json_out_signed((int64_t)row->sum[j]));
	set(object, "sums", sums);
	if (context->histograms)
		set(object, "slots", slots_json(row));
	return object;
}

static json_t *probe_json(const struct sample_rate *rate)
{
	const struct span_probe *probe = &catalogue.probe[rate->probe];
	json_t *object = json_object();

	set(object, "provider", json_out_text(probe->provider));
	set(object, "probe", json_out_text(probe->name));
	set(object, "count", number(rate->count));
	return object;
}

/* Without a start it is not known what has begun. */
static json_t *stats_json(const struct span *span,
			  const struct top_stats *stats, bool is_alone,
			  unsigned long long under_way)
{
	json_t *object = json_object();

	set(object, "provider", json_out_text(span->provider));
	set(object, "span", json_out_text(span->text->name));
	set(object, "started", is_alone ? json_null() :
	    number(stats->started));
	set(object, "ended", number(stats->ended));
	set(object, "under_way", is_alone ? json_null() :
	    number(under_way));
	set(object, "unmatched", number(stats->unmatched));
	set(object, "restarted", number(stats->restarted));
	set(object, "abandoned", number(stats->left));
	set(object, "lost", number(stats->lost + stats->deep));
	set(object, "unread", number(stats->unread));
	return object;
}

static void print(json_t *object)
{
	json_out_print(object);
	out_char('\n');
	out_flush();
}

static void show(const struct view_context *context,
		 const struct sample *sample, bool last)
{
	json_t *object = json_object();
	json_t *spans = json_array();
	json_t *probes = json_array();
	json_t *stats = json_array();
	size_t i;

	for (i = 0; i < sample->num_rows; i++)
		json_array_append_new(spans,
				      row_json(context, &sample->row[i]));
	for (i = 0; i < sample->num_rates; i++)
		json_array_append_new(probes, probe_json(&sample->rate[i]));
	for (i = 0; i < context->plan->spans.count; i++)
		json_array_append_new(
			stats, stats_json(&context->plan->spans.span[i],
					  &sample->stats[i],
					  plan_is_alone(context->plan, i),
					  sample->under_way[i]));
	set(object, "sdtkit_top", json_integer(1));
	set(object, "event", json_string("report"));
	set(object, "last", json_boolean(last));
	set(object, "elapsed_us", number(sample->elapsed_ns / 1000));
	set(object, "spans", spans);
	set(object, "probes", probes);
	set(object, "totals", stats);
	set(object, "lost_lines", number(sample->lost_lines));
	print(object);
}

static void add_argument(const struct line_argument *argument, void *object)
{
	set(object, argument->name, json_out_text(argument->text));
}

static json_t *values_json(const struct view_context *context,
			   const struct top_values *values)
{
	json_t *object = json_object();

	lines_arguments(context, values, add_argument, object);
	return object;
}

static void line(const struct view_context *context,
		 const struct top_line *line)
{
	const struct span *span = &context->plan->spans.span[line->span];
	json_t *object = json_object();
	char clock[32];

	lines_clock(line->time, clock, sizeof(clock));
	set(object, "sdtkit_top", json_integer(1));
	set(object, "event", json_string("slow"));
	set(object, "clock", json_string(clock));
	set(object, "pid", number(line->pid));
	set(object, "tid", number(line->tid));
	set(object, "provider", json_out_text(span->provider));
	set(object, "span", json_out_text(span->text->name));
	set(object, "total_us", json_real((double)line->total_ns / 1000));
	set(object, "running_us", json_real((double)line->running_ns / 1000));
	set(object, "self_us", json_real((double)line->self_ns / 1000));
	set(object, "error", json_boolean(line->error));
	set(object, "start", values_json(context, &line->start));
	set(object, "end", values_json(context, &line->end));
	print(object);
}

const struct view view_json = {
	.show = show,
	.line = line,
	.fd = -1,
};
