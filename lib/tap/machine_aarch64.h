/* SPDX-License-Identifier: BSD-2-Clause */
/* aarch64; see machine.h. */

enum {
	SP = 31,
};

/* nop; brk #0x5d7 */
static const struct sdtkit_tap_trap traps[] = {
	{ 0xd503201f, 0xd420bae0, 4, 4 },
};

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_AARCH64,
	.signals = { SIGTRAP },
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
	/* Where indirect branches may land: PROT_BTI, HWCAP2_BTI. */
	.branch_protection = {
		.protection = 0x10,
		.capability = 1 << 17,
		.property = 0xc0000000,
		.feature = 1 << 0,
	},
};

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	return context->uc_mcontext.pc;
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.pc = pc;
}

bool sdtkit_tap_register(const ucontext_t *context,
			 const struct sdtkit_register *reg, uint64_t *value)
{
	if (reg->number == SDTKIT_NO_NUMBER)
		*value = 0;	/* xzr */
	else if (reg->number == SP)
		*value = context->uc_mcontext.sp;
	else if (reg->number < SP)
		*value = context->uc_mcontext.regs[reg->number];
	else
		return false;
	return true;
}
