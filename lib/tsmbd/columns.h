/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of all numbers that tsmbd prints: columns.def. The text report,
 * the JSON and the lines of --slow loop over it, so that a number that is
 * added there appears in all of them.
 */
#ifndef TSMBD_COLUMNS_H
#define TSMBD_COLUMNS_H

#include <stdio.h>

#include "counters.h"

/* Numbers that are printed together; behind each, the type of its row. */
enum column_group {
	COLUMNS_ELAPSED,		/* struct smbd_report */
	COLUMNS_PROCESSES,
	COLUMNS_NOW,
	COLUMNS_PHASES,
	COLUMNS_SUM,
	COLUMNS_CALL_TIME,
	COLUMNS_DISK_TIME,
	COLUMNS_TRAFFIC,
	COLUMNS_REQUESTS,		/* struct operation */
	COLUMNS_REQUEST_TIMES,
	COLUMNS_LIMITS,
	COLUMNS_KEPT,
	COLUMNS_REQUEST_SIZES,
	COLUMNS_ERRORS,			/* struct error_count */
	COLUMNS_CALLS,			/* struct call_count */
	COLUMNS_DISK,			/* struct tsmbd_io */
	COLUMNS_SIZES,			/* struct tsmbd_size */
	COLUMNS_TOP,			/* struct tsmbd_top_value */
	COLUMNS_TOP_LIMITS,
	COLUMNS_TOP_KEPT,
	COLUMNS_WAITS,			/* struct waited */
	COLUMNS_LOST,			/* struct counters */
	COLUMNS_LINE_LIMITS,		/* struct tsmbd_request_event */
	COLUMNS_LINE,			/* struct tsmbd_request_event */
};

enum column_unit { UNIT_COUNT, UNIT_PART, UNIT_EVENTS, UNIT_BYTES, UNIT_NS,
	UNIT_US, UNIT_HEX };

struct column {
	enum column_group group;
	const char *key;		/* in JSON, or NULL */
	const char *title;		/* in text, or NULL */
	int width;
	enum column_unit unit;
	unsigned long long (*value)(const void *row);
};

/* The row of a command. */
struct operation {
	unsigned int opcode;
	const struct tsmbd_op *op;	/* whose count is not 0 */
	const struct tsmbd_extreme *extreme;
};

/* The row of a system call. */
struct call_count {
	unsigned int number;
	struct tsmbd_call call;
};

struct operation operation_of(const struct counters *counters, int op);

/* The next column of a group, or the first one after NULL; NULL at the end. */
const struct column *column_next(enum column_group group,
				 const struct column *column);

#define FOR_EACH_COLUMN(column, group)					\
	for ((column) = column_next(group, NULL); (column) != NULL;	\
	     (column) = column_next(group, column))

/* Whether this row has anything in any column of a group. */
bool column_any(enum column_group group, const void *row);

/* The value in the unit of tables and of JSON: times in microseconds. */
unsigned long long column_get(const struct column *column, const void *row);

/* Prints the titles of a group, or the values of one of its rows. */
void column_print_titles(FILE *out, enum column_group group);
void column_print_row(FILE *out, enum column_group group, const void *row);

#endif /* TSMBD_COLUMNS_H */
