/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * place.c - operands of notes as places.
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

#include "lib/uprobe/words.h"
#include "sdtkit/notes.h"
#include "top/place.h"
#include "top/symbol.h"

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
	found = reg->number == SDTKIT_NO_NUMBER ? WORDS_NONE :
		words_register(reg);
	if (found == WORDS_NONE)
		return no_register;
	*word = (unsigned char)found;
	return NULL;
}

static const char *find_register(const struct sdtkit_operand *operand,
				 struct top_place *place)
{
	const struct sdtkit_register *reg = operand->reg;

	place->kind = place->size == 8 && reg->size == 8 ? TOP_REGISTER :
		TOP_PART;
	if (place->size > reg->size)
		place->size = reg->size;
	place->shift = reg->shift;
	return set_word(reg, &place->word);
}

static const char *find_memory(const struct sdtkit_operand *operand,
			       struct top_place *place)
{
	const char *wrong = set_word(operand->base, &place->word);

	if (wrong == NULL)
		wrong = set_word(operand->index, &place->index);
	place->kind = TOP_MEMORY;
	place->value = operand->displacement;
	while (operand->scale > 1U << place->scale)
		place->scale++;
	return wrong;
}

static void set_constant(const struct sdtkit_operand *operand,
			 struct top_place *place)
{
	unsigned int bits = 64 - 8 * (unsigned int)place->size;
	uint64_t value = (uint64_t)operand->constant << bits;

	place->kind = TOP_CONSTANT;
	place->value = place->is_signed ? (int64_t)value >> bits :
		(int64_t)(value >> bits);
}

/* "8@name(%rip)", "8@name+16(%rip)", "8@16+name(%rip)". */
static const char *find_symbol(const struct sdtkit_notes *notes,
			       const struct sdtkit_site *site,
			       const struct sdtkit_operand *operand,
			       struct top_place *place)
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
	place->kind = TOP_MEMORY;
	place->word = RIP;
	place->index = NO_WORD;
	place->value = (long long)(address - site->address) + offset;
	return NULL;
}

const char *place_find(const struct sdtkit_notes *notes,
		       const struct sdtkit_site *site,
		       const struct sdtkit_operand *operand,
		       struct top_place *place)
{
	unsigned int size = operand->size != 0 ? operand->size :
		sdtkit_notes_info(notes)->bits / 8;

	*place = (struct top_place){ .index = NO_WORD };
	if (operand->is_float)
		return "is a floating-point number";
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return "is longer than 8 bytes";
	place->size = (unsigned char)size;
	place->is_signed = operand->is_signed;
	switch (operand->kind) {
	case SDTKIT_OPERAND_REGISTER:
		return find_register(operand, place);
	case SDTKIT_OPERAND_MEMORY:
		return find_memory(operand, place);
	case SDTKIT_OPERAND_CONSTANT:
		set_constant(operand, place);
		return NULL;
	case SDTKIT_OPERAND_OTHER:
		return find_symbol(notes, site, operand, place);
	default:
		return "is in a form that is not known";
	}
}
