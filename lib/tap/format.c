/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An event as a line: smb2:request_start(mid=7, name="a.txt", rate=1.5).
 *
 * For callbacks, hence without anything that allocates; snprintf() of glibc
 * and musl does not, for numbers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "printable.h"

/* Where to write, how much was written, had there been room. */
struct out {
	char *to;
	size_t size;
	size_t length;
};

static void put_char(struct out *out, char c)
{
	if (out->length + 1 < out->size)
		out->to[out->length] = c;
	out->length++;
}

static void put(struct out *out, const char *text)
{
	while (*text != '\0')
		put_char(out, *text++);
}

static void put_hex(struct out *out, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	put(out, "\\x");
	put_char(out, digits[c >> 4]);
	put_char(out, digits[c & 15]);
}

/* Of a file, or of a record that the traced program could write over. */
static void put_plain(struct out *out, const char *text, bool blanks)
{
	for (; *text != '\0'; text++) {
		if ((*text > ' ' && *text < 0x7f && *text != '\\') ||
		    (blanks && *text == ' '))
			put_char(out, *text);
		else
			put_hex(out, (unsigned char)*text);
	}
}

/* Returns how much of the text that was. */
static size_t put_escaped(struct out *out, const char *text)
{
	size_t size = sdtkit_tap_printable(text), i;

	if (*text == '"' || *text == '\\')
		put_char(out, '\\');
	if (*text == '\n')
		put(out, "\\n");
	else if (size == 0)
		put_hex(out, (unsigned char)*text);
	for (i = 0; i < size; i++)
		put_char(out, text[i]);
	return size > 0 ? size : 1;
}

static void put_text(struct out *out, const char *text, bool cut)
{
	put_char(out, '"');
	while (*text != '\0')
		text += put_escaped(out, text);
	put_char(out, '"');
	if (cut)
		put(out, "...");
}

/* As few digits as lead back to the number. */
static void put_float(struct out *out, double number, unsigned int size)
{
	char text[40];
	int digits;

	for (digits = size == 4 ? 6 : 15; digits <= 17; digits++) {
		double back;

		snprintf(text, sizeof(text), "%.*g", digits, number);
		back = strtod(text, NULL);
		if (size == 4 ? (float)back == (float)number : back == number)
			break;
	}
	put(out, text);
}

static void put_value(struct out *out, const struct sdtkit_tap_value *value)
{
	char text[32];

	switch (value->kind) {
	case SDTKIT_TAP_SIGNED:
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)value->bits);
		put(out, text);
		break;
	case SDTKIT_TAP_UNSIGNED:
		snprintf(text, sizeof(text), "%" PRIu64, value->bits);
		put(out, text);
		break;
	case SDTKIT_TAP_FLOAT:
		put_float(out, value->number, value->size);
		break;
	case SDTKIT_TAP_STRING:
		if (value->text != NULL)
			break;
		/* fall through */
	case SDTKIT_TAP_POINTER:
		snprintf(text, sizeof(text), "%#" PRIx64, value->bits);
		put(out, value->bits == 0 ? "NULL" : text);
		break;
	case SDTKIT_TAP_UNREADABLE:
		put_char(out, '?');
		break;
	}
	if (value->text != NULL) {
		if (value->kind != SDTKIT_TAP_STRING)
			put_char(out, ' ');
		put_text(out, value->text, value->cut);
	}
	if (value->why != NULL) {
		put(out, " (");
		put_plain(out, value->why, true);
		put_char(out, ')');
	}
}

static size_t finish(struct out *out)
{
	if (out->size > 0)
		out->to[out->length < out->size ? out->length :
						  out->size - 1] = '\0';
	return out->length;
}

size_t sdtkit_tap_format_value(const struct sdtkit_tap_value *value, char *to,
			       size_t size)
{
	struct out out = { to, size, 0 };

	put_value(&out, value);
	return finish(&out);
}

size_t sdtkit_tap_format(const struct sdtkit_tap_event *event, char *to,
			 size_t size)
{
	struct out out = { to, size, 0 };
	size_t i;

	put_plain(&out, event->probe->provider, false);
	put_char(&out, ':');
	put_plain(&out, event->probe->probe, false);
	put_char(&out, '(');
	for (i = 0; i < event->value_count; i++) {
		const char *name = event->probe->fields[i].name;

		if (i > 0)
			put(&out, ", ");
		put_plain(&out, name, false);
		if (*name != '\0')
			put_char(&out, '=');
		put_value(&out, &event->values[i]);
	}
	put_char(&out, ')');
	return finish(&out);
}

static void put_want(struct out *out, const struct sdtkit_tap_want *want)
{
	struct sdtkit_tap_value value = {
		.bits = want->bits,
		.number = want->number,
		.size = 8,
	};

	switch (want->what) {
	case SDTKIT_TAP_WANT_INT:
		value.kind = SDTKIT_TAP_SIGNED;
		break;
	case SDTKIT_TAP_WANT_UINT:
		value.kind = SDTKIT_TAP_UNSIGNED;
		break;
	case SDTKIT_TAP_WANT_FLOAT:
		value.kind = SDTKIT_TAP_FLOAT;
		break;
	case SDTKIT_TAP_WANT_POINTER:
		value.kind = SDTKIT_TAP_POINTER;
		break;
	case SDTKIT_TAP_WANT_LIKE:
		put(out, "like ");
		/* fall through */
	case SDTKIT_TAP_WANT_STRING:
		value.kind = SDTKIT_TAP_STRING;
		value.text = want->text;
		break;
	default:
		put(out, "any value");
		return;
	}
	put_value(out, &value);
}

size_t sdtkit_tap_format_want(const struct sdtkit_tap_want *want, char *to,
			      size_t size)
{
	struct out out = { to, size, 0 };

	put_want(&out, want);
	return finish(&out);
}
