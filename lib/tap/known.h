/* SPDX-License-Identifier: BSD-2-Clause */
/* A note, and the description that goes with it -> what a tap keeps of both. */
#ifndef SDTKIT_TAP_KNOWN_PRIV_H
#define SDTKIT_TAP_KNOWN_PRIV_H

#include "describe.h"
#include "note.h"
#include "state.h"

/*
 * The probe of a note in an object, which is added if it is new.  Errors:
 * -ENOMEM.
 */
int sdtkit_tap_known_get(struct sdtkit_tap *tap,
			 const struct sdtkit_tap_loaded *loaded,
			 const struct sdtkit_note *note,
			 struct sdtkit_descriptions *descriptions,
			 const struct sdtkit_operand *operands, size_t count,
			 struct sdtkit_tap_known **known);

/* Frees all that the tap has. */
void sdtkit_tap_known_free(struct sdtkit_tap *tap);

#endif /* SDTKIT_TAP_KNOWN_PRIV_H */
