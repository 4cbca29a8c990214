/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a condition can compare, described as data of the program:
 *
 *	static const struct measure_subject commands = {
 *		.noun = "command", .example = "GET",
 *	};
 *	static const struct measure list[] = {
 *		{ "p99", &commands, MEASURE_TIME, MEASURE_PERCENTILE, COMMANDS,
 *		  .column = "slots", .of = "count", .part = 0.99 },
 *		{ "rate", &commands, MEASURE_RATE, MEASURE_SUM, COMMANDS,
 *		  .column = "count" },
 *		...
 */
#ifndef INCIDENT_MEASURES_H
#define INCIDENT_MEASURES_H

#include "report/table.h"

/* The unit in which a value is compared. */
enum measure_kind {
	MEASURE_TIME,			/* nanoseconds */
	MEASURE_NUMBER,
	MEASURE_FAILURES,		/* a number, or a part in percent */
	MEASURE_RATE,			/* in a second */
	MEASURE_BYTES,			/* in a second */
	MEASURE_PERCENT,
};

/* The first three are about one request: those that took longer have a line. */
enum measure_how {
	MEASURE_PERCENTILE,		/* of the column, which has slots */
	MEASURE_MOST,
	MEASURE_MEAN,			/* the column divided by that of "of" */
	MEASURE_SUM,			/* the column itself */
};

/*
 * What a condition names in brackets: the first key of a row, or a column. With
 * several keys, "query" is the last one of them, and "postgres:query" is any
 * other one and the last one. All rows that match are added up, but if those of
 * "query" differ in the keys before it, each is one, and the worst one counts.
 */
struct measure_subject {
	unsigned int keys;		/* how many, if they are several */
	const char *noun;		/* "command" */
	const char *example;		/* "CREATE" */
	const char *use;		/* "names of SMB2", for a message */
	const char *prefix;		/* left out of names; NULL: nothing */
	const char *apart;		/* not in the times of "*"; or NULL */
};

struct measure {
	const char *name;
	const struct measure_subject *subject;	/* NULL: the whole server */
	enum measure_kind kind;
	enum measure_how how;
	size_t table;
	const char *object;	/* in JSON, which has the column; or NULL */
	const char *column;	/* NULL: the one that is the subject, or all */
	const char *minus;	/* the column that is subtracted, or NULL */
	/*
	 * The column of which it is a part or the mean. If that is 0, there is
	 * no time or part.
	 */
	const char *of;
	double part;		/* MEASURE_PERCENTILE: 0.99 for p99 */
};

struct measures {
	const char *manual;		/* that has the list */
	const struct report_tables *tables;
	const struct measure *list;
	size_t count;
	const char *examples;	/* "p99(CREATE), connections", for a message */
	const char *noun;	/* "requests": what has failures */
	const char *under_way;	/* the measure of those without a result */
};

/* Returns the measure of that name, or NULL. */
const struct measure *measure_find(const struct measures *measures,
				   const char *name);

static inline const struct report_table *
measure_table(const struct measures *measures, const struct measure *measure)
{
	return &measures->tables->table[measure->table];
}

/* Whether its subject is a column. */
static inline bool measure_of_columns(const struct measure *measure)
{
	return measure->subject != NULL && measure->column == NULL;
}

/*
 * Returns the column after the given one, or the first one for NULL, that is in
 * the object of JSON that the measure names. Returns NULL if there is none.
 */
const struct report_column *measure_next(const struct measures *measures,
					 const struct measure *measure,
					 const struct report_column *column);

static inline bool measure_of_keys(const struct measure *measure)
{
	return measure->subject != NULL && measure->subject->keys > 1;
}

/* Whether a name of several keys is that of a row. */
enum measure_match {
	MEASURE_NONE,
	MEASURE_LAST,			/* by its last key alone */
	MEASURE_EXACT,
};
enum measure_match measure_matches(const struct measures *measures,
				   const struct measure *measure,
				   const char *name, const void *row);

/* The name of a row as conditions have it: without the prefix. */
const char *measure_name(const struct measures *measures,
			 const struct measure *measure, const void *row,
			 char buffer[REPORT_NAME]);

/*
 * Sets the subject of that name, which may be written in other ways; returns
 * false if there is none.
 */
bool measure_read(const struct measures *measures,
		  const struct measure *measure, const char *name,
		  char subject[REPORT_NAME]);

/*
 * Returns the name that is most similar, that of a subject or of a measure if
 * that is NULL; or NULL.
 */
const char *measure_guess(const struct measures *measures,
			  const struct measure *measure, const char *name,
			  char best[REPORT_NAME]);

#endif /* INCIDENT_MEASURES_H */
