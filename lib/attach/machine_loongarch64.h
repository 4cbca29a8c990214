/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loongarch64; see machine.h. No system library of it is at hand: that this is
 * right was tested as far as tests/arch/test_bare.py goes, with the kernel's
 * context and without this library.
 */

enum {
	REGISTERS = 32,
};

/* andi $zero, $zero, 0; break 0x5d7, a code that nobody else uses. */
static const struct sdtkit_tap_trap traps[] = {
	{ 0x03400000, 0x002a05d7, 4, 4 },
};

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = EM_LOONGARCH,
	.signals = { SIGTRAP },
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
	.register_count = REGISTERS,
};

#define PC(context)	((context)->uc_mcontext.__pc)
/* The context has r0 too, which is 0. */
#define REGISTER(context, i)	((context)->uc_mcontext.__gregs[i])
