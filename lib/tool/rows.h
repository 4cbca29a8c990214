/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of "sdtkit list": rows are collected, sorted and printed. */
#ifndef SDTKIT_TOOL_ROWS_H
#define SDTKIT_TOOL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "sdtkit/notes.h"

/* One site; in the summary, all sites of a probe that look the same. */
struct row {
	/* "provider:probe", fit for a terminal. */
	char *name;
	/* Summary: "u64 s32"; verbose: operands as written. */
	char *arguments;
	size_t sites;
	/* Place among the rows as they were added. */
	size_t order;
	uint64_t address;
	uint64_t offset;
	uint64_t semaphore;
};

struct rows {
	bool verbose;
	/* Addresses and semaphores are not known: an object file. */
	bool relocatable;
	struct row *row;
	size_t count;
	size_t room;
};

/* Returns 0 or -ENOMEM. */
int rows_add(struct rows *rows, const struct sdtkit_site *site);

/* Sorts, and in the summary joins rows that look the same. */
void rows_finish(struct rows *rows);

void rows_print(const struct rows *rows);
void rows_free(struct rows *rows);

#endif /* SDTKIT_TOOL_ROWS_H */
