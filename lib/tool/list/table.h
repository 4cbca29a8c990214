/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of "sdtkit list". */
#ifndef SDTKIT_TOOL_TABLE_H
#define SDTKIT_TOOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct site;
struct sites;

/* Prints a line per probe; the sites must be sorted by looks. */
void table_print_probes(const struct sites *sites, bool with_summaries);

/* Prints a line per site; the sites must be sorted by name. */
void table_print_sites(const struct sites *sites);

/*
 * Parts of a table, for table_long.c: the columns before PROBE, for run sites;
 * the name, whose length is returned; a sentence below it; the number of
 * arguments.
 */
enum { TABLE_PROBE_COLUMN = 18, TABLE_INDENT = TABLE_PROBE_COLUMN + 4 };
void table_print_row(const struct sites *sites, const struct site *site,
		     size_t run);
size_t table_print_name(const struct site *site);
void table_print_summary(const char *summary);
size_t table_argument_count(const struct site *site);

#endif /* SDTKIT_TOOL_TABLE_H */
