/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm, in both instruction sets; see machine.h.  Which one a site is of is seen
 * from its nop: none begins with the bytes of another.
 */
#ifdef __arm__
#define _GNU_SOURCE
#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "machine.h"

static const struct sdtkit_tap_trap traps[] = {
	{ 0xbf00, 0xde01, 2, 2 },
	{ 0x46c0, 0xde01, 2, 2 },
	{ 0xe320f000, 0xe7f001f0, 4, 4 },
	{ 0xe1a00000, 0xe7f001f0, 4, 4 },
};

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_ARM,
	.signals = { SIGTRAP, SIGILL },
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
};

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	return context->uc_mcontext.arm_pc;
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.arm_pc = pc;
}

/* arm_r0 to arm_pc, r0 to r15, follow each other. */
bool sdtkit_tap_register(const ucontext_t *context,
			 const struct sdtkit_register *reg, uint64_t *value)
{
	const char *first = (const char *)&context->uc_mcontext +
			    offsetof(mcontext_t, arm_r0);
	unsigned long word;

	if (reg->number > 15)
		return false;
	memcpy(&word, first + reg->number * sizeof(word), sizeof(word));
	*value = word;
	return true;
}

void sdtkit_tap_flush(void *start, size_t size)
{
	__builtin___clear_cache(start, (char *)start + size);
}

#else
typedef int sdtkit_tap_not_arm;
#endif
