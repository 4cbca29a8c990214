/* SPDX-License-Identifier: BSD-2-Clause */
/* describe.c - incident.json: the condition, and its values second by second. */
#include <err.h>
#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "base/when.h"
#include "describe.h"

enum { HOST = 256 };

static const char *const units[] = {
	[MEASURE_TIME] = "us", [MEASURE_NUMBER] = "",
	[MEASURE_FAILURES] = "", [MEASURE_RATE] = "/s",
	[MEASURE_BYTES] = "B/s", [MEASURE_PERCENT] = "%",
};

static const char *const compares[] = {
	[COMPARE_MORE] = ">", [COMPARE_MORE_OR_SAME] = ">=",
	[COMPARE_LESS] = "<", [COMPARE_LESS_OR_SAME] = "<=",
};

static const char *const verdicts[] = {
	[VERDICT_FAILS] = "no", [VERDICT_HOLDS] = "yes",
	[VERDICT_OPEN] = "open",
};

/* Times as integers, as everywhere; the rest with three digits. */
static json_t *number(const struct term *term, double value)
{
	if (isnan(value))
		return json_null();
	if (term->kind == MEASURE_TIME)
		return json_integer((json_int_t)(value / 1000 + 0.5));
	return json_real((double)(long long)(value * 1000 + 0.5) / 1000);
}

static json_t *terms(const struct record *record)
{
	const struct condition *c = record->condition;
	json_t *list = json_array();
	char name[CONDITION_LABEL];
	int i;

	for (i = 0; i < c->num_terms; i++) {
		const struct term *term = &c->terms[i];

		json_array_append_new(list, json_pack(
			"{ss ss so ss so}", "name", condition_name(term, name),
			"compare", compares[term->compare],
			"limit", number(term, term->limit),
			"unit", units[term->kind],
			"worst", number(term, record->worst[i])));
	}
	return list;
}

static json_t *second(const struct record *record, const struct moment *m)
{
	const struct condition *c = record->condition;
	json_t *values = json_array();
	char when[WHEN_SIZE];
	int i;

	for (i = 0; i < c->num_terms; i++)
		json_array_append_new(values, number(
			&c->terms[i], m->values[record->number][i]));
	return json_pack("{ss ss so}", "time", when_json(m->end_ns, when),
			 "holds", verdicts[m->verdict[record->number]],
			 "values", values);
}

static json_t *seconds(const struct record *record)
{
	unsigned long long at = record_from(record);
	json_t *list = json_array();
	const struct moment *m;

	while ((m = past_after(at)) != NULL) {
		json_array_append_new(list, second(record, m));
		at = m->end_ns;
	}
	return list;
}

static json_t *parts(const struct record *record)
{
	static const char *const names[RECORD_PARTS] = {
		"before", "during", "after",
	};
	json_t *list = json_array();
	int part;

	for (part = 0; part < RECORD_PARTS; part++) {
		if (record->parts[part].elapsed_ns > 0)
			json_array_append_new(list, json_string(names[part]));
	}
	return list;
}

json_t *incident_describe(const struct record *record)
{
	char begin[WHEN_SIZE], known[WHEN_SIZE], last[WHEN_SIZE];
	char host[HOST] = "";
	json_t *object;

	gethostname(host, sizeof(host) - 1);
	object = json_pack(
		"{ss so ss ss ss ss sb si so so so}",
		record->program->name, record->program->version, "host", text_json(host),
		"condition", record->condition->text,
		"begin", when_json(record->since, begin),
		"known", when_json(record->fired, known),
		"last", when_json(record->last, last),
		"over", record->over, "left_out", (int)record->left_out,
		"terms", terms(record), "reports", parts(record),
		"seconds", seconds(record));
	if (object == NULL)
		errx(1, "no memory");
	return object;
}
