/* SPDX-License-Identifier: BSD-2-Clause */
/* An operand and the registers at a hit -> the value of an argument. */
#ifndef SDTKIT_TAP_DECODE_PRIV_H
#define SDTKIT_TAP_DECODE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "sdtkit/notes.h"
#include "sdtkit/tap.h"

/* What an argument is, whatever its place. */
struct sdtkit_tap_form {
	enum sdtkit_tap_kind kind;
	uint8_t size;
	/* Nobody said so: an address's width is all that is known. */
	bool guessed;
};

/* Memory that copies of strings take their part of. */
struct sdtkit_tap_room {
	char *at;
	size_t left;
};

/* "u2" -> a form; without a wire type (NULL), that of the operand. */
struct sdtkit_tap_form sdtkit_tap_form(const char *wire,
				       const struct sdtkit_operand *operand);

/* Fit for signal handlers. */
void sdtkit_tap_decode(const struct sdtkit_operand *operand,
		       struct sdtkit_tap_form form, const ucontext_t *context,
		       struct sdtkit_tap_value *value,
		       struct sdtkit_tap_room *room);

#endif /* SDTKIT_TAP_DECODE_PRIV_H */
