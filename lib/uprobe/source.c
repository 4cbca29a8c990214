/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.c - operands of notes in the form that the kernel reads.
 *
 *	8@%rdi			register, word 14
 *	-4@-20(%rbp)		memory, word 4 - 20, 4 bytes, signed
 *	8@counter(%rip)		memory, word 16 + counter - site
 *
 * A program may have been moved when it was loaded, but the distance of a
 * variable from the site remains.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdtkit/notes.h"

#include "registers.h"
#include "source.h"
#include "symbol.h"

enum { RIP = 16, NO_WORD = 0xff };

static const char no_register[] =
	"is in a register that the kernel does not keep";

static const char *set_word(const struct sdtkit_register *reg,
			    unsigned char *word)
{
	int found;

	*word = NO_WORD;
	if (reg == NULL)
		return NULL;
	found = reg->number == SDTKIT_NO_NUMBER ? REGISTERS_NONE :
		registers_word(reg);
	if (found == REGISTERS_NONE)
		return no_register;
	*word = (unsigned char)found;
	return NULL;
}

static const char *find_register(const struct sdtkit_operand *operand,
				 struct uprobe_source *source)
{
	const struct sdtkit_register *reg = operand->reg;

	source->kind = source->size == 8 && reg->size == 8 ? UPROBE_REGISTER :
		UPROBE_PART;
	if (source->size > reg->size)
		source->size = reg->size;
	source->shift = reg->shift;
	return set_word(reg, &source->word);
}

static const char *find_memory(const struct sdtkit_operand *operand,
			       struct uprobe_source *source)
{
	const char *wrong = set_word(operand->base, &source->word);

	if (wrong == NULL)
		wrong = set_word(operand->index, &source->index);
	source->kind = UPROBE_MEMORY;
	source->value = operand->displacement;
	while (operand->scale > 1U << source->scale)
		source->scale++;
	return wrong;
}

static void set_constant(const struct sdtkit_operand *operand,
			 struct uprobe_source *source)
{
	unsigned int bits = 64 - 8 * (unsigned int)source->size;
	uint64_t value = (uint64_t)operand->constant << bits;

	source->kind = UPROBE_CONSTANT;
	source->value = source->is_signed ? (int64_t)value >> bits :
		(int64_t)(value >> bits);
}

/* "8@name(%rip)", "8@name+16(%rip)", "8@16+name(%rip)". */
static const char *find_symbol(const struct sdtkit_notes *notes,
			       const struct sdtkit_site *site,
			       const struct sdtkit_operand *operand,
			       struct uprobe_source *source)
{
	static const char wrong[] =
		"is at a symbol that the file does not have";
	const char *text = memchr(operand->text, '@', operand->length);
	const char *end = operand->text + operand->length;
	static const char rip[] = "(%rip)";
	long long offset = 0;
	uint64_t address;
	char name[512];
	char *plus;

	text = text == NULL ? operand->text : text + 1;
	if ((size_t)(end - text) <= sizeof(rip) - 1 ||
	    memcmp(end - (sizeof(rip) - 1), rip, sizeof(rip) - 1) != 0)
		return "is in a form that is not known";
	snprintf(name, sizeof(name), "%.*s",
		 (int)(end - (sizeof(rip) - 1) - text), text);
	plus = strpbrk(name, "+-");
	if (plus != NULL && plus > name) {
		offset = strtoll(plus, NULL, 0);
		if (name[0] >= '0' && name[0] <= '9') {
			offset = strtoll(name, NULL, 0);
			memmove(name, plus + 1, strlen(plus));
		} else {
			*plus = '\0';
		}
	}
	if (!symbol_find(notes, name, &address))
		return wrong;
	source->kind = UPROBE_MEMORY;
	source->word = RIP;
	source->index = NO_WORD;
	source->value = (long long)(address - site->address) + offset;
	return NULL;
}

const char *source_find(const struct sdtkit_notes *notes,
			const struct sdtkit_site *site,
			const struct sdtkit_operand *operand,
			struct uprobe_source *source)
{
	unsigned int size = operand->size != 0 ? operand->size :
		sdtkit_notes_info(notes)->bits / 8;

	*source = (struct uprobe_source){ .index = NO_WORD };
	if (operand->is_float)
		return "is a floating-point number";
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return "is longer than 8 bytes";
	source->size = (unsigned char)size;
	source->is_signed = operand->is_signed;
	switch (operand->kind) {
	case SDTKIT_OPERAND_REGISTER:
		return find_register(operand, source);
	case SDTKIT_OPERAND_MEMORY:
		return find_memory(operand, source);
	case SDTKIT_OPERAND_CONSTANT:
		set_constant(operand, source);
		return NULL;
	case SDTKIT_OPERAND_OTHER:
		return find_symbol(notes, site, operand, source);
	default:
		return "is in a form that is not known";
	}
}
