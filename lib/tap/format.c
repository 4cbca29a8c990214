/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes an event as a line: smb2:request_start(mid=7, name="a.txt", rate=1.5),
 * with a record smb2:done(req={mid=7 peer={port=445 guid=[1 2 3]}}), and with
 * names of values smb2:request_exec(opcode=CREATE(5)).
 *
 * Callbacks may call this, so nothing here allocates memory; snprintf() of
 * glibc and musl does not allocate any for numbers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "printable.h"

enum {
	/* The shortest text that is shown for a number of unknown type. */
	GUESS_LENGTH = 3,
};

/* Where to write; length is what the text would have if there was space. */
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

/* Escapes more, as a file may be hostile and a record may be overwritten. */
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

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Whether the text begins with "\x01", as a marshaller of sdtkit/arg.h writes a
 * byte that is not text: it is not escaped again as "\\x01".
 */
static bool is_escaped_already(const char *text)
{
	int byte;

	if (text[0] != '\\' || text[1] != 'x' || hex_digit(text[2]) < 0 ||
	    hex_digit(text[3]) < 0)
		return false;
	byte = hex_digit(text[2]) * 16 + hex_digit(text[3]);
	return byte < ' ' || byte >= 0x7f;
}

/* Writes one character; returns how many bytes of the text it has. */
static size_t put_escaped(struct out *out, const char *text)
{
	size_t size = sdtkit_printable(text), i;

	if (*text == '"' || (*text == '\\' && !is_escaped_already(text)))
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

/*
 * Writes what "%g" has made, with a point where the locale of the program has
 * something else.
 */
static void put_with_point(struct out *out, const char *text)
{
	static const char own[] = "0123456789+-einfa";

	while (*text != '\0') {
		if (strchr(own, *text) != NULL) {
			put_char(out, *text++);
			continue;
		}
		put_char(out, '.');
		while (*text != '\0' && strchr(own, *text) == NULL)
			text++;
	}
}

/* Writes the fewest digits from which strtod() makes the same number. */
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
	put_with_point(out, text);
}

static void put_number(struct out *out, uint64_t bits, bool is_signed)
{
	char text[32];

	snprintf(text, sizeof(text), is_signed ? "%" PRId64 : "%" PRIu64,
		 bits);
	put(out, text);
}

const char *sdtkit_tap_value_name(const struct sdtkit_tap_field *field,
				  uint64_t bits)
{
	size_t i;

	for (i = 0; i < field->enumerator_count; i++) {
		if ((uint64_t)field->enumerators[i].value == bits)
			return field->enumerators[i].name;
	}
	return NULL;
}

/* Writes CREATE(5), or the number alone if it has no name. */
static void put_named(struct out *out, const struct sdtkit_tap_field *field,
		      uint64_t bits, bool is_signed)
{
	const char *name = field == NULL ? NULL :
			   sdtkit_tap_value_name(field, bits);

	if (name != NULL) {
		put_plain(out, name, false);
		put_char(out, '(');
	}
	put_number(out, bits, is_signed);
	if (name != NULL)
		put_char(out, ')');
}

/*
 * Writes [1 2 3], or [[1 2] [3 4]] if there are two dimensions; field may be
 * NULL.
 */
static void put_array(struct out *out, const struct sdtkit_tap_field *field,
		      const struct sdtkit_tap_value *value)
{
	unsigned int row = value->counts[1] > 0 ? value->counts[1] :
						  value->counts[0];
	size_t count = value->size > 0 ? value->length / value->size : 0, i;

	put(out, value->counts[1] > 0 ? "[[" : "[");
	for (i = 0; i < count; i++) {
		if (i > 0)
			put(out, row > 0 && i % row == 0 ? "] [" : " ");
		put_named(out, field, sdtkit_tap_element(value, i),
			  value->is_signed);
	}
	put(out, value->counts[1] > 0 ? "]]" : "]");
}

static void put_address(struct out *out, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "%#" PRIx64, address);
	put(out, address == 0 ? "NULL" : text);
}

/*
 * If the probe has no description, a number may be the address of a text.  It
 * may also be the address of a struct whose first member is a small number,
 * which looks like a text of a letter or two: then it is shown as a number.
 */
static bool is_guessed_text(const struct sdtkit_tap_value *value)
{
	return value->text != NULL && value->length >= GUESS_LENGTH;
}

static void put_value(struct out *out, const struct sdtkit_tap_value *value)
{
	switch (value->kind) {
	case SDTKIT_TAP_UNSIGNED:
		if (is_guessed_text(value)) {
			put_address(out, value->bits);
			put_char(out, ' ');
			put_text(out, value->text, value->cut);
			break;
		}
		/* fall through */
	case SDTKIT_TAP_SIGNED:
		put_number(out, value->bits,
			   value->kind == SDTKIT_TAP_SIGNED);
		break;
	case SDTKIT_TAP_ARRAY:
		put_array(out, NULL, value);
		break;
	case SDTKIT_TAP_FLOAT:
		put_float(out, value->number, value->size);
		break;
	case SDTKIT_TAP_STRING:
		if (value->text != NULL) {
			put_text(out, value->text, value->cut);
			break;
		}
		/* fall through */
	case SDTKIT_TAP_POINTER:
		put_address(out, value->bits);
		break;
	case SDTKIT_TAP_UNREADABLE:
		put_char(out, '?');
		break;
	}
	if (value->why != NULL) {
		put(out, " (");
		put_plain(out, value->why, true);
		put_char(out, ')');
	}
}

/*
 * Writes the name of a member, behind the braces which end and begin the
 * structs that contain it: if the member before was "peer.port", the name
 * "peer.host.name" is written as " host={name=".
 */
static void put_member_name(struct out *out, const char *before,
			    const char *name)
{
	size_t same = 0, i;

	for (i = 0; before[i] != '\0' && before[i] == name[i]; i++) {
		if (name[i] == '.')
			same = i + 1;
	}
	for (i = same; before[i] != '\0'; i++) {
		if (before[i] == '.')
			put_char(out, '}');
	}
	if (*before != '\0')
		put_char(out, ' ');
	for (name += same; *name != '\0'; name++) {
		char letter[] = { *name, '\0' };

		if (*name == '.')
			put(out, "={");
		else
			put_plain(out, letter, false);
	}
	put_char(out, '=');
}

static void put_typed(struct out *out, const struct sdtkit_tap_field *field,
		      const struct sdtkit_tap_value *value);

static void put_members(struct out *out, const struct sdtkit_tap_field *field,
			const struct sdtkit_tap_value *value)
{
	const char *before = "";
	size_t i;

	put_char(out, '{');
	for (i = 0; i < value->member_count; i++) {
		const struct sdtkit_tap_field *member = &field->members[i];

		put_member_name(out, before, member->name);
		put_typed(out, member, &value->members[i]);
		before = member->name;
	}
	for (; *before != '\0'; before++) {
		if (*before == '.')
			put_char(out, '}');
	}
	if (value->cut)
		put(out, " ...");
	put_char(out, '}');
}

static bool is_bool(const struct sdtkit_tap_field *field)
{
	return strcmp(field->type, "bool") == 0 ||
	       strcmp(field->type, "_Bool") == 0;
}

static bool has_name(const struct sdtkit_tap_field *field,
		     const struct sdtkit_tap_value *value)
{
	return (value->kind == SDTKIT_TAP_SIGNED ||
		value->kind == SDTKIT_TAP_UNSIGNED) &&
	       sdtkit_tap_value_name(field, value->bits) != NULL;
}

/* Writes a value whose declaration is known. */
static void put_typed(struct out *out, const struct sdtkit_tap_field *field,
		      const struct sdtkit_tap_value *value)
{
	if (value->members != NULL)
		put_members(out, field, value);
	else if (value->kind == SDTKIT_TAP_UNSIGNED && value->bits <= 1 &&
		 is_bool(field))
		put(out, value->bits == 1 ? "true" : "false");
	else if (value->kind == SDTKIT_TAP_ARRAY)
		put_array(out, field, value);
	else if (has_name(field, value))
		put_named(out, field, value->bits,
			  value->kind == SDTKIT_TAP_SIGNED);
	else
		put_value(out, value);
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
		put_typed(&out, &event->probe->fields[i], &event->values[i]);
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
	case SDTKIT_TAP_WANT_NAME:
		put(out, want->text);
		return;
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
