/* SPDX-License-Identifier: BSD-2-Clause */
/* From addresses to names of functions. */
#ifndef TSMBD_SYMBOLS_H
#define TSMBD_SYMBOLS_H

#include "space.h"

enum place_kind { PLACE_UNKNOWN, PLACE_SAMBA, PLACE_LIBRARY, PLACE_KERNEL };

/* All strings are valid for ever. */
struct place {
	enum place_kind kind;
	const char *function;		/* NULL: not known */
	unsigned long long into;	/* bytes from where that begins */
	const struct object *object;	/* NULL: in no file */
	unsigned long long address;	/* in the file, as addr2line takes it */
};

/* An address in a process, which has been forked by another one. */
void symbols_find(unsigned int pid, unsigned int parent,
		  unsigned long long address, struct place *place);

void symbols_find_kernel(unsigned long long address, struct place *place);

#endif /* TSMBD_SYMBOLS_H */
