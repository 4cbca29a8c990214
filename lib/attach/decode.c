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
#include "record_value.h"
#include "safe_read.h"

static bool read_vector(const struct sdtkit_tap_thread *thread,
			const struct sdtkit_register *reg, uint64_t *value)
{
	if (!sdtkit_tap_is_vector(reg) || thread->vectors == NULL)
		return false;
	memcpy(value, (const char *)thread->vectors +
	       (reg->number - sdtkit_tap_machine.first_vector) *
	       SDTKIT_TAP_VECTOR_SIZE, sizeof(*value));
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
	value = sdtkit_tap_extend(value, reg->size, false);
	*address += (uintptr_t)(value * scale);
	return NULL;
}

static const char *read_memory(const struct sdtkit_operand *operand,
			       unsigned int size,
			       const struct sdtkit_tap_thread *thread,
			       uint64_t *bits)
{
	uintptr_t address = (uintptr_t)operand->displacement;
	char bytes[sizeof(*bits)];
	const char *why;

	why = add_register(operand->base, 1, thread, &address);
	if (why == NULL)
		why = add_register(operand->index, operand->scale, thread,
				   &address);
	if (why != NULL)
		return why;
	if (!sdtkit_tap_safe_read(thread->pid, address, bytes, size))
		return "the note names memory that cannot be read";
	*bits = sdtkit_tap_load(bytes, size);
	return NULL;
}

/* The value as the note has it, extended by the note's sign. */
static const char *read_operand(const struct sdtkit_operand *operand,
				const struct sdtkit_tap_thread *thread,
				uint64_t *bits)
{
	unsigned int size = operand->size == 0 ? SDTKIT_TAP_WORD :
						 operand->size;
	const char *why;

	if (!sdtkit_tap_is_size(size))
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
		*bits = sdtkit_tap_extend(*bits, size, operand->is_signed);
	return why;
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
	if (form.record != NULL)
		sdtkit_tap_copy_record(form.record, thread->pid, value, space);
}
