/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments and members of records, as bpftrace reads them. */
#ifndef SDTKIT_TOOL_BT_ARGUMENT_H
#define SDTKIT_TOOL_BT_ARGUMENT_H

#include <stddef.h>

#include "bt/chain.h"
#include "bt/walk.h"

/* Writes the argument that a chain names. */
void argument_write(struct walk *walk, const struct chain *chain);

/* Writes the member that a chain names. It must not be an array. */
void argument_write_member(struct walk *walk, const struct chain *chain);

/* Returns 7 if token i is "arg7", or -1. */
long argument_number(const struct walk *walk, size_t i);

/* Writes the argument with this number, which token i names. */
void argument_write_number(struct walk *walk, size_t i, size_t number);

#endif /* SDTKIT_TOOL_BT_ARGUMENT_H */
