/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of "sdtkit list". */
#ifndef SDTKIT_TOOL_TABLE_H
#define SDTKIT_TOOL_TABLE_H

#include <stdbool.h>

struct site;
struct sites;

/* A line per probe; the sites are sorted by looks. */
void table_print_probes(const struct sites *sites, bool with_summaries);

/* A line per site; the sites are sorted by name. */
void table_print_sites(const struct sites *sites);

/* "smb2:request_end(uint64_t mid, uint32_t status)", "libc:setjmp(u64, s32)" */
void table_print_prototype(const struct site *site);

#endif /* SDTKIT_TOOL_TABLE_H */
