/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The condition of --when.
 *
 *	when     = term { "and" term } { "for" duration | "again" duration }
 *	term     = value compare number [ unit ]
 *	value    = word [ "(" ( subject | "*" ) ")" ]
 *	compare  = ">" | ">=" | "<" | "<="
 *	unit     = "us" | "ms" | "s" | "%"
 *		 | [ "KiB" | "MiB" | "GiB" ] [ "/s" ]
 *	duration = number ( "s" | "m" | "h" )
 *
 *	p99(CREATE) > 50ms and count(CREATE) >= 20 for 10s again 10m
 *	p99(postgres:query) > 50ms
 *
 * The words and subjects are the program's: see measures.h.
 */
#ifndef INCIDENT_CONDITION_H
#define INCIDENT_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

#include "measures.h"

enum {
	CONDITION_TERMS = 4,
	CONDITION_TEXT = 200,		/* bytes of the longest one */
	CONDITION_MESSAGE = 1024,
	CONDITION_LABEL = 128,
};

enum condition_compare { COMPARE_MORE, COMPARE_MORE_OR_SAME, COMPARE_LESS,
	COMPARE_LESS_OR_SAME };

struct term {
	const struct measure *measure;
	enum measure_kind kind;		/* FAILURES become NUMBER or PERCENT */
	char subject[REPORT_NAME];	/* "CREATE", "*", or "" */
	enum condition_compare compare;
	double limit;
};

struct condition {
	const struct measures *measures;
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
bool condition_parse(const struct measures *measures, const char *text,
		     struct condition *condition,
		     char message[CONDITION_MESSAGE]);

/* "p99(CREATE)", or "connections" */
const char *condition_name(const struct term *term,
			   char text[CONDITION_LABEL]);

/* The same as a part of a file name: "p99-CREATE", "p99-postgres-query". */
const char *condition_label(const struct term *term,
			    char text[CONDITION_LABEL]);

/* A value of the term with its unit: "81.2 ms". */
const char *condition_value(const struct term *term, double value,
			    char text[CONDITION_LABEL]);

/*
 * Returns that of two values which is further from what is wanted; NAN is none.
 */
double condition_worse(const struct term *term, double a, double b);

#endif /* INCIDENT_CONDITION_H */
