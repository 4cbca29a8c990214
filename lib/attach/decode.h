/* SPDX-License-Identifier: BSD-2-Clause */
/* An operand and the thread at a site -> the value of an argument. */
#ifndef SDTKIT_TAP_DECODE_PRIV_H
#define SDTKIT_TAP_DECODE_PRIV_H

#include <stdint.h>
#include <sys/types.h>

#include "machine.h"
#include "sdtkit/notes.h"
#include "sdtkit/tap.h"
#include "value.h"

/*
 * The thread that is at a site.  Its ids are asked for once in a hit, as each
 * answer takes the kernel some time, and not kept for the next: the child of a
 * vfork() has the memory of its parent, thread-local variables too.  Its
 * registers are in blocks, as machine.h has them.
 */
struct sdtkit_tap_thread {
	pid_t pid;
	pid_t tid;
	const uint64_t *registers;
	/* NULL: they cannot be read. */
	const void *vectors;
};

/* Reads the value of an argument, in signal handlers too. */
void sdtkit_tap_decode(const struct sdtkit_operand *operand,
		       struct sdtkit_tap_form form,
		       const struct sdtkit_tap_thread *thread,
		       struct sdtkit_tap_value *value,
		       struct sdtkit_tap_space *space);

/* Whether it is a vector register that can be read at a hit. */
static inline bool sdtkit_tap_is_vector(const struct sdtkit_register *reg)
{
	const struct sdtkit_tap_machine *machine = &sdtkit_tap_machine;

	return reg != NULL && reg->size > sizeof(long) &&
	       reg->number >= machine->first_vector &&
	       reg->number - machine->first_vector < machine->vector_count;
}

#endif /* SDTKIT_TAP_DECODE_PRIV_H */
