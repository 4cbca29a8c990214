/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --json: an object per line, docs/trace.schema.json.
 *
 *	{"sdtkit_trace":1,"command":["demo-server","/srv"],"start":...}
 *	{"time":13412907,"pid":4711,"tid":4711,"provider":"smb2",
 *	 "probe":"request_start","arguments":[{"name":"mid",...}]}
 *	{"hits":1,"lost":0,"left_out":0,"traps":0,"status":0}
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/json.h"
#include "trace/output.h"
#include "trace/tracing.h"

/* Many readers of JSON keep only the first 53 bits of larger numbers. */
#define EXACT_MAX	(INT64_C(1) << 53)

enum {
	/* Objects within objects. */
	DEPTH_MAX = 16,
};

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

/* JSON has no notation for NaN and infinity. */
static json_t *json_of_float(double number)
{
	if (isfinite(number))
		return json_real(number);
	return json_string(isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

static json_t *json_of_bits(uint64_t bits, bool is_signed)
{
	return is_signed ? json_out_signed((int64_t)bits) :
			   json_of_unsigned(bits);
}

/* count numbers of an array, from the first on. */
static json_t *json_of_row(const struct sdtkit_tap_value *value, size_t first,
			   size_t count)
{
	json_t *row = json_array();
	size_t i;

	for (i = first; i < first + count; i++)
		json_array_append_new(row, json_of_bits(
				sdtkit_tap_element(value, i),
				value->is_signed));
	return row;
}

static json_t *json_of_array(const struct sdtkit_tap_value *value)
{
	size_t row = value->counts[1], i;
	json_t *rows;

	if (row == 0)
		return json_of_row(value, 0, value->counts[0]);
	rows = json_array();
	for (i = 0; i < value->counts[0]; i++)
		json_array_append_new(rows, json_of_row(value, i * row, row));
	return rows;
}

static bool is_bool(const struct sdtkit_tap_field *field)
{
	return strcmp(field->type, "bool") == 0 ||
	       strcmp(field->type, "_Bool") == 0;
}

static json_t *json_of_value(const struct sdtkit_tap_field *field,
			     const struct sdtkit_tap_value *value)
{
	if (value->kind == SDTKIT_TAP_UNSIGNED && value->bits <= 1 &&
	    is_bool(field))
		return json_boolean(value->bits == 1);
	switch (value->kind) {
	case SDTKIT_TAP_SIGNED:
	case SDTKIT_TAP_UNSIGNED:
		return json_of_bits(value->bits,
				    value->kind == SDTKIT_TAP_SIGNED);
	case SDTKIT_TAP_ARRAY:
		return json_of_array(value);
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

/*
 * Returns the object that a member belongs to: for "peer.host.name" that of
 * "host", which is made if necessary, and *name becomes "name". If the depth
 * exceeds that of any real record, or "peer" is a number, the rest of the name
 * remains one.
 */
static json_t *object_of(json_t *object, const char **name)
{
	const char *dot;
	int depth;

	for (depth = 0; depth < DEPTH_MAX; depth++) {
		json_t *key, *inner;

		dot = strchr(*name, '.');
		if (dot == NULL)
			break;
		key = json_out_text_n(*name, (size_t)(dot - *name));
		inner = json_object_get(object, json_string_value(key));
		if (inner == NULL) {
			inner = json_object();
			json_object_set_new(object, json_string_value(key),
					    inner);
		}
		json_decref(key);
		if (!json_is_object(inner))
			break;
		object = inner;
		*name = dot + 1;
	}
	return object;
}

/* Returns the name of a value, or NULL. */
static const char *name_of(const struct sdtkit_tap_field *field,
			   const struct sdtkit_tap_value *value)
{
	if (value->kind != SDTKIT_TAP_SIGNED &&
	    value->kind != SDTKIT_TAP_UNSIGNED)
		return NULL;
	return sdtkit_tap_value_name(field, value->bits);
}

/* The names of the values of members, of those that have one. */
static json_t *json_of_names(const struct sdtkit_tap_field *field,
			     const struct sdtkit_tap_value *value)
{
	json_t *names = json_object();
	size_t i;

	for (i = 0; i < value->member_count; i++) {
		const struct sdtkit_tap_field *member = &field->members[i];
		const char *text = name_of(member, &value->members[i]);
		const char *name = member->name;
		json_t *object, *key;

		if (text == NULL)
			continue;
		object = object_of(names, &name);
		key = json_out_text(name);
		json_object_set_new(object, json_string_value(key),
				    json_out_text(text));
		json_decref(key);
	}
	return names;
}

static void set_names(json_t *argument, const struct sdtkit_tap_field *field,
		      const struct sdtkit_tap_value *value)
{
	json_t *names;

	if (name_of(field, value) != NULL)
		json_object_set_new(argument, "value_name",
				    json_out_text(name_of(field, value)));
	if (value->members == NULL)
		return;
	names = json_of_names(field, value);
	if (json_object_size(names) > 0)
		json_object_set(argument, "member_names", names);
	json_decref(names);
}

static json_t *json_of_members(const struct sdtkit_tap_field *field,
			       const struct sdtkit_tap_value *value)
{
	json_t *members = json_object();
	size_t i;

	for (i = 0; i < value->member_count; i++) {
		const struct sdtkit_tap_field *member = &field->members[i];
		const char *name = member->name;
		json_t *object = object_of(members, &name);
		json_t *key = json_out_text(name);

		json_object_set_new(object, json_string_value(key),
				    json_of_value(member, &value->members[i]));
		json_decref(key);
	}
	return members;
}

static json_t *json_of_argument(const struct sdtkit_tap_field *field,
				const struct sdtkit_tap_value *value)
{
	json_t *argument = json_object();

	json_object_set_new(argument, "name", json_out_text(field->name));
	json_object_set_new(argument, "type", json_out_text(field->type));
	json_object_set_new(argument, "value", json_of_value(field, value));
	if (value->members != NULL)
		json_object_set_new(argument, "members",
				    json_of_members(field, value));
	set_names(argument, field, value);
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

void tracing_json_gap(const struct tracing *tracing, uint64_t lost,
		      uint64_t time)
{
	print(json_pack("{s:I, s:I}",
			"time", (json_int_t)(time - tracing->start),
			"lost", (json_int_t)lost));
}

void tracing_json_count(const char *provider, const char *probe, uint64_t hits)
{
	print(json_pack("{s:o, s:o, s:I}", "provider", json_out_text(provider),
			"probe", json_out_text(probe),
			"hits", (json_int_t)hits));
}

void tracing_json_end(const struct tracing *tracing,
		      const struct tracing_ending *ending)
{
	json_t *traps = ending->traps >= 0 ? json_integer(ending->traps) : NULL;

	print(json_pack("{s:I, s:I, s:I, s:o*, s:i}",
			"hits", (json_int_t)tracing->hits,
			"lost", (json_int_t)tracing->lost,
			"left_out", (json_int_t)ending->left_out,
			"traps", traps, "status", ending->status));
}
