/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See decode.h.  The arguments of `probe start(uint64_t mid, char *name)`:
 *
 *	8@%rax	u8	rax = 7			-> UNSIGNED 7
 *	8@%rdx	z	rdx = 0x55d0c1f0a2b0	-> STRING "a.txt"
 *
 * Invariant: a value is right or UNREADABLE.  An operand is not read if it may
 * not be what the compiler meant: a register narrower than the value, an
 * address relative to the pc, a form that lib/notes does not know.
 */
#include <string.h>

#include "decode.h"
#include "machine.h"
#include "members.h"
#include "printable.h"
#include "safe_read.h"
#include "wire.h"

enum {
	WORD = sizeof(long),
	/* What is copied of a string, with its NUL, at most. */
	STRING_MAX = 1024,
};

static bool is_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* A value that nobody describes: its operand is all that is known. */
static struct sdtkit_tap_form guess_form(const struct sdtkit_operand *operand)
{
	struct sdtkit_wire wire = sdtkit_wire_of_operand(operand);
	bool has_type = wire.letter != '?';

	return (struct sdtkit_tap_form) {
		.kind = wire.letter == 'f' ? SDTKIT_TAP_FLOAT :
			wire.letter == 's' ? SDTKIT_TAP_SIGNED :
					     SDTKIT_TAP_UNSIGNED,
		.size = has_type ? (wire.size <= 8 ? wire.size : 0) : WORD,
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
	form.size = wire.is_word ? WORD : wire.size;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (wire.letter == kinds[i].letter && is_size(form.size))
			form.kind = kinds[i].kind;
	}
	return form;
}

static uint64_t cut(uint64_t bits, unsigned int size, bool is_signed)
{
	unsigned int unused = 64 - 8 * size;

	if (unused == 0)
		return bits;
	bits <<= unused;
	return is_signed ? (uint64_t)((int64_t)bits >> unused) :
			   bits >> unused;
}

static bool read_vector(const struct sdtkit_tap_thread *thread,
			const struct sdtkit_register *reg, uint64_t *value)
{
	const struct sdtkit_tap_machine *machine = &sdtkit_tap_machine;
	unsigned int which = (unsigned int)reg->number - machine->first_vector;

	if (reg->number < machine->first_vector ||
	    which >= machine->vector_count || thread->vectors == NULL)
		return false;
	memcpy(value, (const char *)thread->vectors +
	       which * SDTKIT_TAP_VECTOR_SIZE, sizeof(*value));
	return true;
}

/*
 * The contents of the full register that this one is a part of; of a vector
 * register, its low 64 bits.  False: they are not in the blocks.
 */
static bool read_full(const struct sdtkit_tap_thread *thread,
		      const struct sdtkit_register *reg, uint64_t *value)
{
	if (reg->size > sizeof(long))
		return read_vector(thread, reg, value);
	if (reg->number < sdtkit_tap_machine.register_count) {
		*value = thread->registers[reg->number];
		return true;
	}
	*value = 0;
	return reg->number == SDTKIT_NO_NUMBER && sdtkit_tap_machine.has_zero;
}

/* NULL and *bits, or why not. */
static const char *read_register(const struct sdtkit_operand *operand,
				 unsigned int size,
				 const struct sdtkit_tap_thread *thread,
				 uint64_t *bits)
{
	const struct sdtkit_register *reg = operand->reg;

	if (size > reg->size)
		return "the note names a register that is narrower than "
		       "the value";
	if (!read_full(thread, reg, bits))
		return "that register is not known at a hit";
	*bits >>= reg->shift;
	return NULL;
}

static const char *add_register(const struct sdtkit_register *reg,
				unsigned int scale,
				const struct sdtkit_tap_thread *thread,
				uintptr_t *address)
{
	uint64_t value;

	if (reg == NULL)
		return NULL;
	if (strcmp(reg->full, "rip") == 0 || strcmp(reg->full, "pc") == 0)
		return "the note has an address relative to the code";
	if (!read_full(thread, reg, &value))
		return "that register is not known at a hit";
	*address += (uintptr_t)(cut(value, reg->size, false) * scale);
	return NULL;
}

static const char *read_memory(const struct sdtkit_operand *operand,
			       unsigned int size,
			       const struct sdtkit_tap_thread *thread,
			       uint64_t *bits)
{
	uintptr_t address = (uintptr_t)operand->displacement;
	union {
		uint8_t u1;
		uint16_t u2;
		uint32_t u4;
		uint64_t u8;
	} number;
	const char *why;

	why = add_register(operand->base, 1, thread, &address);
	if (why == NULL)
		why = add_register(operand->index, operand->scale, thread,
				   &address);
	if (why != NULL)
		return why;
	if (!sdtkit_tap_safe_read(thread->pid, address, &number, size))
		return "the note names memory that cannot be read";
	*bits = size == 1 ? number.u1 : size == 2 ? number.u2 :
		size == 4 ? number.u4 : number.u8;
	return NULL;
}

/* The value as the note has it, extended by the note's sign. */
static const char *read_operand(const struct sdtkit_operand *operand,
				const struct sdtkit_tap_thread *thread,
				uint64_t *bits)
{
	unsigned int size = operand->size == 0 ? WORD : operand->size;
	const char *why;

	if (!is_size(size))
		return "the note has a value that is not of 1, 2, 4 or 8 "
		       "bytes";
	switch (operand->kind) {
	case SDTKIT_OPERAND_REGISTER:
		why = read_register(operand, size, thread, bits);
		break;
	case SDTKIT_OPERAND_MEMORY:
		why = read_memory(operand, size, thread, bits);
		break;
	case SDTKIT_OPERAND_CONSTANT:
		*bits = (uint64_t)operand->constant;
		why = NULL;
		break;
	default:
		return "the note has an operand that this library "
		       "does not understand";
	}
	if (why == NULL)
		*bits = cut(*bits, size, operand->is_signed);
	return why;
}

static double number_of(uint64_t bits, unsigned int size)
{
	uint32_t half = (uint32_t)bits;
	double number;
	float narrow;

	if (size == sizeof(narrow)) {
		memcpy(&narrow, &half, sizeof(narrow));
		return (double)narrow;
	}
	memcpy(&number, &bits, sizeof(number));
	return number;
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

static bool is_text(const char *text)
{
	while (*text != '\0') {
		size_t size = strchr("\t\n\r", *text) != NULL ? 1 :
			      sdtkit_printable(text);

		if (size == 0)
			return false;
		text += size;
	}
	return true;
}

/* What may be the address of a string, or any number: all of it tells. */
static void guess_string(pid_t pid, struct sdtkit_tap_value *value,
			 struct sdtkit_tap_space *space)
{
	struct sdtkit_tap_space before = *space;

	space->limit = 0;
	copy_string(pid, value, space);
	space->limit = before.limit;
	value->why = NULL;
	if (value->text != NULL && value->length > 0 && !value->cut &&
	    is_text(value->text)) {
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
		.bits = cut(bits, form.size, form.kind == SDTKIT_TAP_SIGNED),
	};
	if (form.kind == SDTKIT_TAP_FLOAT)
		value->number = number_of(value->bits, form.size);
	if (form.kind == SDTKIT_TAP_STRING)
		copy_string(pid, value, space);
	if (form.kind == SDTKIT_TAP_UNSIGNED && form.guessed &&
	    form.size == WORD)
		guess_string(pid, value, space);
	if (form.record != NULL)
		sdtkit_tap_copy_record(form.record, pid, value, space);
}

void sdtkit_tap_decode(const struct sdtkit_operand *operand,
		       struct sdtkit_tap_form form,
		       const struct sdtkit_tap_thread *thread,
		       struct sdtkit_tap_value *value,
		       struct sdtkit_tap_space *space)
{
	const char *why;
	uint64_t bits;

	why = read_operand(operand, thread, &bits);
	if (why == NULL && form.kind == SDTKIT_TAP_UNREADABLE)
		why = "its description has an unknown wire type";
	if (why != NULL) {
		sdtkit_tap_make_none(why, value);
		value->size = form.size;
		return;
	}
	sdtkit_tap_make(bits, form, thread->pid, value, space);
}
