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
 * Only a register of 64 bits has a word. Sites of <sys/sdt.h> have other
 * arguments too, and machines of 32 bits have no such register.
 */
#include <elf.h>
#include <err.h>
#include <stddef.h>
#include <stdlib.h>

#include <linux/ptrace.h>
#include <sdtkit/notes.h>

#include "cookie.h"
#include "sites.h"

enum { NO_WORD = -1 };

#define WORD(type, member)	(offsetof(type, member) / sizeof(uint64_t))

/* Returns the word of pt_regs for a DWARF register number. */
#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };

static int word_of(unsigned int number)
{
	static const signed char words[] = {
		WORD(struct pt_regs, rax), WORD(struct pt_regs, rdx),
		WORD(struct pt_regs, rcx), WORD(struct pt_regs, rbx),
		WORD(struct pt_regs, rsi), WORD(struct pt_regs, rdi),
		WORD(struct pt_regs, rbp), NO_WORD,
		WORD(struct pt_regs, r8), WORD(struct pt_regs, r9),
		WORD(struct pt_regs, r10), WORD(struct pt_regs, r11),
		WORD(struct pt_regs, r12), WORD(struct pt_regs, r13),
		WORD(struct pt_regs, r14), WORD(struct pt_regs, r15),
	};

	return number < sizeof(words) ? words[number] : NO_WORD;
}
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };

static int word_of(unsigned int number)
{
	return number <= 30 ? (int)number : NO_WORD;
}
#elif defined(__s390x__)
enum { MACHINE = EM_S390 };

static int word_of(unsigned int number)
{
	return number <= 15 ? (int)(WORD(user_pt_regs, gprs) + number) :
		NO_WORD;
}
#elif defined(__powerpc64__)
enum { MACHINE = EM_PPC64 };

static int word_of(unsigned int number)
{
	return number <= 31 ? (int)number : NO_WORD;
}
#elif defined(__riscv) && __riscv_xlen == 64
enum { MACHINE = EM_RISCV };

/* Word 0 is the program counter; x0, which is always 0, has no word. */
static int word_of(unsigned int number)
{
	return number >= 1 && number <= 31 ? (int)number : NO_WORD;
}
#else
enum { MACHINE = EM_NONE };

static int word_of(unsigned int number)
{
	(void)number;
	return NO_WORD;
}
#endif

static int word_of_operand(const struct sdtkit_operand *operand)
{
	const struct sdtkit_register *reg = operand->reg;

	if (operand->kind != SDTKIT_OPERAND_REGISTER || operand->size != 8 ||
	    operand->is_float || reg->size != 8)
		return NO_WORD;
	return word_of(reg->number);
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
		if (word == NO_WORD)
			return false;
		*cookie |= (uint64_t)word << TSMBD_WORD_BITS * i;
	}
	return true;
}

static bool make_site(const struct sdtkit_notes *notes,
		      const struct sdtkit_site *from, struct site *to)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);

	to->offset = from->offset;
	to->semaphore = from->semaphore == 0 ? 0 : from->semaphore_offset;
	return info->machine == MACHINE && info->bits == 64 &&
	       to->offset != SDTKIT_NO_OFFSET &&
	       to->semaphore != SDTKIT_NO_OFFSET &&
	       make_cookie(from, &to->cookie);
}

void sites_add(struct sites *sites, const struct sdtkit_notes *notes,
	       const struct sdtkit_site *site, int probe)
{
	struct site new = { .probe = probe };

	if (!make_site(notes, site, &new)) {
		sites->partial = true;
		return;
	}
	sites->site = reallocarray(sites->site, (size_t)sites->count + 1,
				   sizeof(*sites->site));
	if (sites->site == NULL)
		err(1, NULL);
	sites->site[sites->count++] = new;
}

void sites_free(struct sites *sites)
{
	free(sites->site);
	*sites = (struct sites){ .count = 0 };
}
