/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The condition of --when.
 *
 *	when     = term { "and" term } { "for" duration | "again" duration }
 *	term     = value compare number [ unit ]
 *	value    = function "(" ( command | "*" ) ")" | "share" "(" phase ")"
 *		 | gauge
 *	function = "p50" | "p95" | "p99" | "p999" | "max" | "avg" | "rate"
 *		 | "count" | "errors" | "bytes_in" | "bytes_out"
 *		 | "oplock_wait" | "ctdb_wait"
 *	phase    = "wait" | "receive" | "parse" | "run" | "send" | "ctdb"
 *		 | "other"
 *	gauge    = "connections" | "sessions" | "open_files" | "under_way"
 *		 | "lost"
 *	compare  = ">" | ">=" | "<" | "<="
 *	unit     = "us" | "ms" | "s" | "%"
 *		 | [ "KiB" | "MiB" | "GiB" ] [ "/s" ]
 *	duration = number ( "s" | "m" | "h" )
 *
 *	p99(CREATE) > 50ms and count(CREATE) >= 20 for 10s again 10m
 *
 * A command may have any of the names that --command takes.
 */
#ifndef TSMBD_INCIDENT_CONDITION_H
#define TSMBD_INCIDENT_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CONDITION_TERMS = 4,
	CONDITION_TEXT = 200,		/* bytes of the longest one */
	CONDITION_MESSAGE = 1024,
	CONDITION_LABEL = 64,
	CONDITION_ALL = -1,		/* the subject "*" */
};

/* What a value is compared in. */
enum condition_kind {
	CONDITION_TIME,			/* nanoseconds */
	CONDITION_NUMBER,
	CONDITION_FAILURES,		/* a number, or a part in percent */
	CONDITION_RATE,			/* in a second */
	CONDITION_BYTES,		/* in a second */
	CONDITION_PERCENT,
};

/* In the order of the table of condition.c. */
enum condition_measure {
	MEASURE_P50, MEASURE_P95, MEASURE_P99, MEASURE_P999, MEASURE_MAX,
	MEASURE_AVG, MEASURE_RATE, MEASURE_COUNT, MEASURE_ERRORS,
	MEASURE_BYTES_IN, MEASURE_BYTES_OUT, MEASURE_OPLOCK_WAIT,
	MEASURE_CTDB_WAIT, MEASURE_SHARE, MEASURE_CONNECTIONS,
	MEASURE_SESSIONS, MEASURE_OPEN_FILES, MEASURE_UNDER_WAY, MEASURE_LOST,
	MEASURE_END,
};

enum condition_compare { COMPARE_MORE, COMPARE_MORE_OR_SAME, COMPARE_LESS,
	COMPARE_LESS_OR_SAME };

struct term {
	enum condition_measure measure;
	enum condition_kind kind;	/* FAILURES become NUMBER or PERCENT */
	int subject;			/* an opcode, enum tsmbd_phase, or ALL */
	enum condition_compare compare;
	double limit;
};

struct condition {
	char text[CONDITION_TEXT + 1];	/* without "again" and its time */
	struct term terms[CONDITION_TERMS];
	int num_terms;
	unsigned long long for_ns;
	unsigned long long again_ns;
};

/*
 * Reads a condition. If it is wrong, returns false and writes what is wrong,
 * and below that the text with a mark at the place.
 */
bool condition_parse(const char *text, struct condition *condition,
		     char message[CONDITION_MESSAGE]);

/* "p99(CREATE)", or "connections" */
const char *condition_name(const struct term *term,
			   char text[CONDITION_LABEL]);

/* The same as a part of a file name: "p99-CREATE". */
const char *condition_label(const struct term *term,
			    char text[CONDITION_LABEL]);

/* A value of the term with its unit: "81.2 ms". */
const char *condition_value(const struct term *term, double value,
			    char text[CONDITION_LABEL]);

/*
 * Returns that of two values which is further from what is wanted; NAN is none.
 */
double condition_worse(const struct term *term, double a, double b);

#endif /* TSMBD_INCIDENT_CONDITION_H */
