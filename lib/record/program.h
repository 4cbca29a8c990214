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

/*
 * Makes the program of a site, to be freed with sdtkit_record_free_program().
 * id is that of its probe. Errors, with a text in sdtkit_record_error(): -EINVAL
 * (the filter does not fit the probe), -E2BIG (an entry would be too large for
 * the ring), -ENOMEM.
 */
int sdtkit_record_program(const struct sdtkit_tap_hook *hook,
			  struct sdtkit_record_writer *writer, uint16_t id,
			  size_t string_limit,
			  const struct sdtkit_record_filter *filter,
			  struct sdtkit_record_site **site);
void sdtkit_record_free_program(struct sdtkit_record_site *site);

#endif /* SDTKIT_RECORD_PROGRAM_H */
