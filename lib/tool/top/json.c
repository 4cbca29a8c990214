/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - sdtkit top --json: a line for each report. docs/top.schema.json
 * describes it.
 *
 *	{"sdtkit_top": 1, "elapsed_us": 1000211, "spans": [...], "probes": []}
 */
#include <jansson.h>

#include "common/json.h"
#include "common/out.h"
#include "lib/base/text.h"
#include "lib/report/json.h"
#include "top/lines.h"
#include "top/json.h"

static const struct view_context *shown;

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *slots_json(const struct span_row *row)
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
		set(slot, "from_ns", json_integer(i == 0 ? 0 :
						  (json_int_t)TOP_UNIT << i));
		set(slot, "count", json_integer((json_int_t)powers[i]));
		json_array_append_new(list, slot);
	}
	return list;
}

static void add_to_span(const void *data, json_t *object)
{
	const struct span_row *row = data;
	const struct span *span = rows_span(row);
	json_t *sums = json_object();
	int i;

	if (span->num_names == 0)
		set(object, "name", json_null());
	for (i = 0; i < span->num_sums; i++)
		set(sums, span->sum[i].name,
		    json_out_signed((int64_t)row->sum[i]));
	set(object, "sums", sums);
	if (shown->histograms)
		set(object, "slots", slots_json(row));
}

/* Without a start it is not known what has begun. */
static void add_to_total(const void *data, json_t *object)
{
	const struct total_row *row = data;

	if (!plan_is_alone(shown->plan, row->span))
		return;
	set(object, "started", json_null());
	set(object, "under_way", json_null());
}

static void add_argument(const struct line_argument *argument, void *object)
{
	set(object, argument->name, text_json(argument->text));
}

static json_t *values_json(const struct top_values *values)
{
	json_t *object = json_object();

	lines_arguments(shown, values, add_argument, object);
	return object;
}

static void add_to_slow(const void *data, json_t *object)
{
	const struct top_line *line = data;

	set(object, "error", json_boolean(line->error));
	set(object, "start", values_json(&line->start));
	set(object, "end", values_json(&line->end));
}

static bool begin(const struct view_context *context)
{
	shown = context;
	top_table[ROWS_SPANS].more = add_to_span;
	top_table[ROWS_TOTALS].more = add_to_total;
	top_table[ROWS_SLOW].more = add_to_slow;
	return true;
}

static json_t *new_event(const char *event)
{
	json_t *object = json_object();

	set(object, "sdtkit_top", json_integer(1));
	set(object, "event", json_string(event));
	return object;
}

static void print(json_t *object)
{
	json_out_print(object);
	out_char('\n');
	out_flush();
}

static void show(const struct view_context *context,
		 const struct report *report, bool last)
{
	static const struct report_view all;
	json_t *object = new_event("report");

	set(object, "last", json_boolean(last));
	set(object, "via", json_string(context->engine->source != NULL ?
					"recorder" : "kernel"));
	report_to_json(report, &all, object);
	print(object);
}

static void line(const struct view_context *context,
		 const struct top_line *line)
{
	json_t *row = report_row_json(&top_table[ROWS_SLOW], line);
	json_t *object = new_event("slow");

	json_object_update(object, row);
	json_decref(row);
	print(object);
}

const struct view view_json = {
	.begin = begin,
	.show = show,
	.line = line,
	.fd = -1,
};
