/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a value is stored in a trace of the Common Trace Format: the bytes that
 * it has there, and what the metadata say of them.
 *
 *	mid=7			u8: a number of eight bytes
 *	name="a.txt"		a string
 *	name="a.tx"...		a string, and name_cut, which is true
 *	name=NULL		an address
 *	name=0x1 (cannot ...)	an address, and name_why, which is a string
 */
#ifndef SDTKIT_TOOL_CTF_FORM_H
#define SDTKIT_TOOL_CTF_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/tap.h"


enum ctf_kind {
	/* There is only the reason why the value could not be read. */
	CTF_NOTHING,
	CTF_UNSIGNED,
	CTF_SIGNED,
	CTF_BOOL,
	CTF_ADDRESS,
	CTF_FLOAT,
	CTF_STRING,
	CTF_ARRAY,
	CTF_RECORD,
};

/* What follows the value, in this order. */
enum ctf_extra {
	/* The text that is at the address, or at what may be one. */
	CTF_TEXT = 1 << 0,
	/* Says that a string or a record was cut. */
	CTF_CUT = 1 << 1,
	/* A sentence that says why something could not be read. */
	CTF_WHY = 1 << 2,
};

struct ctf_form {
	uint8_t kind;
	uint8_t extras;
	/* In bytes: 1, 2, 4 or 8; of an array, that of an element. */
	uint8_t size;
	/* ARRAY only. */
	uint8_t is_signed;
	uint16_t counts[2];
	/* RECORD only: its members follow. */
	uint16_t member_count;
};

enum {
	/* The most forms of an event. */
	CTF_VALUES_MAX = SDTKIT_TAP_ARGUMENTS_MAX + SDTKIT_TAP_MEMBERS_MAX,
};

struct ctf_form ctf_form(const struct sdtkit_tap_field *field,
			 const struct sdtkit_tap_value *value);

struct tracing_bytes;

/* Appends the value, but not the members of a record, or what follows it. */
void ctf_put_value(struct tracing_bytes *bytes, struct ctf_form form,
		   const struct sdtkit_tap_value *value);
/* Appends what follows a value and, of a record, its members. */
void ctf_put_extras(struct tracing_bytes *bytes, struct ctf_form form,
		    const struct sdtkit_tap_value *value);

#endif /* SDTKIT_TOOL_CTF_FORM_H */
