/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * s390x; see machine.h.  Its trap is what Linux takes for a breakpoint: an
 * invalid instruction of two bytes, at the head of a nop that has four.  While
 * no debugger is there, it raises SIGILL.
 */

/* nop 0; two bytes 00 01 */
static const struct sdtkit_tap_trap traps[] = {
	{ 0x47000000, 0x0001, 4, 2 },
};

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_S390,
	.signals = { SIGILL, SIGTRAP },
	.behind = 2,
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
};

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	return context->uc_mcontext.psw.addr;
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.psw.addr = pc;
}

bool sdtkit_tap_register(const ucontext_t *context,
			 const struct sdtkit_register *reg, uint64_t *value)
{
	if (reg->number > 15)
		return false;
	*value = context->uc_mcontext.gregs[reg->number];
	return true;
}
