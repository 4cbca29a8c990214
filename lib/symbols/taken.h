/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample of stacks, as the kernel takes it: stacks.bpf.h. */
#ifndef TAKEN_H
#define TAKEN_H

enum {
	STACKS_USER = 127, STACKS_KERNEL = 64,	/* frames */
	STACKS_REGISTERS = 20,		/* words of struct pt_regs */
	STACKS_PAGE = 4096,
	STACKS_COPY = 6 * STACKS_PAGE,	/* with the rest in 32 KiB */
};

/*
 * Where a thread was. Bytes of the stacks, or -errno: these are what frame
 * pointers tell. The copy of what it has on its stack comes last, as only so
 * much of it is sent as there is.
 */
struct stacks {
	unsigned int pid;
	unsigned int parent;		/* of the process */
	int user;
	int kernel;
	unsigned long long user_stack[STACKS_USER];
	unsigned long long kernel_stack[STACKS_KERNEL];
	unsigned long long registers[STACKS_REGISTERS];
	unsigned long long from;	/* the address that was copied from */
	unsigned int copied;		/* bytes */
	unsigned char copy[STACKS_COPY];
};

#endif /* TAKEN_H */
