/* SPDX-License-Identifier: BSD-2-Clause */
/* x86-64 and i386; see machine.h. */

/* By their numbers in DWARF: psABI of x86-64, figure 3.36; of i386, 2.14. */
static const int in_context[] = {
#ifdef __x86_64__
	REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	REG_RIP,
#else
	REG_EAX, REG_ECX, REG_EDX, REG_EBX, REG_ESP, REG_EBP, REG_ESI, REG_EDI,
#endif
};

#ifdef __x86_64__
#define PC(context)	((context)->uc_mcontext.gregs[REG_RIP])
#define MACHINE		EM_X86_64
#else
#define PC(context)	((context)->uc_mcontext.gregs[REG_EIP])
#define MACHINE		EM_386
#endif
#define REGISTER(context, i)						\
	((unsigned long)(context)->uc_mcontext.gregs[in_context[i]])

enum {
	REGISTERS = sizeof(in_context) / sizeof(in_context[0]),
};

/* nop; int3 */
static const struct sdtkit_tap_trap traps[] = {
	{ 0x90, 0xcc, 1, 1 },
};

#if defined(__x86_64__) && defined(__LP64__)
#include "machine_x86_jump.h"
#define JUMP	(&jump)
#else
#define JUMP	NULL
#endif

const struct sdtkit_tap_machine sdtkit_tap_machine = {
	.machine = MACHINE,
	.signals = { SIGTRAP },
	.behind = 1,
	.traps = traps,
	.trap_count = sizeof(traps) / sizeof(traps[0]),
	.jump = JUMP,
	.register_count = REGISTERS,
#ifdef __x86_64__
	/* i386: the kernel's frame has them behind what glibc knows of. */
	.first_vector = 17,
	.vector_count = 16,
#endif
};

#ifdef __x86_64__
#define SDTKIT_TAP_OWN_VECTORS
const void *sdtkit_tap_vectors(const ucontext_t *context)
{
	/* The structure behind it has another name in each C library. */
	const fpregset_t state = context->uc_mcontext.fpregs;

	return state != NULL ? state->_xmm : NULL;
}
#endif
