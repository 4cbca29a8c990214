/* SPDX-License-Identifier: BSD-2-Clause */
/* An operand and the thread at a site -> the value of an argument. */
#ifndef SDTKIT_TAP_DECODE_PRIV_H
#define SDTKIT_TAP_DECODE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sdtkit/notes.h"
#include "sdtkit/tap.h"

struct sdtkit_tap_record;

/* How the bits of an argument are read. */
struct sdtkit_tap_form {
	enum sdtkit_tap_kind kind;
	uint8_t size;
	/* There is no description: kind and size are those of the operand. */
	bool guessed;
	/* What it is the address of, or NULL. */
	const struct sdtkit_tap_record *record;
};

/*
 * The thread that is at a site.  Its ids are asked for once in a hit, as each
 * answer takes the kernel some time, and not kept for the next: the child of a
 * vfork() has the memory of its parent, thread-local variables too.  Its
 * registers are in blocks, as machine.h has them.
 */
struct sdtkit_tap_thread {
	pid_t pid;
	pid_t tid;
	const uint64_t *registers;
	/* NULL: they cannot be read. */
	const void *vectors;
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

/* "u2" -> a form; without a wire type (NULL), that of the operand. */
struct sdtkit_tap_form sdtkit_tap_form(const char *text,
				       const struct sdtkit_operand *operand);

/* Makes the value of an argument or of a member from its bits. */
void sdtkit_tap_make(uint64_t bits, struct sdtkit_tap_form form, pid_t pid,
		     struct sdtkit_tap_value *value,
		     struct sdtkit_tap_space *space);
/* Makes a value that could not be read, with the reason. */
void sdtkit_tap_make_none(const char *why, struct sdtkit_tap_value *value);

/* Fit for signal handlers. */
void sdtkit_tap_decode(const struct sdtkit_operand *operand,
		       struct sdtkit_tap_form form,
		       const struct sdtkit_tap_thread *thread,
		       struct sdtkit_tap_value *value,
		       struct sdtkit_tap_space *space);

#endif /* SDTKIT_TAP_DECODE_PRIV_H */
