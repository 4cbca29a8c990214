/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What operands look like on a machine: a table for each machine of machines.h.
 * All of them are always compiled, since any host may read any file.
 *
 * arch_NAME.c has the registers of a machine, in ascending order, because the
 * table is searched by bisection.  It also names the machine's grammar: one of
 * the three below, or its own.
 */
#ifndef SDTKIT_DECODE_ARCH_PRIV_H
#define SDTKIT_DECODE_ARCH_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/notes.h"
#include "cursor.h"

#define SDTKIT_COUNT_OF(array)	(sizeof(array) / sizeof((array)[0]))

struct sdtkit_arch {
	/* e_machine of the ELF header. */
	uint16_t machine;
	const char *name;
	/* Sorted by name. */
	const struct sdtkit_register *registers;
	size_t register_count;
	/* What stands before a register's name and before a constant. */
	const char *register_prefix;
	const char *constant_prefix;
	/*
	 * Takes a location off the text and sets kind and what belongs to it.
	 * False, or text that is left over: the location is of no form that
	 * this parser knows, and what it has set is forgotten.
	 */
	bool (*parse)(const struct sdtkit_arch *arch,
		      struct sdtkit_cursor *text,
		      struct sdtkit_operand *operand);
};

#define MACHINE(name) extern const struct sdtkit_arch sdtkit_arch_##name;
#include "machines.h"
#undef MACHINE

/* NULL for a machine without tables. */
const struct sdtkit_arch *sdtkit_arch_find(uint16_t machine);

/* Takes a register with its prefix off the text, or NULL and nothing. */
const struct sdtkit_register *
sdtkit_arch_register(const struct sdtkit_arch *arch,
		     struct sdtkit_cursor *text);

/* Memory as x86 has it, "8(%rax,%rbx,4)": arch_att.c. */
bool sdtkit_arch_att(const struct sdtkit_arch *arch, struct sdtkit_cursor *text,
		     struct sdtkit_operand *operand);

/* Memory as arm has it, "[sp, #8]": arch_brackets.c. */
bool sdtkit_arch_brackets(const struct sdtkit_arch *arch,
			  struct sdtkit_cursor *text,
			  struct sdtkit_operand *operand);

/* Memory as most others have it, "8(%r15)": arch_parens.c. */
bool sdtkit_arch_parens(const struct sdtkit_arch *arch,
			struct sdtkit_cursor *text,
			struct sdtkit_operand *operand);

/* Sets MEMORY at base + index, where index may be NULL, by the rule of those
 * machines that register 0 in an address is the number 0. */
void sdtkit_arch_indexed(struct sdtkit_operand *operand,
			 const struct sdtkit_register *base,
			 const struct sdtkit_register *index);

#endif /* SDTKIT_DECODE_ARCH_PRIV_H */
