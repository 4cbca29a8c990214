/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sites.c - converts the notes of a file to sites for multi.c.
 *
 * A cookie has five bits for each argument of a site, from the lowest on: the
 * word of the kernel's struct pt_regs in which the argument's register is. On
 * x86-64, where rdi is in word 14 and rax in word 10, it is for
 *
 *	8@%rdi -8@%rax		10 << 5 | 14
 *
 * The four bits above these tell which probe it is: enum tsmbd_hit.
 *
 * Only a register of 64 bits has a word. Sites of <sys/sdt.h> have other
 * arguments too, and machines of 32 bits have no such register.
 */
#include <errno.h>
#include <stdlib.h>

#include <sdtkit/notes.h>

#include "base/memory.h"
#include "cookie.h"
#include "registers.h"
#include "sites.h"

static int word_of_operand(const struct sdtkit_operand *operand)
{
	const struct sdtkit_register *reg = operand->reg;
	int word;

	if (operand->kind != SDTKIT_OPERAND_REGISTER || operand->size != 8 ||
	    operand->is_float || reg->size != 8)
		return REGISTERS_NONE;
	word = registers_word(reg);
	return word < TSMBD_WORDS ? word : REGISTERS_NONE;
}

static bool make_cookie(const struct sdtkit_site *site, uint64_t *cookie)
{
	size_t i;
	int word;

	if (site->operand_count > TSMBD_MAX_ARGUMENTS)
		return false;
	*cookie = 0;
	for (i = 0; i < site->operand_count; i++) {
		word = word_of_operand(&site->operands[i]);
		if (word == REGISTERS_NONE)
			return false;
		*cookie |= (uint64_t)word << TSMBD_WORD_BITS * i;
	}
	return true;
}

static bool make_site(const struct sdtkit_notes *notes,
		      const struct sdtkit_site *from, struct site *to)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);

	to->at.offset = from->offset;
	to->at.semaphore = from->semaphore == 0 ? 0 : from->semaphore_offset;
	return info->machine == registers_machine && info->bits == 64 &&
	       to->at.offset != SDTKIT_NO_OFFSET &&
	       to->at.semaphore != SDTKIT_NO_OFFSET &&
	       make_cookie(from, &to->at.cookie);
}

void sites_add(struct sites *sites, const struct sdtkit_notes *notes,
	       const struct sdtkit_site *site, int probe, enum tsmbd_hit hit)
{
	struct site new = { .probe = probe };

	if (!make_site(notes, site, &new)) {
		sites->partial = true;
		return;
	}
	new.at.cookie |= (uint64_t)hit << TSMBD_HIT_SHIFT;
	sites->site = memory_grow(sites->site, (size_t)sites->count,
				  sizeof(*sites->site));
	sites->site[sites->count++] = new;
}

int sites_attach(const struct sites *sites, const bool *wanted,
		 const struct bpf_program *program, const char *path)
{
	struct uprobe_site *chosen = calloc((size_t)sites->count + 1,
					    sizeof(*chosen));
	int count = 0;
	int ret;
	int i;

	if (chosen == NULL)
		return -ENOMEM;
	for (i = 0; i < sites->count; i++) {
		if (wanted[sites->site[i].probe])
			chosen[count++] = sites->site[i].at;
	}
	ret = multi_attach(program, path, chosen, count);
	free(chosen);
	return ret;
}

void sites_free(struct sites *sites)
{
	free(sites->site);
	*sites = (struct sites){ .count = 0 };
}
