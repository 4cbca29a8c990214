/* SPDX-License-Identifier: BSD-2-Clause */
/* The clients, users, shares and files that caused most of the work. */
#ifndef TSMBD_TOP_H
#define TSMBD_TOP_H

#include "options.h"
#include "raw.h"

struct tsmbd;	/* the skeleton */

struct top_row {
	char share[TSMBD_NAME];		/* of a file */
	char name[TSMBD_TEXT];
	unsigned int opcode;		/* TSMBD_OPS: of all commands */
	struct tsmbd_top_value value;
};

/* All rows of a table, the first ones in front. */
struct top {
	struct top_row *rows;
	int count;
	int capacity;
	unsigned int *index;		/* of history/add.c, or NULL */
	unsigned int index_size;
};

/*
 * Adds what the kernel has in a bank that no program writes to: a table for
 * each enum tsmbd_kind that the options ask for, and the shares by command, if
 * the options ask for that.
 */
struct report;
void top_take(const struct options *options, struct tsmbd *skel,
	      unsigned int bank, struct report *report);

void top_free(struct top tops[TSMBD_KINDS]);

/* Sorts the rows; order is an enum tsmbd_order. */
void top_sort(struct top *top, unsigned int order);

/* For qsort(): by name and share. */
int top_by_name(const void *a, const void *b);

/* Adds a row of zeroes; ends the program if there is no memory. */
struct top_row *top_new_row(struct top *top);

/* Adds the numbers of a row to those of another. */
void top_add_row(struct top_row *to, const struct top_row *from);

#endif /* TSMBD_TOP_H */
