/* SPDX-License-Identifier: BSD-2-Clause */
/* The addresses of variables of a file. */
#ifndef UPROBE_SYMBOL_H
#define UPROBE_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct sdtkit_notes;

/* Sets *address to that of a symbol, before the loader adds the bias. */
bool symbol_find(const struct sdtkit_notes *notes, const char *name,
		 uint64_t *address);

#endif /* UPROBE_SYMBOL_H */
