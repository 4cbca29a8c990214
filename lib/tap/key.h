/* SPDX-License-Identifier: BSD-2-Clause */
/* Which part of an event an expectation is about. */
#ifndef SDTKIT_TAP_KEY_PRIV_H
#define SDTKIT_TAP_KEY_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "sdtkit/tap.h"

struct sdtkit_tap_part {
	long argument;
	/* The index of a member of its record; -1 for the argument itself. */
	long member;
	/* The index of an element of that array; -1 for the whole array. */
	long element;
};

/*
 * Finds the part that a key means.  NULL means the argument that follows
 * before, which is -1 at first.  Returns false if the probe has no such part.
 */
bool sdtkit_tap_find_part(const struct sdtkit_tap_probe *probe, const char *key,
			  long before, struct sdtkit_tap_part *part);

/* The value of the part in an event; UNREADABLE, with why, if there is none. */
struct sdtkit_tap_value
sdtkit_tap_value_of_part(const struct sdtkit_tap_event *event,
			 const struct sdtkit_tap_part *part);

/* Appends the parts that the probe has, and similar ones, to an error. */
void sdtkit_tap_add_parts(const struct sdtkit_tap_probe *probe,
			  const char *key);

#endif /* SDTKIT_TAP_KEY_PRIV_H */
