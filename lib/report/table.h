/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of a report, described as data: what identifies a row, and which
 * numbers it has. Rows are structs of the program that fills them; a
 * description says where in the struct each key and each number is:
 *
 *	struct command {
 *		char name[32];
 *		unsigned long long count, ns, max_ns;
 *	};
 *	static const struct report_key command_keys[] = {
 *		REPORT_TEXT(struct command, name, "name", "the command"),
 *	};
 *	static const struct report_column command_columns[] = {
 *		REPORT_NUMBER(struct command, count, 0, COUNTER, COUNT,
 *			      "count", "Count", 8, "requests that ended"),
 *		...
 *
 * All that is done with reports walks these descriptions, and knows no program:
 * sums, text, JSON and its schema, the history, metrics, the page, conditions.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct json_t;

/* How the numbers of two rows with the same keys become one. */
enum report_kind {
	REPORT_COUNTER,		/* they are added */
	/*
	 * What exists at the end: over time the later one counts, and over
	 * hosts they are added.
	 */
	REPORT_GAUGE,
	REPORT_LEAST,		/* the least one; 0 is none */
	REPORT_MOST,		/* the largest one */
	REPORT_SLOTS,		/* a distribution of lib/slots: added */
	/*
	 * How many existed at any time. Those that exist at the end are in
	 * the gauge that the column names, and count once over time.
	 */
	REPORT_POPULATION,
	REPORT_ID,		/* a number + 1; of several hosts 0: none */
	REPORT_DERIVED,		/* not stored: computed from the others */
};

enum report_unit {
	REPORT_COUNT,
	REPORT_EVENTS,		/* a count that also has a rate in text */
	REPORT_PART,		/* a part of the count before it */
	REPORT_BYTES,
	REPORT_NS,		/* nanoseconds; printed as microseconds */
	REPORT_US,		/* microseconds; of REPORT_DERIVED only */
	REPORT_PERCENT,
	REPORT_RATE,		/* events in a second */
	REPORT_HEX,		/* an identifier */
};

enum { REPORT_NAME = 64 };	/* bytes of the name of a number */

/* A key of a row: a text or a number. */
struct report_key {
	const char *key;	/* in JSON and SQL; NULL: only its name */
	const char *doc;
	unsigned short offset;
	unsigned short size;	/* of the text; of a number 0 */
	bool wide;		/* the number is an unsigned long long */
	bool optional;		/* left out in JSON if it is "" or 0 */
	unsigned int bias;	/* JSON has the number without this */
	/* A number that has a name. */
	const char *name_key;	/* of the name in JSON, or NULL */
	const char *(*name)(unsigned long long number,
			    char buffer[REPORT_NAME]);
	/* Returns false if there is no such name; NULL: nobody reads names. */
	bool (*parse)(const char *name, unsigned long long *number);
	/*
	 * A text that is a name of somebody's, see metrics/privacy.h: a letter
	 * for the kind of names. What shorten() cuts off is no part of it.
	 */
	char private;
	void (*shorten)(char *name);
	unsigned long long most;	/* the largest number that is valid */
	unsigned long long other;	/* that of the row of what is left out */
};

/* A number of a row. */
struct report_column {
	const char *key;	/* in JSON and SQL; NULL: in text only */
	const char *title;	/* in text; NULL: not in text */
	const char *doc;	/* a sentence, for the schema and the manual */
	int width;		/* the least one in text */
	unsigned int group;	/* of the table */
	enum report_kind kind;
	enum report_unit unit;
	unsigned short offset;
	unsigned short gauge;	/* POPULATION: the offset of that gauge */
	/* SLOTS: how many there are, and how many eighths of a power of 2
	 * each of them has. */
	unsigned short slots;
	unsigned short eighths;
	unsigned int slots_ns;	/* their unit in nanoseconds; 0: 1000 */
	bool narrow;		/* unsigned int, not unsigned long long */
	/*
	 * Digits behind the point: up to 3 of REPORT_NS. Other numbers have
	 * them as well: 12.3 is 123.
	 */
	unsigned char decimals;
	const char *folded;	/* SLOTS: also in JSON, by powers of 2 */
	unsigned long long (*derive)(const void *row);
};

/* Columns that are printed together. */
struct report_group {
	const char *object;	/* their object in JSON; NULL: that of the row */
	bool if_any;		/* left out if all of them are 0 */
	const char *with;	/* left out if this table is not shown */
	bool hidden;		/* left out: the program has nothing there */
	/* Whether a row can have them; text has "-" if not. NULL: all can. */
	bool (*has)(const void *row);
};

enum report_shape {
	REPORT_LIST,		/* rows are the elements of a list in JSON */
	REPORT_INLINE,		/* one row, whose members are the report's */
	REPORT_OBJECTS,		/* an object for each row, by its first key */
	REPORT_HIDDEN,		/* not in JSON */
};

enum { REPORT_ORDERS = 4 };

struct report_table {
	const char *name;	/* in JSON and SQL */
	const char *within;	/* the object in JSON that has it, or NULL */
	const char *doc;
	enum report_shape shape;
	bool optional;		/* shown only if somebody asks for it */
	bool by_name;		/* a row means nothing without its name */
	size_t row_size;	/* of the struct */
	const struct report_key *keys;
	size_t num_keys;
	const struct report_column *columns;
	size_t num_columns;
	const struct report_group *groups;
	size_t num_groups;
	/*
	 * A sum has at most so many rows; the others become one row whose
	 * first text is REPORT_OTHER, or whose numbers are key->other. 0: all
	 * rows are kept. Rows that are kept are the first ones by each of these
	 * columns, by name, in turn.
	 */
	size_t limit;
	const char *orders[REPORT_ORDERS];
	/*
	 * The name of the key that is REPORT_OTHER in the rows of the others.
	 * There is such a row for each value of the remaining keys, or one row
	 * in all if they have more than limit / 2 values, or if this is NULL.
	 */
	const char *other;
	/* Rows with the same first key stay together when they are sorted. */
	bool grouped;
	/* Adds members that are no number of a column, or NULL. */
	void (*more)(const void *row, struct json_t *object);
};

#define REPORT_OTHER	"(other)"

/* The tables of a program's reports. */
struct report_tables {
	const struct report_table *table;
	size_t count;
};

/* The next column of a group after one, or after NULL; NULL at the end. */
const struct report_column *
report_column_next(const struct report_table *table, unsigned int group,
		   const struct report_column *column);

#define REPORT_FOR_EACH(column, table, group)				\
	for ((column) = report_column_next(table, group, NULL);		\
	     (column) != NULL;						\
	     (column) = report_column_next(table, group, column))

/* Returns the column of that name, or NULL. */
const struct report_column *report_column_find(const struct report_table *table,
					       const char *key);

/*
 * Returns the column that a list of names begins with, or NULL. "avg" is the
 * column avg_us, and is to be printed in the unit that suits the numbers.
 */
const struct report_column *report_column_named(const struct report_table *table,
						const char *list, bool *scales);

/*
 * The name of a column of which the table has no other one: "now_sessions" for
 * "sessions" in the object "now".
 */
const char *report_column_path(const struct report_table *table,
			       const struct report_column *column,
			       char path[REPORT_NAME]);

/* Returns the index of the table of that name, or -1. */
int report_table_find(const struct report_tables *tables, const char *name);

/* The number of a column as it is stored: nanoseconds; not for SLOTS. */
unsigned long long report_get(const struct report_column *column,
			      const void *row);
void report_set(const struct report_column *column, void *row,
		unsigned long long value);

/* The same as it is printed: microseconds; with decimals, without a point. */
unsigned long long report_value(const struct report_column *column,
				const void *row);

/* How many of these are 1: a power of 10. */
unsigned int report_scale(const struct report_column *column);

/* The unit of the slots in nanoseconds. */
static inline unsigned int report_slots_ns(const struct report_column *column)
{
	return column->slots_ns == 0 ? 1000 : column->slots_ns;
}

/* The number that a slot has counted. */
unsigned long long report_slot(const struct report_column *column,
			       const void *row, unsigned int slot);
void report_slot_add(const struct report_column *column, void *row,
		     unsigned int slot, unsigned long long count);

/* Adds the slots of a row to those of another. */
void report_slots_add(const struct report_column *column, void *into,
		      const void *from);

/* The slot that counts a value, and the least value that it counts. */
unsigned int report_slot_of(const struct report_column *column,
			    unsigned long long value);
unsigned long long report_slot_least(const struct report_column *column,
				     unsigned int slot);

/* Slots as powers of two: 0 and 1, 2 and 3, 4 to 7... */
enum { REPORT_POWERS = 32 };
void report_fold(const struct report_column *column, const void *row,
		 unsigned long long powers[REPORT_POWERS]);

/*
 * A percentile in the unit of the slots; part is 0.99 for p99. It is the middle
 * of a slot, but not less than the column of REPORT_LEAST nor more than that of
 * REPORT_MOST, if the table has them. That of one value, and one in the last
 * slot, which has no end, are the latter. 0 if nothing was counted.
 */
double report_quantile(const struct report_table *table, const void *row,
		       double part);

/* Whether a row has anything in the columns of a group. */
bool report_any(const struct report_table *table, unsigned int group,
		const void *row);

/* The number of a key; its text, or its name, or the number as text. */
unsigned long long report_key_number(const struct report_key *key,
				     const void *row);
const char *report_key_text(const struct report_key *key, const void *row,
			    char buffer[REPORT_NAME]);
void report_key_set(const struct report_key *key, void *row,
		    unsigned long long number);

/*
 * Joins the texts of keys that are not empty: "postgres:query". keys has a bit
 * for each.
 */
enum { REPORT_JOINED = 512 };
const char *report_join_keys(const struct report_table *table, const void *row,
			     unsigned int keys, char text[REPORT_JOINED]);

/*
 * Whether a word, of those until NULL, names keys of a row in their order:
 * "query", "postgres:query", "postgres:*", as fnmatch(3) does it. Rows without
 * keys fit, and all do if words is NULL or has none.
 */
bool report_fits(const struct report_table *table, const void *row,
		 char *const *words);

/* Cuts a text that does not fit, between two characters of UTF-8. */
void report_key_copy(const struct report_key *key, void *row,
		     const char *text);

/* Compare a key, or all keys, of two rows, as strcmp(). */
int report_compare_key(const struct report_key *key, const void *a,
		       const void *b);
int report_compare(const struct report_table *table, const void *a,
		   const void *b);

#define REPORT_TEXT(type, member, key_, doc_) {				\
	.key = key_, .doc = doc_, .offset = offsetof(type, member),	\
	.size = sizeof(((type *)NULL)->member) }

#define REPORT_PRIVATE(type, member, key_, private_) {			\
	.key = key_, .private = private_, .offset = offsetof(type, member), \
	.size = sizeof(((type *)NULL)->member) }

#define REPORT_NUMBER(type, member, group_, kind_, unit_, key_, title_,	\
		      width_, doc_) {					\
	.key = key_, .title = title_, .doc = doc_, .width = width_,	\
	.group = group_, .kind = REPORT_##kind_, .unit = REPORT_##unit_, \
	.offset = offsetof(type, member),				\
	.narrow = sizeof(((type *)NULL)->member) == sizeof(int) }

#endif /* REPORT_TABLE_H */
