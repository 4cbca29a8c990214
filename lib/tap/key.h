/* SPDX-License-Identifier: BSD-2-Clause */
/* Which part of an event an expectation is about. */
#ifndef SDTKIT_TAP_KEY_PRIV_H
#define SDTKIT_TAP_KEY_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "sdtkit/tap.h"

struct sdtkit_tap_part {
	long argument;
	/* A member of its record, or -1: the argument itself. */
	long member;
	/* An element of that array, or -1: all of it. */
	long element;
};

/*
 * The part that a key means, NULL: the argument behind the one before, which
 * is -1 at first.  False: the probe has no such.
 */
bool sdtkit_tap_find_part(const struct sdtkit_tap_probe *probe, const char *key,
			  long before, struct sdtkit_tap_part *part);

/* Its value in an event; of what could not be read, that, and why. */
struct sdtkit_tap_value
sdtkit_tap_value_of_part(const struct sdtkit_tap_event *event,
			 const struct sdtkit_tap_part *part);

/* Appends to an error what the probe has instead. */
void sdtkit_tap_add_parts(const struct sdtkit_tap_probe *probe,
			  const char *key);

#endif /* SDTKIT_TAP_KEY_PRIV_H */
