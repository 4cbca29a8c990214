/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of JSON that libjansson makes, see json_value.h. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/json.h"
#include "sdtkit/tap.h"
#include "trace/json_value.h"

enum {
	/* Objects within objects. */
	DEPTH_MAX = 16,
};

static json_t *json_of_unsigned(uint64_t bits)
{
	char text[sizeof("18446744073709551615")];

	if (bits <= TRACING_EXACT_MAX)
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

bool tracing_json_is_bool(const struct sdtkit_tap_field *field)
{
	return strcmp(field->type, "bool") == 0 ||
	       strcmp(field->type, "_Bool") == 0;
}

json_t *tracing_json_value(const struct sdtkit_tap_field *field,
			   const struct sdtkit_tap_value *value)
{
	if (value->kind == SDTKIT_TAP_UNSIGNED && value->bits <= 1 &&
	    tracing_json_is_bool(field))
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

const char *tracing_json_name(const struct sdtkit_tap_field *field,
			      const struct sdtkit_tap_value *value)
{
	if (value->kind != SDTKIT_TAP_SIGNED &&
	    value->kind != SDTKIT_TAP_UNSIGNED)
		return NULL;
	return sdtkit_tap_value_name(field, value->bits);
}

json_t *tracing_json_names(const struct sdtkit_tap_field *field,
			   const struct sdtkit_tap_value *value)
{
	json_t *names = json_object();
	size_t i;

	for (i = 0; i < value->member_count; i++) {
		const struct sdtkit_tap_field *member = &field->members[i];
		const char *text = tracing_json_name(member, &value->members[i]);
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

json_t *tracing_json_members(const struct sdtkit_tap_field *field,
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
				    tracing_json_value(member, &value->members[i]));
		json_decref(key);
	}
	return members;
}
