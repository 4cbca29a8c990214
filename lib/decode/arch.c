/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the table of a machine, and registers in it; see arch.h. */
#include <stdlib.h>
#include <string.h>

#include "arch.h"

static const struct sdtkit_arch *const architectures[] = {
#define MACHINE(name) &sdtkit_arch_##name,
#include "machines.h"
#undef MACHINE
};

const struct sdtkit_arch *sdtkit_arch_find(uint16_t machine)
{
	size_t i;

	for (i = 0; i < SDTKIT_COUNT_OF(architectures); i++) {
		if (architectures[i]->machine == machine)
			return architectures[i];
	}
	return NULL;
}

/* Compares a word with the name of a register. */
static int compare(const void *key, const void *element)
{
	const struct sdtkit_cursor *word = key;
	const struct sdtkit_register *reg = element;
	size_t length = (size_t)(word->end - word->at);
	int order = strncmp(word->at, reg->name, length);

	if (order == 0 && reg->name[length] != '\0')
		return -1;
	return order;
}

const struct sdtkit_register *
sdtkit_arch_register(const struct sdtkit_arch *arch,
		     struct sdtkit_cursor *text)
{
	const struct sdtkit_register *reg;
	struct sdtkit_cursor rest = *text, word;

	if (!sdtkit_cursor_accept(&rest, arch->register_prefix) ||
	    !sdtkit_cursor_word(&rest, &word))
		return NULL;
	reg = bsearch(&word, arch->registers, arch->register_count,
		      sizeof(arch->registers[0]), compare);
	if (reg != NULL)
		*text = rest;
	return reg;
}
