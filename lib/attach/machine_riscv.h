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

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	return context->uc_mcontext.__gregs[REG_PC];
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.__gregs[REG_PC] = pc;
}

/* The context has the pc where x0, which is 0, would be. */
void sdtkit_tap_registers(const ucontext_t *context, uint64_t *registers)
{
	unsigned int i;

	registers[0] = 0;
	for (i = 1; i < REGISTERS; i++)
		registers[i] = context->uc_mcontext.__gregs[i];
}
