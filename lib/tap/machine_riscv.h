/* SPDX-License-Identifier: BSD-2-Clause */
/* riscv64, with and without compressed instructions; see machine.h. */

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
bool sdtkit_tap_register(const ucontext_t *context,
			 const struct sdtkit_register *reg, uint64_t *value)
{
	if (reg->number > 31)
		return false;
	*value = reg->number == 0 ? 0 :
			context->uc_mcontext.__gregs[reg->number];
	return true;
}
