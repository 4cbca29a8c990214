/* SPDX-License-Identifier: BSD-2-Clause */
/* The bits of an argument, or of a member of a record -> its value. */
#ifndef SDTKIT_TAP_VALUE_PRIV_H
#define SDTKIT_TAP_VALUE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "sdtkit/notes.h"
#include "sdtkit/tap.h"

struct sdtkit_tap_record;

enum {
	SDTKIT_TAP_WORD = sizeof(long),
};

/* How the bits of an argument are read. */
struct sdtkit_tap_form {
	enum sdtkit_tap_kind kind;
	uint8_t size;
	/* There is no description: kind and size are those of the operand. */
	bool guessed;
	/* What it is the address of, or NULL. */
	const struct sdtkit_tap_record *record;
};

/* Memory that copies of strings, and of records, take their part of. */
struct sdtkit_tap_space {
	char *at;
	size_t left;
	/* The most bytes of a copy, without its NUL; 0 for all that fit. */
	size_t limit;
	/* For the bytes of records, and for the values of their members. */
	char *bytes;
	size_t bytes_left;
	struct sdtkit_tap_value *members;
	size_t members_left;
};

/* Whether numbers may have so many bytes. */
static inline bool sdtkit_tap_is_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The number of so many bytes that is in memory there. */
static inline uint64_t sdtkit_tap_load(const void *bytes, size_t size)
{
	union {
		uint8_t u1;
		uint16_t u2;
		uint32_t u4;
		uint64_t u8;
	} number = { .u8 = 0 };

	memcpy(&number, bytes, size < sizeof(number) ? size : sizeof(number));
	return size == 1 ? number.u1 : size == 2 ? number.u2 :
	       size == 4 ? number.u4 : number.u8;
}

/* Extends a number of so many bytes to 64 bits, by its sign if it has one. */
static inline uint64_t sdtkit_tap_extend(uint64_t bits, unsigned int size,
					 bool is_signed)
{
	unsigned int unused = 64 - 8 * size;

	if (unused == 0)
		return bits;
	bits <<= unused;
	return is_signed ? (uint64_t)((int64_t)bits >> unused) :
			   bits >> unused;
}

/* The floating-point number that has these bits, of 4 bytes or of 8. */
static inline double sdtkit_tap_number(uint64_t bits, unsigned int size)
{
	uint32_t half = (uint32_t)bits;
	double number;
	float narrow;

	memcpy(&narrow, &half, sizeof(narrow));
	memcpy(&number, &bits, sizeof(number));
	return size == sizeof(narrow) ? (double)narrow : number;
}

/*
 * A text of at most size bytes, which lies in a record: all of these bytes are
 * there, so it ends in them. limit is that of struct sdtkit_tap_space.
 */
static inline void sdtkit_tap_make_text(char *bytes, size_t size, size_t limit,
					struct sdtkit_tap_value *value)
{
	const char *end = memchr(bytes, '\0', size);
	size_t most = limit > 0 && limit < size - 1 ? limit : size - 1;

	value->kind = SDTKIT_TAP_STRING;
	value->size = sizeof(void *);
	value->text = bytes;
	value->length = end != NULL ? (size_t)(end - bytes) : size;
	value->cut = value->length > most;
	if (value->cut)
		value->length = most;
	bytes[value->length] = '\0';
}

/* "u2" -> a form; without a wire type (NULL), that of the operand. */
struct sdtkit_tap_form sdtkit_tap_form(const char *text,
				       const struct sdtkit_operand *operand);

/*
 * Makes a value from its bits: a number or a string, whose bytes are copied.  A
 * record at an address is left to record_value.h.  In signal handlers too.
 */
void sdtkit_tap_make(uint64_t bits, struct sdtkit_tap_form form, pid_t pid,
		     struct sdtkit_tap_value *value,
		     struct sdtkit_tap_space *space);
/* Makes a value that could not be read, with the reason. */
void sdtkit_tap_make_none(const char *why, struct sdtkit_tap_value *value);

#endif /* SDTKIT_TAP_VALUE_PRIV_H */
