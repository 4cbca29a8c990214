/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack.bpf.h - a stack for each hit.
 *
 * From Linux 6.13 on, a program of 64 bytes of stack and more has one that all
 * its hits on a CPU share. The kernel does not enter other kinds of programs a
 * second time meanwhile, but it does enter programs of uprobes: where it
 * preempts (PREEMPT_LAZY, PREEMPT), another task hits in the middle of a hit,
 * and the first hit goes on with what the second one has left on the stack: the
 * key, the opcode, the time of another request.
 *
 * A program that has a tail call keeps the stack of its task. It is enough that
 * there is one: the verifier sees that it cannot be reached, and removes it.
 *
 * Only x86-64 and aarch64 have shared stacks. The kernels of riscv64 and ppc64le
 * refuse a program that has both a tail call and functions of its own.
 */
#ifndef STACK_BPF_H
#define STACK_BPF_H

#include <bpf/bpf_helpers.h>

/* Each program of a uprobe begins so: the program, no function of it. */
static __always_inline void stack_own(void)
{
#if defined(__TARGET_ARCH_x86) || defined(__TARGET_ARCH_arm64)
	asm volatile("r0 = 0\n"
		     "if r0 == 0 goto +1\n"
		     "call 12"		/* bpf_tail_call() */
		     ::: "r0");
#endif
}

#endif /* STACK_BPF_H */
