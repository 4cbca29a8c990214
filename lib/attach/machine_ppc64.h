/* SPDX-License-Identifier: BSD-2-Clause */
/* ppc64 of either byte order; see machine.h. */

enum {
	/* The index of the next instruction pointer among the registers. */
	NIP = 32,
	/* No processor has shorter blocks in its caches. */
	BLOCK = 32,
};

/* nop; trap */
static const struct sdtkit_tap_trap traps[] = {
	{ 0x60000000, 0x7fe00008, 4, 4 },
};

#ifdef __LITTLE_ENDIAN__
#include "machine_ppc64_jump.h"
#define JUMP	(&jump)
#else
#define JUMP	NULL
#endif

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_PPC64,
	.signals = { SIGTRAP },
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
	.jump = JUMP,
	.register_count = NIP,
};

#define PC(context)	((context)->uc_mcontext.gp_regs[NIP])
#define REGISTER(context, i)	((context)->uc_mcontext.gp_regs[i])

#define SDTKIT_TAP_OWN_FLUSH
/* libgcc's for this machine does nothing. Power ISA, book II, 1.8. */
void sdtkit_tap_flush(void *start, size_t size)
{
	uintptr_t block = (uintptr_t)start & ~(uintptr_t)(BLOCK - 1);

	for (; block < (uintptr_t)start + size; block += BLOCK)
		__asm__ __volatile__("dcbst 0, %0\n\tsync\n\t"
				     "icbi 0, %0\n\tisync"
				     : : "r" (block) : "memory");
}
