/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a value is stored in a trace, see ctf_form.h. All is in the byte order of
 * this machine, and nothing is aligned.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "trace/bytes.h"
#include "trace/ctf_form.h"

static bool is_bool(const struct sdtkit_tap_field *field)
{
	return strcmp(field->type, "bool") == 0 ||
	       strcmp(field->type, "_Bool") == 0;
}

/* A program that overwrites the ring can make any size. */
static uint8_t size_of_number(const struct sdtkit_tap_value *value)
{
	switch (value->size) {
	case 1:
	case 2:
	case 4:
		return (uint8_t)value->size;
	default:
		return 8;
	}
}

/* An array whose elements have an odd size is one of bytes. */
static void set_array(struct ctf_form *form,
		      const struct sdtkit_tap_value *value)
{
	form->kind = CTF_ARRAY;
	form->is_signed = value->is_signed;
	form->counts[0] = (uint16_t)value->counts[0];
	form->counts[1] = (uint16_t)value->counts[1];
	if (form->size == value->size)
		return;
	form->size = 1;
	form->is_signed = false;
	form->counts[0] = (uint16_t)value->length;
	form->counts[1] = 0;
}

struct ctf_form ctf_form(const struct sdtkit_tap_field *field,
			 const struct sdtkit_tap_value *value)
{
	struct ctf_form form = { .size = size_of_number(value) };

	switch (value->kind) {
	case SDTKIT_TAP_SIGNED:
		form.kind = CTF_SIGNED;
		break;
	case SDTKIT_TAP_UNSIGNED:
		form.kind = is_bool(field) ? CTF_BOOL : CTF_UNSIGNED;
		form.extras = value->text != NULL ? CTF_TEXT : 0;
		break;
	case SDTKIT_TAP_FLOAT:
		form.kind = CTF_FLOAT;
		form.size = value->size == 4 ? 4 : 8;
		break;
	case SDTKIT_TAP_STRING:
		form.kind = value->text != NULL ? CTF_STRING : CTF_ADDRESS;
		break;
	case SDTKIT_TAP_POINTER:
		form.kind = value->members != NULL ? CTF_RECORD : CTF_ADDRESS;
		form.member_count = (uint16_t)value->member_count;
		break;
	case SDTKIT_TAP_ARRAY:
		set_array(&form, value);
		break;
	default:
		form.kind = CTF_NOTHING;
		form.extras = CTF_WHY;
	}
	if (value->cut)
		form.extras |= CTF_CUT;
	if (value->why != NULL)
		form.extras |= CTF_WHY;
	return form;
}

static void put_number(struct tracing_bytes *bytes, uint64_t bits, size_t size)
{
	uint8_t u1 = (uint8_t)bits;
	uint16_t u2 = (uint16_t)bits;
	uint32_t u4 = (uint32_t)bits;

	switch (size) {
	case sizeof(u1):
		tracing_bytes_put(bytes, &u1, sizeof(u1));
		break;
	case sizeof(u2):
		tracing_bytes_put(bytes, &u2, sizeof(u2));
		break;
	case sizeof(u4):
		tracing_bytes_put(bytes, &u4, sizeof(u4));
		break;
	default:
		tracing_bytes_put(bytes, &bits, sizeof(bits));
	}
}

/* A NUL ends a string, so one that is in it cuts it. */
static void put_text(struct tracing_bytes *bytes, const char *text,
		     size_t length)
{
	length = strnlen(text, length);
	tracing_bytes_put(bytes, text, length);
	tracing_bytes_put(bytes, "", 1);
}

void ctf_put_value(struct tracing_bytes *bytes, struct ctf_form form,
		   const struct sdtkit_tap_value *value)
{
	switch (form.kind) {
	case CTF_NOTHING:
	case CTF_RECORD:
		break;
	case CTF_STRING:
		put_text(bytes, value->text, value->length);
		break;
	case CTF_ARRAY:
		tracing_bytes_put(bytes, value->text, value->length);
		break;
	default:
		put_number(bytes, value->bits, form.size);
	}
}

void ctf_put_extras(struct tracing_bytes *bytes, struct ctf_form form,
		    const struct sdtkit_tap_value *value)
{
	static const char is_cut = 1;
	const char *why = value->why != NULL ? value->why : "unknown";

	if (form.extras & CTF_TEXT)
		put_text(bytes, value->text, value->length);
	if (form.extras & CTF_CUT)
		tracing_bytes_put(bytes, &is_cut, 1);
	if (form.extras & CTF_WHY)
		put_text(bytes, why, strlen(why));
}
