/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See value.h.  An argument without a description may be a number or the
 * address of a string; it is printed as a string if all bytes up to a NUL are
 * text.
 *
 *	u8	7			UNSIGNED 7
 *	z	0x55d0c1f0a2b0		STRING "a.txt"
 */
#include <string.h>

#include "printable.h"
#include "safe_read.h"
#include "value.h"
#include "wire.h"

enum {
	/* What is copied of a string, with its NUL, at most. */
	STRING_MAX = 1024,
};

/* A value that nobody describes: its operand is all that is known. */
static struct sdtkit_tap_form guess_form(const struct sdtkit_operand *operand)
{
	struct sdtkit_wire wire = sdtkit_wire_of_operand(operand);
	bool has_type = wire.letter != '?';

	return (struct sdtkit_tap_form) {
		.kind = wire.letter == 'f' ? SDTKIT_TAP_FLOAT :
			wire.letter == 's' ? SDTKIT_TAP_SIGNED :
					     SDTKIT_TAP_UNSIGNED,
		.size = !has_type ? SDTKIT_TAP_WORD :
			wire.size <= 8 ? wire.size : 0,
		.guessed = true,
	};
}

struct sdtkit_tap_form sdtkit_tap_form(const char *text,
				       const struct sdtkit_operand *operand)
{
	static const struct {
		char letter;
		enum sdtkit_tap_kind kind;
	} kinds[] = {
		{ 'u', SDTKIT_TAP_UNSIGNED },
		{ 's', SDTKIT_TAP_SIGNED },
		{ 'f', SDTKIT_TAP_FLOAT },
		{ 'p', SDTKIT_TAP_POINTER },
		{ 'z', SDTKIT_TAP_STRING },
	};
	struct sdtkit_tap_form form = { .kind = SDTKIT_TAP_UNREADABLE };
	struct sdtkit_wire wire;
	size_t i;

	if (text == NULL)
		return guess_form(operand);
	wire = sdtkit_wire_parse(text);
	form.size = wire.is_word ? SDTKIT_TAP_WORD : wire.size;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (wire.letter == kinds[i].letter &&
		    sdtkit_tap_is_size(form.size))
			form.kind = kinds[i].kind;
	}
	return form;
}

/* The last copy, to the limit; the rest of its space is free again. */
static void shorten(struct sdtkit_tap_value *value,
		    struct sdtkit_tap_space *space)
{
	size_t surplus;

	if (space->limit == 0 || value->length <= space->limit)
		return;
	surplus = value->length - space->limit;
	space->at -= surplus;
	space->left += surplus;
	space->at[-1] = '\0';
	value->length = space->limit;
	value->cut = true;
}

static void copy_string(pid_t pid, struct sdtkit_tap_value *value,
			struct sdtkit_tap_space *space)
{
	/* One byte more tells whether it ends there. */
	size_t most = space->limit > 0 && space->limit < STRING_MAX - 1 ?
		      space->limit + 2 : STRING_MAX;
	size_t size = space->left < most ? space->left : most;
	long length;
	bool whole;

	if (value->bits == 0)
		return;
	if (size == 0) {
		value->why = "the strings before it took the space";
		return;
	}
	length = sdtkit_tap_safe_read_string(pid, (uintptr_t)value->bits,
					     space->at, size, &whole);
	if (length < 0) {
		value->why = "there is no memory at that address";
		return;
	}
	value->text = space->at;
	value->length = (size_t)length;
	value->cut = !whole;
	space->at += length + 1;
	space->left -= (size_t)length + 1;
	shorten(value, space);
}

/* Reads a whole string at what may be its address: each byte must be text. */
static void guess_string(pid_t pid, struct sdtkit_tap_value *value,
			 struct sdtkit_tap_space *space)
{
	struct sdtkit_tap_space before = *space;

	space->limit = 0;
	copy_string(pid, value, space);
	space->limit = before.limit;
	value->why = NULL;
	if (value->text != NULL && value->length > 0 && !value->cut &&
	    sdtkit_is_text(value->text, false)) {
		shorten(value, space);
		return;
	}
	value->text = NULL;
	value->length = 0;
	value->cut = false;
	*space = before;
}

void sdtkit_tap_make_none(const char *why, struct sdtkit_tap_value *value)
{
	*value = (struct sdtkit_tap_value) {
		.kind = SDTKIT_TAP_UNREADABLE,
		.why = why,
	};
}

void sdtkit_tap_make(uint64_t bits, struct sdtkit_tap_form form, pid_t pid,
		     struct sdtkit_tap_value *value,
		     struct sdtkit_tap_space *space)
{
	*value = (struct sdtkit_tap_value) {
		.kind = form.kind,
		.size = form.size,
		.bits = sdtkit_tap_extend(bits, form.size,
					  form.kind == SDTKIT_TAP_SIGNED),
	};
	if (form.kind == SDTKIT_TAP_FLOAT)
		value->number = sdtkit_tap_number(value->bits, form.size);
	if (form.kind == SDTKIT_TAP_STRING)
		copy_string(pid, value, space);
	if (form.kind == SDTKIT_TAP_UNSIGNED && form.guessed &&
	    form.size == SDTKIT_TAP_WORD)
		guess_string(pid, value, space);
}
