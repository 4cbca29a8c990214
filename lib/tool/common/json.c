/* SPDX-License-Identifier: BSD-2-Clause */
/* JSON, made by libjansson, on standard output. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/out.h"
#include "common/tool.h"

/* Many readers of JSON keep only the first 53 bits of larger numbers. */
#define EXACT_MAX	(INT64_C(1) << 53)

json_t *json_out_text_n(const char *text, size_t length)
{
	static const char replacement[] = "\xef\xbf\xbd";
	json_t *value = json_stringn(text, length);
	char *copy, *to;
	size_t i;

	if (value != NULL)
		return value;
	copy = to = malloc(3 * length + 1);
	if (copy == NULL)
		tool_no_memory();
	for (i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x80)
			*to++ = text[i];
		else
			to = stpcpy(to, replacement);
	}
	value = json_stringn(copy, (size_t)(to - copy));
	free(copy);
	return value;
}

json_t *json_out_text(const char *text)
{
	return text == NULL ? json_null() : json_out_text_n(text, strlen(text));
}

json_t *json_out_hex(uint64_t value)
{
	char text[sizeof("0x0123456789abcdef")];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	return json_string(text);
}

json_t *json_out_signed(int64_t number)
{
	char text[sizeof("-9223372036854775808")];

	if (number >= -EXACT_MAX && number <= EXACT_MAX)
		return json_integer(number);
	snprintf(text, sizeof(text), "%" PRId64, number);
	return json_string(text);
}

/* Digits of a number: as many as any decimal keeps, so that 0.1 stays 0.1. */
enum { DIGITS = 15 };

static int print(const char *data, size_t size, void *context)
{
	out_bytes(data, size);
	return 0;
}

void json_out_print(json_t *value)
{
	if (value == NULL || json_dump_callback(value, print, NULL,
						JSON_REAL_PRECISION(DIGITS)))
		tool_no_memory();
	json_decref(value);
}
