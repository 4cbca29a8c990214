/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which metrics are made of the tables of a program:
 *
 *	{ .name = "cache_commands", .help = "Commands that ended.",
 *	  .table = COMMANDS, .labels = { { "command" } },
 *	  .values = { { .column = "count" } } },
 *
 *	# TYPE cache_commands counter
 *	# HELP cache_commands Commands that ended.
 *	cache_commands_total{command="GET"} 4
 *
 * The kind and the unit of the first column are those of the family. Names that
 * others choose have to be in tables of METRICS_TOP.
 */
#ifndef METRICS_FAMILIES_H
#define METRICS_FAMILIES_H

#include "report/table.h"

enum { METRICS_LABELS = 7, METRICS_VALUES = 5 };

enum metrics_way {
	METRICS_ROWS,		/* a series for each row */
	/*
	 * Only some of the rows have a series of their own, and the rest is
	 * "other": see series.h. All keys have to be texts.
	 */
	METRICS_TOP,
	METRICS_PAIRS,		/* of the same names and more keys */
};

/* A table that is summed up. */
struct metrics_table {
	unsigned int table;
	enum metrics_way way;
	bool all;		/* has a row for each number of its key */
	/*
	 * METRICS_ROWS: only so many rows, which are those that come first.
	 * METRICS_TOP: so many names, which are the last key, with the same
	 * first key. METRICS_PAIRS: so many pairs of a name and a number below
	 * 64. 0: all.
	 */
	unsigned int most;
	unsigned int in_all;	/* METRICS_TOP: names; 0: --top-series */
	bool (*counts)(const void *row);	/* of these; NULL: all */
	/* METRICS_PAIRS: the table of the names, which comes before. */
	unsigned int names;
};

/* The label of a key of the row. */
struct metrics_label {
	const char *name;
	/* The value, if it is not the name that reports have. */
	const char *(*text)(unsigned long long number,
			    char buffer[REPORT_NAME]);
};

struct metrics_value {
	const char *column;
	/* Instead of the number in that column. */
	unsigned long long (*get)(const void *row);
	const char *label;	/* the value of the label family->by, */
	const char *(*text)(const void *row);	/* or what returns it */
	bool rare;		/* left out if it is 0 */
};

/*
 * Single events that OpenMetrics has beside the buckets of a histogram. Their
 * table has the keys of the family's table under the same names.
 */
struct metrics_exemplars {
	unsigned int table;
	const char *column;		/* their time; NULL: there are none */
	const char *labels[METRICS_LABELS];	/* keys of theirs */
};

struct metrics_family {
	const char *name;
	const char *help;
	unsigned int table;
	unsigned int group;	/* where columns are looked for first */
	struct metrics_label labels[METRICS_LABELS];	/* by key */
	const char *by;		/* a label that tells the values apart */
	/*
	 * None: all columns of the group, by their keys. A histogram has the
	 * columns of slots, count and time.
	 */
	struct metrics_value values[METRICS_VALUES];
	struct metrics_exemplars exemplars;
	const char *rare;	/* rows with 0 in this column are left out */
	/*
	 * What no row of the table has is "other": the number in a column of
	 * another table with the same first key.
	 */
	const char *rest;
	unsigned int rest_of;
};

struct metrics_families {
	const struct metrics_table *tables;
	size_t num_tables;
	const struct metrics_family *families;
	size_t num_families;
	/* What could not be counted, after what is about the program. */
	const struct metrics_family *lost;
};

#define METRICS_FOR_EACH(of, families)					\
	for ((of) = (families)->tables;					\
	     (of) < (families)->tables + (families)->num_tables; (of)++)

#endif /* METRICS_FAMILIES_H */
