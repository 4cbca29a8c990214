/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples of stacks, as a program in the kernel takes them: stacks.bpf.h.
 *
 *	a timer of each CPU -> stacks_take() -> ring buffer -> stacks_add()
 *		-> symbols -> a tree of functions: lib/picture
 */
#ifndef STACKS_H
#define STACKS_H

#include <stdbool.h>

#include "taken.h"

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

#endif /* STACKS_H */
