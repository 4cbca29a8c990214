/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the function for an address. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include "space.h"

/* One function of a stack. All strings are valid for ever. */
struct frame {
	const char *function;		/* NULL: not known */
	unsigned long long into;	/* bytes from where that begins */
	const struct object *object;	/* NULL: in no file */
	bool kernel;
	unsigned long long address;	/* in the file, as addr2line takes it */
};

/* Looks up an address in a process; parent is the process that forked it. */
void symbols_find(unsigned int pid, unsigned int parent,
		  unsigned long long address, struct frame *frame);

void symbols_find_kernel(unsigned long long address, struct frame *frame);

#endif /* SYMBOLS_H */
