/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of "sdtkit list --long". */
#ifndef SDTKIT_TOOL_TABLE_LONG_H
#define SDTKIT_TOOL_TABLE_LONG_H

#include <stddef.h>

struct interface;
struct sites;

/*
 * Prints a line per probe and one per argument, with comments of count
 * descriptions; the sites must be sorted by looks.
 */
void table_print_long(const struct sites *sites,
		      const struct interface *descriptions, size_t count);

#endif /* SDTKIT_TOOL_TABLE_LONG_H */
