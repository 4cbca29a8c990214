/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine that this library does not know: opening a tap says so. */

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.signals = { SIGTRAP },
};

uintptr_t sdtkit_tap_pc(const ucontext_t *context)
{
	return 0;
}

void sdtkit_tap_set_pc(ucontext_t *context, uintptr_t pc)
{
}

void sdtkit_tap_registers(const ucontext_t *context, uint64_t *registers)
{
}
