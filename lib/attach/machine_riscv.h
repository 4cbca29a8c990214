/* SPDX-License-Identifier: BSD-2-Clause */
/* riscv64, with and without compressed instructions; see machine.h. */

enum {
	REGISTERS = 32,
};

/* c.nop; c.ebreak. nop; ebreak. */
static const struct sdtkit_tap_trap traps[] = {
	{ 0x0001, 0x9002, 2, 2 },
	{ 0x00000013, 0x00100073, 4, 4 },
};

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_RISCV,
	.signals = { SIGTRAP },
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
	.register_count = REGISTERS,
};

#define PC(context)	((context)->uc_mcontext.__gregs[REG_PC])
/* The context has the pc where x0, which is 0, would be. */
#define REGISTER(context, i)						\
	((i) == 0 ? 0 : (context)->uc_mcontext.__gregs[i])
