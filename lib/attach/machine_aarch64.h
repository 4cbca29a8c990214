/* SPDX-License-Identifier: BSD-2-Clause */
/* aarch64; see machine.h. */

enum {
	SP = 31,
};

/* nop; brk #0x5d7 */
static const struct sdtkit_tap_trap traps[] = {
	{ 0xd503201f, 0xd420bae0, 4, 4 },
};

#if defined(__AARCH64EL__) && defined(__LP64__)
#include "machine_aarch64_jump.h"
#define JUMP	(&jump)
#else
#define JUMP	NULL
#endif

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_AARCH64,
	.signals = { SIGTRAP },
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
	.jump = JUMP,
	.register_count = SP + 1,
	.has_zero = true,
	/* Where indirect branches may land: PROT_BTI, HWCAP2_BTI. */
	.branch_protection = {
		.protection = 0x10,
		.capability = 1 << 17,
		.property = 0xc0000000,
		.feature = 1 << 0,
	},
};

#define PC(context)	((context)->uc_mcontext.pc)
#define REGISTER(context, i)						\
	((i) == SP ? (context)->uc_mcontext.sp : (context)->uc_mcontext.regs[i])
