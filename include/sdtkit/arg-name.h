/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-name.h - names of status codes, errors and flags.
 *
 * Part of libsdtkit, or of a file that has SDTKIT_ARG_INLINE; sdtkit/arg.h
 * says what each function makes. The tables hold their names themselves, not
 * the addresses of them: nothing to relocate, and a page that a tracer would
 * find absent is read here. One row: { 0xc0000022, "ACCESS_DENIED" }.
 */
#ifndef SDTKIT_ARG_NAME_H
#define SDTKIT_ARG_NAME_H

#include <errno.h>

#include <sdtkit/arg.h>
#include <sdtkit/arg-out.h>

struct sdtkit_ntstatus {
	uint32_t status;
	char name[40];
};

struct sdtkit_errno {
	int number;
	char name[20];
};

#define SDTKIT_NTSTATUS(status, name)	{ status, #name },
static const struct sdtkit_ntstatus sdtkit_ntstatus_names[] = {
#include <sdtkit/arg-ntstatus.h>
};
#undef SDTKIT_NTSTATUS

/* The name is spelled before the number takes its place. */
#define SDTKIT_ERRNO(name)	{ name, #name },
static const struct sdtkit_errno sdtkit_errno_names[] = {
#include <sdtkit/arg-errno.h>
};
#undef SDTKIT_ERRNO

#define SDTKIT_ARG_COUNT(array)	(sizeof(array) / sizeof((array)[0]))

SDTKIT_ARG_LOCAL const char *sdtkit_ntstatus_name(uint32_t status)
{
	size_t low = 0, high = SDTKIT_ARG_COUNT(sdtkit_ntstatus_names), middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (sdtkit_ntstatus_names[middle].status < status) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == SDTKIT_ARG_COUNT(sdtkit_ntstatus_names) ||
	    sdtkit_ntstatus_names[low].status != status) {
		return NULL;
	}
	return sdtkit_ntstatus_names[low].name;
}

SDTKIT_ARG_LOCAL void sdtkit_write_ntstatus(struct sdtkit_out *out,
					    uint32_t status)
{
	const char *name = sdtkit_ntstatus_name(status);

	if (name == NULL) {
		sdtkit_out_put(out, "0x", 2);
		sdtkit_out_hex(out, status, 8);
		return;
	}
	sdtkit_out_string(out, "NT_STATUS_");
	sdtkit_out_string(out, name);
}

SDTKIT_ARG_LOCAL const char *sdtkit_errno_name(int number)
{
	size_t i;

	for (i = 0; i < SDTKIT_ARG_COUNT(sdtkit_errno_names); i++) {
		if (sdtkit_errno_names[i].number == number) {
			return sdtkit_errno_names[i].name;
		}
	}
	return NULL;
}

SDTKIT_ARG_LOCAL void sdtkit_write_errno(struct sdtkit_out *out, int number)
{
	const char *name;
	unsigned int positive = (unsigned int)number;

	if (number < 0) {
		sdtkit_out_char(out, '-');
		positive = 0U - positive;
	}
	name = sdtkit_errno_name((int)positive);
	if (name) {
		sdtkit_out_string(out, name);
	} else {
		sdtkit_out_decimal(out, positive);
	}
}

SDTKIT_ARG_LOCAL void sdtkit_write_flags(struct sdtkit_out *out,
					 uint64_t value,
					 const struct sdtkit_flag *table)
{
	uint64_t rest = value;

	for (; table && table->name && rest && !out->full; table++) {
		if (table->bits == 0 || (rest & table->bits) != table->bits) {
			continue;
		}
		if (rest != value) {
			sdtkit_out_char(out, '|');
		}
		sdtkit_out_string(out, table->name);
		rest &= ~table->bits;
	}
	if (rest && rest != value) {
		sdtkit_out_char(out, '|');
	}
	if (rest) {
		sdtkit_out_0x(out, rest);
	} else if (value == 0) {
		sdtkit_out_char(out, '0');
	}
}

SDTKIT_ARG_DEFINE_TEXT(ntstatus, sdtkit_write_ntstatus,
		       (uint32_t status), (status),
		       ((uint32_t)in.first))
SDTKIT_ARG_DEFINE_TEXT(errno, sdtkit_write_errno,
		       (int number), (number),
		       ((int)in.first))
SDTKIT_ARG_DEFINE_TEXT(flags, sdtkit_write_flags,
		       (uint64_t value, const struct sdtkit_flag *table),
		       (value, table),
		       (in.first, (const struct sdtkit_flag *)in.second))

#endif /* SDTKIT_ARG_NAME_H */
