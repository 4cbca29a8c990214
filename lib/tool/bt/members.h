/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of records, as bpftrace reads them. */
#ifndef SDTKIT_TOOL_BT_MEMBERS_H
#define SDTKIT_TOOL_BT_MEMBERS_H

#include <stddef.h>

#include "bt/chain.h"
#include "bt/walk.h"

/* Writes a member, or an element of it; returns the token behind it. */
size_t members_write(struct walk *walk, const struct chain *chain);

#endif /* SDTKIT_TOOL_BT_MEMBERS_H */
