/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the arguments of a hit are what a filter wants: see load.h. */
#ifndef SDTKIT_RECORD_PASSES_H
#define SDTKIT_RECORD_PASSES_H

#include "load.h"

enum {
	/* What is looked at of a string that a filter compares. */
	COMPARED = 256,
};

static inline bool passes_text(struct cursor *cursor, uint64_t address,
			const struct sdtkit_record_test *test)
{
	unsigned char text[COMPARED + 8];
	uint32_t head = SDTKIT_RECORD_FAULT;

	text[0] = 0;
	if (address != 0)
		head = copy_string(cursor, (uintptr_t)address, text,
				   COMPARED - 1);
	return (!(head & SDTKIT_RECORD_FAULT) &&
		sdtkit_record_is_like((const char *)text, test->text)) ==
	       (test->compare == SDTKIT_RECORD_LIKE);
}

/* Replaces the address of a record by a member. */
SELDOM bool load_member(struct cursor *cursor,
			const struct sdtkit_record_test *test, uint64_t *value)
{
	uintptr_t address = (uintptr_t)*value;

	*value = 0;
	if (address < PAGE ||
	    !load_bytes(cursor, address + test->offset, (unsigned char *)value,
			test->size))
		return false;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	*value >>= 64 - 8 * test->size;
#endif
	return true;
}

static inline bool passes(struct cursor *cursor, const struct sdtkit_record_test *test,
		   const uint64_t *registers)
{
	uint64_t value = value_of(cursor, &test->operand, &test->more,
				  registers);
	uint64_t flip = test->is_signed ? (uint64_t)1 << 63 : 0;

	if (test->compare >= SDTKIT_RECORD_LIKE)
		return passes_text(cursor, value, test);
	if (test->size > 0 && !load_member(cursor, test, &value))
		return false;
	/* With the sign bit changed, unsigned order is signed order. */
	value = cut(value, test->unused, test->is_signed) ^ flip;
	switch (test->compare) {
	case SDTKIT_RECORD_EQUAL:
		return value == (test->value ^ flip);
	case SDTKIT_RECORD_UNEQUAL:
		return value != (test->value ^ flip);
	case SDTKIT_RECORD_LESS:
		return value < (test->value ^ flip);
	case SDTKIT_RECORD_LESS_EQUAL:
		return value <= (test->value ^ flip);
	case SDTKIT_RECORD_MORE:
		return value > (test->value ^ flip);
	default:
		return value >= (test->value ^ flip);
	}
}

static inline bool loads(const struct sdtkit_record_test *test)
{
	return test->compare >= SDTKIT_RECORD_LIKE || test->size > 0 ||
	       test->operand.source == SDTKIT_RECORD_MEMORY ||
	       test->operand.source == SDTKIT_RECORD_INDEXED;
}

static inline bool passes_all(const struct sdtkit_record_writer *writer,
			      const struct sdtkit_record_test *tests,
			      uint32_t count, struct cursor *cursor,
			      const uint64_t *registers)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (loads(&tests[i]))
			read_time(writer, cursor);
		if (!passes(cursor, &tests[i], registers))
			return false;
	}
	return true;
}

#endif /* SDTKIT_RECORD_PASSES_H */
