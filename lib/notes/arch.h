/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What operands look like on a machine.  All architectures are always
 * compiled, since any host may read any file.
 *
 * To add one: write arch_NAME.c with its registers and its parser (or use a
 * parser that exists), declare it below, add it to the table in arch.c and to
 * meson.build, and rows to the table in tests/notes/test_operand.c.
 */
#ifndef SDTKIT_NOTES_ARCH_PRIV_H
#define SDTKIT_NOTES_ARCH_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "sdtkit/notes.h"
#include "text.h"

struct sdtkit_arch {
	/* e_machine of the ELF header. */
	uint16_t machine;
	const char *name;
	/* Ends with an entry without a name. */
	const struct sdtkit_register *registers;
	/*
	 * Takes a location off the text and sets kind and what belongs to it.
	 * False, or text that is left over: the location is of no form that
	 * this parser knows, and what it has set is forgotten.
	 */
	bool (*parse)(const struct sdtkit_arch *arch, struct sdtkit_text *text,
		      struct sdtkit_operand *operand);
};

extern const struct sdtkit_arch sdtkit_arch_x86_64;
extern const struct sdtkit_arch sdtkit_arch_i386;
extern const struct sdtkit_arch sdtkit_arch_aarch64;

/* NULL for a machine without tables. */
const struct sdtkit_arch *sdtkit_arch_find(uint16_t machine);

#endif /* SDTKIT_NOTES_ARCH_PRIV_H */
