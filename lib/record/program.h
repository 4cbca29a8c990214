/* SPDX-License-Identifier: BSD-2-Clause */
/* A hook of the tap -> what a hit has to do at this site. */
#ifndef SDTKIT_RECORD_PROGRAM_H
#define SDTKIT_RECORD_PROGRAM_H

#include <stddef.h>

#include "filter.h"
#include "record_value.h"
#include "write.h"

struct sdtkit_tap_hook;

/*
 * Whether a hit writes the string of a member, whose address has 8 bytes in a
 * record, whatever the machine.
 */
static inline bool
sdtkit_record_has_string(const struct sdtkit_tap_member *member)
{
	return member->form.kind == SDTKIT_TAP_STRING && !member->is_inline &&
	       member->counts[0] == 0 && member->size == sizeof(uint64_t);
}

/* Whether it is of a size that may be the address of a text: nobody says. */
static inline bool sdtkit_record_may_be_text(const struct sdtkit_tap_form *form)
{
	return form->guessed && form->kind == SDTKIT_TAP_UNSIGNED &&
	       form->size == SDTKIT_TAP_WORD;
}

/* The index of the argument with this name, or "arg0" and so on; or -1. */
long sdtkit_record_find_argument(const struct sdtkit_tap_probe *probe,
				 const char *name);

/* False: a recorder does not read this operand; then its source is NONE. */
bool sdtkit_record_make_operand(const struct sdtkit_operand *from,
				struct sdtkit_record_op *to,
				struct sdtkit_record_more *more);

/*
 * Sets as many tests as the filter has conditions. Errors, with a text in
 * sdtkit_record_error(): -EINVAL (the filter does not fit the probe).
 */
int sdtkit_record_make_tests(const struct sdtkit_tap_hook *hook,
			     const struct sdtkit_record_filter *filter,
			     struct sdtkit_record_test *tests);

/*
 * Makes the program of a site, to be freed with sdtkit_record_free_program().
 * The id of its probe is 0 until the caller sets it. Errors, with a text in
 * sdtkit_record_error(): -EINVAL (the filter does not fit the probe), -E2BIG
 * (an entry would be too large for the ring), -ENOMEM.
 */
int sdtkit_record_program(const struct sdtkit_tap_hook *hook,
			  struct sdtkit_record_writer *writer,
			  size_t string_limit,
			  const struct sdtkit_record_filter *filter,
			  struct sdtkit_record_site **site);
void sdtkit_record_free_program(struct sdtkit_record_site *site);

#endif /* SDTKIT_RECORD_PROGRAM_H */
