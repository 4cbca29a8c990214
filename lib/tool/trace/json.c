/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --json: an object per line, docs/trace.schema.json.
 *
 *	{"sdtkit_trace":1,"command":["demo-server","/srv"],"start":...}
 *	{"time":13412907,"pid":4711,"tid":4711,"provider":"smb2",
 *	 "probe":"request_start","arguments":[{"name":"mid",...}]}
 *	{"hits":1,"lost":0,"left_out":0,"traps":0,"status":0}
 *
 * The line of a hit is put together here: what is the same in all hits of a
 * probe is made by libjansson once, and so is each value that is more than
 * digits or plain text.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/bytes.h"
#include "trace/json.h"
#include "trace/json_value.h"
#include "trace/output.h"
#include "trace/tracing.h"

/* What is the same in all hits of a probe, which stays where it is. */
struct constant {
	const struct sdtkit_tap_probe *probe;
	/* ,"provider":"smb2","probe":"request_start","arguments":[ */
	char *names;
	struct {
		/* {"name":"mid","type":"uint64_t","value": */
		char *begin;
		bool is_bool;
	} fields[SDTKIT_TAP_ARGUMENTS_MAX];
};

static void *constants;
/* The line of the hit. */
static struct tracing_bytes line;

static char *dump(json_t *value)
{
	char *text = NULL;

	if (value != NULL)
		text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	if (text == NULL)
		tool_no_memory();
	json_decref(value);
	return text;
}

static void print(json_t *value)
{
	char *text = dump(value);

	tracing_write_line(text, strlen(text));
	free(text);
}

static void put(const char *text)
{
	tracing_bytes_put(&line, text, strlen(text));
}

static void put_json(json_t *value)
{
	char *text = dump(value);

	put(text);
	free(text);
}

static void put_unsigned(uint64_t number)
{
	char text[sizeof("18446744073709551615")], *at = text + sizeof(text);

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	tracing_bytes_put(&line, at, (size_t)(text + sizeof(text) - at));
}

static void put_signed(int64_t number)
{
	if (number < 0)
		put("-");
	put_unsigned(number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void put_hex(uint64_t number)
{
	char text[sizeof("\"0x0123456789abcdef")], *at = text + sizeof(text);

	*--at = '"';
	do {
		*--at = "0123456789abcdef"[number % 16];
		number /= 16;
	} while (number != 0);
	put("\"0x");
	tracing_bytes_put(&line, at, (size_t)(text + sizeof(text) - at));
}

static bool is_plain(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (text[i] < ' ' || text[i] > '~' || text[i] == '"' ||
		    text[i] == '\\')
			return false;
	}
	return true;
}

static void put_text(const char *text, size_t length)
{
	if (!is_plain(text, length)) {
		put_json(json_out_text_n(text, length));
		return;
	}
	put("\"");
	tracing_bytes_put(&line, text, length);
	put("\"");
}

static void put_number(uint64_t bits, bool is_signed)
{
	bool is_negative = is_signed && (int64_t)bits < 0;
	uint64_t size = is_negative ? -bits : bits;
	bool is_exact = size <= TRACING_EXACT_MAX;

	if (!is_exact)
		put("\"");
	if (is_negative)
		put("-");
	put_unsigned(size);
	if (!is_exact)
		put("\"");
}

static void put_value(const struct sdtkit_tap_field *field, bool is_bool,
		      const struct sdtkit_tap_value *value)
{
	switch (value->kind) {
	case SDTKIT_TAP_UNSIGNED:
		if (is_bool && value->bits <= 1)
			put(value->bits == 1 ? "true" : "false");
		else
			put_number(value->bits, false);
		break;
	case SDTKIT_TAP_SIGNED:
		put_number(value->bits, true);
		break;
	case SDTKIT_TAP_POINTER:
		put_hex(value->bits);
		break;
	case SDTKIT_TAP_STRING:
		if (value->text != NULL)
			put_text(value->text, value->length);
		else
			put("null");
		break;
	default:
		put_json(tracing_json_value(field, value));
	}
}

static void put_record(const struct sdtkit_tap_field *field,
		       const struct sdtkit_tap_value *value)
{
	json_t *names = tracing_json_names(field, value);

	put(",\"members\":");
	put_json(tracing_json_members(field, value));
	if (json_object_size(names) > 0) {
		put(",\"member_names\":");
		put_json(json_incref(names));
	}
	json_decref(names);
}

/* What follows the value. */
static void put_extras(const struct sdtkit_tap_field *field,
		       const struct sdtkit_tap_value *value)
{
	const char *name = tracing_json_name(field, value);

	if (name != NULL) {
		put(",\"value_name\":");
		put_text(name, strlen(name));
	}
	if (value->members != NULL)
		put_record(field, value);
	if (value->cut)
		put(",\"cut\":true");
	if (value->kind == SDTKIT_TAP_STRING) {
		put(",\"address\":");
		put_hex(value->bits);
	} else if (value->text != NULL) {
		put(",\"text\":");
		put_text(value->text, value->length);
	}
	if (value->why != NULL) {
		put(",\"why\":");
		put_text(value->why, strlen(value->why));
	}
}

static int by_probe(const void *first, const void *second)
{
	const struct constant *a = first, *b = second;

	return a->probe < b->probe ? -1 : a->probe > b->probe;
}

/* Takes the brackets off that end the object and, if depth is 2, its array. */
static char *open_end(json_t *object, size_t depth)
{
	char *text = dump(object);

	text[strlen(text) - depth] = '\0';
	return text;
}

static struct constant *make_constant(const struct sdtkit_tap_probe *probe)
{
	struct constant *constant = calloc(1, sizeof(*constant));
	size_t i;

	if (constant == NULL)
		tool_no_memory();
	constant->probe = probe;
	constant->names = open_end(json_pack("{s:o, s:o, s:[]}",
		"provider", json_out_text(probe->provider),
		"probe", json_out_text(probe->probe), "arguments"), 2);
	constant->names[0] = ',';
	for (i = 0; i < probe->field_count; i++) {
		const struct sdtkit_tap_field *field = &probe->fields[i];

		constant->fields[i].begin = open_end(json_pack(
			"{s:o, s:o, s:[]}", "name", json_out_text(field->name),
			"type", json_out_text(field->type), "value"), 3);
		constant->fields[i].is_bool = tracing_json_is_bool(field);
	}
	if (tsearch(constant, &constants, by_probe) == NULL)
		tool_no_memory();
	return constant;
}

static struct constant *constant_of(const struct sdtkit_tap_probe *probe)
{
	const struct constant key = { .probe = probe };
	struct constant *const *found = tfind(&key, &constants, by_probe);

	return found != NULL ? *found : make_constant(probe);
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
	const struct constant *constant = constant_of(event->probe);
	size_t i;

	line.size = 0;
	put("{\"time\":");
	put_signed((int64_t)(event->time - tracing->start));
	put(",\"pid\":");
	put_signed(event->pid);
	put(",\"tid\":");
	put_signed(event->tid);
	put(constant->names);
	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_field *field = &event->probe->fields[i];

		if (i > 0)
			put(",");
		put(constant->fields[i].begin);
		put_value(field, constant->fields[i].is_bool,
			  &event->values[i]);
		put_extras(field, &event->values[i]);
		put("}");
	}
	put("]}");
	tracing_write_line(line.data, line.size);
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
