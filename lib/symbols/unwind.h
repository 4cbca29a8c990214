/* SPDX-License-Identifier: BSD-2-Clause */
/* Callers of a function by .eh_frame, which needs no frame pointers. */
#ifndef UNWIND_H
#define UNWIND_H

#include <stdbool.h>

#include "symbols.h"
#include "taken.h"

/*
 * Finds the frames of a sample in the copy of its stack, the innermost one
 * first. Returns how many there are. *whole is set if the thread began in the
 * outermost one.
 */
int unwind(const struct stacks *stacks, struct frame frames[STACKS_USER],
	   bool *whole);

#endif /* UNWIND_H */
