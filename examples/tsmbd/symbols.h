/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the function for an address. */
#ifndef TSMBD_SYMBOLS_H
#define TSMBD_SYMBOLS_H

#include "space.h"

enum frame_kind { FRAME_UNKNOWN, FRAME_SAMBA, FRAME_LIBRARY, FRAME_KERNEL };

/* One function of a stack. All strings are valid for ever. */
struct frame {
	enum frame_kind kind;
	const char *function;		/* NULL: not known */
	unsigned long long into;	/* bytes from where that begins */
	const struct object *object;	/* NULL: in no file */
	unsigned long long address;	/* in the file, as addr2line takes it */
};

/* Looks up an address in a process; parent is the process that forked it. */
void symbols_find(unsigned int pid, unsigned int parent,
		  unsigned long long address, struct frame *frame);

void symbols_find_kernel(unsigned long long address, struct frame *frame);

#endif /* TSMBD_SYMBOLS_H */
