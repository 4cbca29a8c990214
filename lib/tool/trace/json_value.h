/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of JSON that libjansson makes: those of records, and what takes more
 * than digits.
 */
#ifndef SDTKIT_TOOL_TRACE_JSON_VALUE_H
#define SDTKIT_TOOL_TRACE_JSON_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct sdtkit_tap_field;
struct sdtkit_tap_value;

/* Many readers of JSON keep only the first 53 bits of larger numbers. */
#define TRACING_EXACT_MAX	(INT64_C(1) << 53)

json_t *tracing_json_value(const struct sdtkit_tap_field *field,
			   const struct sdtkit_tap_value *value);

bool tracing_json_is_bool(const struct sdtkit_tap_field *field);

/* An object with the values of a record's members. */
json_t *tracing_json_members(const struct sdtkit_tap_field *field,
			     const struct sdtkit_tap_value *value);

/* The names of the values of members, of those that have one. */
json_t *tracing_json_names(const struct sdtkit_tap_field *field,
			   const struct sdtkit_tap_value *value);

/* Returns the name of a value, or NULL. */
const char *tracing_json_name(const struct sdtkit_tap_field *field,
			      const struct sdtkit_tap_value *value);

#endif /* SDTKIT_TOOL_TRACE_JSON_VALUE_H */
