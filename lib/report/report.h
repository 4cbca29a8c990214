/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A report: what happened in a time on a host, as rows of tables.
 *
 *	struct report *sum = report_new(&tables);
 *
 *	report_add(sum, second);	for each second
 *	report_sort(sum, COMMANDS, "total_us");
 *	report_free(sum);
 *
 * A function that needs memory ends the program with a message if there is
 * none.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "table.h"

enum { REPORT_HOSTS = 256, REPORT_TABLES = 24 };

struct report_rows {
	void *rows;
	size_t count;
	size_t capacity;
	unsigned int *index;	/* a hash table of numbers + 1, or NULL */
	size_t index_size;
};

struct report {
	const struct report_tables *tables;
	char hosts[REPORT_HOSTS];	/* "alpha,beta"; "": this one */
	unsigned long long end_ns;
	unsigned long long elapsed_ns;	/* the time that it covers */
	struct report_rows rows[REPORT_TABLES];
};

struct report *report_new(const struct report_tables *tables);
void report_free(struct report *report);

/* Removes all rows and times. */
void report_clear(struct report *report);

/* The description of a table, and a row of it. */
static inline const struct report_table *
report_table(const struct report *report, size_t table)
{
	return &report->tables->table[table];
}

static inline void *report_row(const struct report *report, size_t table,
			       size_t row)
{
	return (char *)report->rows[table].rows +
	       row * report->tables->table[table].row_size;
}

/* Goes through the rows of a table; row points to their struct. */
#define REPORT_FOR_EACH_ROW(row, report, table)				\
	for ((row) = report_row(report, table, 0);			\
	     (const void *)(row) != report_row(report, table,		\
					       (report)->rows[table].count); \
	     (row)++)

/* Appends a row of zeros; its keys have to be set before the next call. */
void *report_append(struct report *report, size_t table);

/* Returns the row that has the keys of another one, or NULL. */
void *report_find(struct report *report, size_t table, const void *like);

/* Returns that row, which is appended without numbers if there is none. */
void *report_want(struct report *report, size_t table, const void *like);

/* Adds the numbers of a row to those of another, whatever their keys are. */
void report_sum_row(const struct report_table *table, void *sum,
		    const void *row);

/* Removes a row; the order of the others stays. */
void report_remove(struct report *report, size_t table, const void *row);

/*
 * Removes rows with keys that no word fits. The words end with NULL; all rows
 * stay if there are none.
 */
void report_choose(struct report *report, char *const *words);

/* Adds a row to the one that has its keys. */
void report_add_row(struct report *report, size_t table, const void *row);

/*
 * Subtracts what was counted before from a row of what is counted since the
 * beginning. All but counters and slots stay.
 */
void report_subtract_row(const struct report_table *table, void *row,
			 const void *before);

/*
 * Adds a report of another time of the same host. What exists at the end is
 * that of the later one.
 */
void report_add(struct report *into, const struct report *from);

/* Adds the rows of one table, which is of a later time. */
void report_add_table(struct report *into, const struct report *from,
		      size_t table);

/*
 * The same, but if they are more than count, only the first ones by each order
 * of the table have rows of their own.
 */
void report_add_first(struct report *into, const struct report *from,
		      size_t table, size_t count);

/*
 * Adds a report of another host: what exists at the end is added up. The sum
 * covers the time from the first begin to the last end.
 */
void report_join(struct report *into, const struct report *from);

/* Copies all, also the rows, to a report that may have some. */
void report_copy(struct report *to, const struct report *from);

/*
 * Copies up to count rows of a table that is empty so far. The others become
 * one row.
 */
void report_copy_rows(struct report *to, const struct report *from,
		      size_t table, size_t count);

/* Keeps the first rows, and gives the memory of the others back. */
void report_truncate(struct report *report, size_t table, size_t count);

/*
 * Sorts the rows of a table by a column, the largest first, and then by its
 * first two orders and its keys. NULL: by the keys.
 */
void report_sort(struct report *report, size_t table, const char *key);
/* The same, even if the table is one whose rows stay together by their key. */
void report_sort_ungrouped(struct report *report, size_t table,
			   const char *key);

/*
 * Keeps up to count rows: the first ones by each order of the table in turn.
 * The others become one row.
 */
void report_shrink(struct report *report, size_t table, size_t count);

#endif /* REPORT_REPORT_H */
