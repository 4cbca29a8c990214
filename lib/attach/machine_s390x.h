/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * s390x; see machine.h.  Its trap is what Linux takes for a breakpoint: an
 * invalid instruction of two bytes, at the head of a nop that has four.  While
 * no debugger is there, it raises SIGILL.
 */

enum {
	REGISTERS = 16,
};

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
	.register_count = REGISTERS,
};

#define PC(context)	((context)->uc_mcontext.psw.addr)
#define REGISTER(context, i)	((context)->uc_mcontext.gregs[i])
