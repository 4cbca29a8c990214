/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --json: an object per line, docs/trace.schema.json.
 *
 *	{"sdtkit_trace":1,"command":["demo-server","/srv"],"start":...}
 *	{"time":13412907,"pid":4711,"tid":4711,"provider":"smb2",
 *	 "probe":"request_start","arguments":[{"name":"mid",...}]}
 *	{"hits":1,"lost":0,"left_out":0,"status":0}
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "tool.h"
#include "tracing.h"

/* Beyond it, many readers of JSON keep no more than the first 53 bits. */
#define EXACT_MAX	(INT64_C(1) << 53)

static void print(json_t *value)
{
	char *text;

	text = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
	if (text == NULL)
		tool_no_memory();
	tracing_write_line(text, strlen(text));
	json_decref(value);
	free(text);
}

static json_t *json_of_unsigned(uint64_t bits)
{
	char text[sizeof("18446744073709551615")];

	if (bits <= EXACT_MAX)
		return json_integer((json_int_t)bits);
	snprintf(text, sizeof(text), "%" PRIu64, bits);
	return json_string(text);
}

static json_t *json_of_signed(int64_t number)
{
	char text[sizeof("-9223372036854775808")];

	if (number >= -EXACT_MAX && number <= EXACT_MAX)
		return json_integer(number);
	snprintf(text, sizeof(text), "%" PRId64, number);
	return json_string(text);
}

/* JSON has no word for what is no number, or too large for one. */
static json_t *json_of_float(double number)
{
	if (isfinite(number))
		return json_real(number);
	return json_string(isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

static json_t *json_of_value(const struct sdtkit_tap_value *value)
{
	switch (value->kind) {
	case SDTKIT_TAP_SIGNED:
		return json_of_signed((int64_t)value->bits);
	case SDTKIT_TAP_UNSIGNED:
		return json_of_unsigned(value->bits);
	case SDTKIT_TAP_FLOAT:
		return json_of_float(value->number);
	case SDTKIT_TAP_POINTER:
		return json_out_hex(value->bits);
	case SDTKIT_TAP_STRING:
		if (value->text != NULL)
			return json_out_text_n(value->text, value->length);
		return json_null();
	default:
		return json_null();
	}
}

static json_t *json_of_argument(const struct sdtkit_tap_field *field,
				const struct sdtkit_tap_value *value)
{
	json_t *argument = json_object();

	json_object_set_new(argument, "name", json_out_text(field->name));
	json_object_set_new(argument, "type", json_out_text(field->type));
	json_object_set_new(argument, "value", json_of_value(value));
	if (value->cut)
		json_object_set_new(argument, "cut", json_true());
	if (value->kind == SDTKIT_TAP_STRING)
		json_object_set_new(argument, "address",
				    json_out_hex(value->bits));
	else if (value->text != NULL)
		json_object_set_new(argument, "text",
				    json_out_text_n(value->text,
						    value->length));
	if (value->why != NULL)
		json_object_set_new(argument, "why",
				    json_out_text(value->why));
	return argument;
}

void tracing_json_begin(const struct tracing *tracing)
{
	json_t *command = json_array();
	char **word;

	for (word = tracing->command; *word != NULL; word++)
		json_array_append_new(command, json_out_text(*word));
	print(json_pack("{s:i, s:o, s:I}", "sdtkit_trace", 1, "command",
			command, "start", (json_int_t)tracing->start_epoch));
}

void tracing_json_hit(const struct tracing *tracing,
		      const struct sdtkit_tap_event *event)
{
	json_t *arguments = json_array();
	size_t i;

	for (i = 0; i < event->value_count; i++)
		json_array_append_new(arguments,
			json_of_argument(&event->probe->fields[i],
					 &event->values[i]));
	print(json_pack("{s:I, s:i, s:i, s:o, s:o, s:o}",
			"time", (json_int_t)(event->time - tracing->start),
			"pid", (int)event->pid, "tid", (int)event->tid,
			"provider", json_out_text(event->probe->provider),
			"probe", json_out_text(event->probe->probe),
			"arguments", arguments));
}

void tracing_json_count(const char *provider, const char *probe, uint64_t hits)
{
	print(json_pack("{s:o, s:o, s:I}", "provider", json_out_text(provider),
			"probe", json_out_text(probe),
			"hits", (json_int_t)hits));
}

void tracing_json_end(const struct tracing *tracing, int status,
		      uint64_t left_out)
{
	print(json_pack("{s:I, s:I, s:I, s:i}",
			"hits", (json_int_t)tracing->hits,
			"lost", (json_int_t)tracing->lost,
			"left_out", (json_int_t)left_out, "status", status));
}
