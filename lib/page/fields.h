/* SPDX-License-Identifier: BSD-2-Clause */
/* What is in the rows of the lists of section.h. */
#ifndef PAGE_FIELDS_H
#define PAGE_FIELDS_H

#include <stdio.h>

#include "report/table.h"
#include "section.h"

enum page_how {
	PAGE_IS_NAME,		/* the number of a text of pool.h */
	PAGE_IS_KEY,		/* a number */
	PAGE_IS_NAMED,		/* a number that is written as its name */
	PAGE_IS_END,		/* a time */
	PAGE_IS_SUM,
	PAGE_IS_MOST,
	PAGE_IS_SLOTS,		/* a distribution, in powers of 2 */
};

struct page_field {
	const char *name;
	enum page_how how;
	bool if_any;		/* left out if it is 0: the last one */
	const struct report_key *key;		/* or NULL */
	const struct report_column *column;	/* likewise */
};

/* A row as it is kept: a value for each field, and its slots. */
struct page_row {
	bool is_used;
	unsigned int slots[REPORT_POWERS];
	unsigned long long values[PAGE_FIELDS];
};

/* Finds the fields of all lists, before all else. */
void fields_open(const struct report_tables *tables,
		 const struct page_list *lists);

/* The fields of a list by its number; the last one has no name. */
const struct page_field *fields_of(size_t list);

/* The index of one, or -1; also if the name is NULL. */
int fields_find(size_t list, const char *name);

/* Writes a row as an array of JSON, in which names are numbers. */
void fields_write(FILE *file, size_t list, const struct page_row *row);

#endif /* PAGE_FIELDS_H */
