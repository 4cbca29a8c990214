/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit/arg-name.h - names of errors and flags.
 *
 * Part of libsdtkit, or of a file that has SDTKIT_ARG_INLINE; sdtkit/arg.h
 * describes the texts. The table of errors has the layout of the table in
 * sdtkit/arg-status.h. One row: { ENOENT, "ENOENT" }.
 */
#ifndef SDTKIT_ARG_NAME_H
#define SDTKIT_ARG_NAME_H

#include <sdtkit/arg-declare.h>

SDTKIT_ARG_BEGIN

/* The name of one or several bits; in the last row of a table it is NULL. */
#ifndef SDTKIT_HAS_FLAG
#define SDTKIT_HAS_FLAG
struct sdtkit_flag {
	uint64_t bits;
	const char *name;
};
#endif

/*
 * The name of an error number: "ENOENT", or "-ENOENT" for a negative one. An
 * error number without a name becomes a number, and 0 becomes "0".
 */
SDTKIT_ARG_TEXT(errno, (int number), (number),
		SDTKIT_OUT_S(number), SDTKIT_OUT_U(0))
#define sdtkit_arg_errno(number)	(sdtkit_arg_errno_here(number).text)

/*
 * The names of the bits that are set, "READ|WRITE|0x40", in the order of the
 * table; bits that are in no row come last, as a number. A row is used if all
 * its bits are set and were not named yet. The text is "0" if no bit is set.
 */
SDTKIT_ARG_TEXT(flags, (uint64_t value, const struct sdtkit_flag *table),
		(value, table),
		SDTKIT_OUT_U(value), SDTKIT_OUT_P(table))
#define sdtkit_arg_flags(value, table)					\
	(sdtkit_arg_flags_here(value, table).text)

SDTKIT_ARG_END

#ifdef SDTKIT_ARG_DEFINES
#include <errno.h>

SDTKIT_ARG_C
#include <sdtkit/arg-out.h>

struct sdtkit_errno {
	int number;
	char name[20];
};

/* #name is the name itself, because # prevents its expansion to the number. */
#define SDTKIT_ERRNO(name)	{ name, #name },
static const struct sdtkit_errno sdtkit_errno_names[] = {
#include <sdtkit/arg-errno.h>
};
#undef SDTKIT_ERRNO

SDTKIT_ARG_LOCAL const char *sdtkit_errno_name(int number)
{
	size_t i;

	for (i = 0; i < SDTKIT_ARG_COUNT(sdtkit_errno_names); i++) {
		if (sdtkit_errno_names[i].number == number)
			return sdtkit_errno_names[i].name;
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
	if (name)
		sdtkit_out_string(out, name);
	else
		sdtkit_out_decimal(out, positive);
}

SDTKIT_ARG_LOCAL void sdtkit_write_flags(struct sdtkit_out *out,
					 uint64_t value,
					 const struct sdtkit_flag *table)
{
	uint64_t rest = value;

	for (; table && table->name && rest && !out->full; table++) {
		if (table->bits == 0 || (rest & table->bits) != table->bits)
			continue;
		if (rest != value)
			sdtkit_out_char(out, '|');
		sdtkit_out_string(out, table->name);
		rest &= ~table->bits;
	}
	if (rest && rest != value)
		sdtkit_out_char(out, '|');
	if (rest)
		sdtkit_out_0x(out, rest);
	else if (value == 0)
		sdtkit_out_char(out, '0');
}

SDTKIT_ARG_DEFINE_TEXT(errno, sdtkit_write_errno,
		       (int number), (number),
		       ((int)in.first))
SDTKIT_ARG_DEFINE_TEXT(flags, sdtkit_write_flags,
		       (uint64_t value, const struct sdtkit_flag *table),
		       (value, table),
		       (in.first, (const struct sdtkit_flag *)in.second))

SDTKIT_ARG_C_END
#endif

#endif /* SDTKIT_ARG_NAME_H */
