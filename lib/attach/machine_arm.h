/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm, in both instruction sets; see machine.h.  The nop of a site tells which
 * of them the site has: none begins with the bytes of another.
 */

enum {
	REGISTERS = 16,
};

/* Thumb: nop or mov r8, r8; udf #1. arm: nop or mov r0, r0; udf #0x10. */
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
	.register_count = REGISTERS,
};

#define PC(context)	((context)->uc_mcontext.arm_pc)
/* arm_r0 to arm_pc, r0 to r15, follow each other. */
#define REGISTER(context, i)						\
	(((const unsigned long *)&(context)->uc_mcontext)		\
		[offsetof(mcontext_t, arm_r0) / sizeof(long) + (i)])
