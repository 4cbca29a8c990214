/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of stacks, as a program in the kernel takes them: stacks.bpf.h.
 *
 *	a timer of each CPU -> stacks_take() -> ring buffer -> stacks_add()
 *		-> symbols -> a tree of functions: lib/picture
 */
#ifndef STACKS_H
#define STACKS_H

enum { STACKS_USER = 127, STACKS_KERNEL = 64 };	/* frames */

/* Where a thread was. Bytes of the stacks, or -errno. */
struct stacks {
	unsigned int pid;
	unsigned int parent;		/* of the process */
	int user;
	int kernel;
	unsigned long long user_stack[STACKS_USER];
	unsigned long long kernel_stack[STACKS_KERNEL];
};

#ifndef __bpf__

#include <stdbool.h>

struct flame;
struct flamegraph;

/* Reads what all samples need, which takes a while. */
void stacks_begin(void);

/*
 * Adds the functions of a sample above a node of a flame graph, from main() on;
 * thread: the stack begins where a thread does instead.
 */
void stacks_add(struct flamegraph *graph, struct flame *above,
		const struct stacks *stacks, bool thread);

#endif /* !__bpf__ */

#endif /* STACKS_H */
