/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of records, below a probe in a table of "sdtkit list". */
#ifndef SDTKIT_TOOL_TABLE_MEMBERS_H
#define SDTKIT_TOOL_TABLE_MEMBERS_H

#include <stddef.h>

struct site;

/* Prints a line for each member of all records of a described probe. */
void table_print_members(const struct site *site, size_t indent);

#endif /* SDTKIT_TOOL_TABLE_MEMBERS_H */
