/* SPDX-License-Identifier: BSD-2-Clause */
/* measures.c - finds the names of what a condition can compare. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "measures.h"
#include "similar.h"

/* Names that numbers have: others are not offered. */
enum { MOST_NAMES = 1024 };

const struct measure *measure_find(const struct measures *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->count; i++) {
		if (strcmp(name, m->list[i].name) == 0)
			return &m->list[i];
	}
	return NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

const struct report_column *measure_next(const struct measures *m,
					 const struct measure *measure,
					 const struct report_column *column)
{
	const struct report_table *table = measure_table(m, measure);

	column = column == NULL ? table->columns : column + 1;
	for (; column < table->columns + table->num_columns; column++) {
		if (column->key != NULL &&
		    is_same(table->groups[column->group].object,
			    measure->object))
			return column;
	}
	return NULL;
}

static bool has_column(const struct measures *m, const struct measure *measure,
		       const char *key)
{
	const struct report_column *column = NULL;

	do
		column = measure_next(m, measure, column);
	while (column != NULL && strcmp(column->key, key) != 0);
	return column != NULL;
}

/* The name of a key without the prefix. */
static const char *name_of(const struct measure *measure, const char *name)
{
	const char *prefix = measure->subject->prefix;

	if (prefix != NULL && strncmp(name, prefix, strlen(prefix)) == 0)
		name += strlen(prefix);
	return name;
}

const char *measure_name(const struct measures *m,
			 const struct measure *measure, const void *row,
			 char buffer[REPORT_NAME])
{
	const struct report_key *key = measure_table(m, measure)->keys;

	return name_of(measure, report_key_text(key, row, buffer));
}

enum measure_match measure_matches(const struct measures *m,
				   const struct measure *measure,
				   const char *name, const void *row)
{
	const struct report_key *key = measure_table(m, measure)->keys;
	const struct report_key *last = key + measure->subject->keys - 1;
	const char *text = report_key_text(last, row, NULL);
	size_t length;

	for (; key < last; key++) {
		length = strlen(report_key_text(key, row, NULL));
		if (strncmp(name, report_key_text(key, row, NULL), length) ==
		    0 && name[length] == ':' &&
		    strcmp(name + length + 1, text) == 0)
			return MEASURE_EXACT;
	}
	return strcmp(name, text) == 0 ? MEASURE_LAST : MEASURE_NONE;
}

bool measure_read(const struct measures *m, const struct measure *measure,
		  const char *name, char subject[REPORT_NAME])
{
	const struct report_key *key = measure_table(m, measure)->keys;
	char buffer[REPORT_NAME];
	unsigned long long number;

	if (strlen(name) >= REPORT_NAME)
		return false;
	strcpy(subject, name);
	if (measure_of_columns(measure))
		return has_column(m, measure, name);
	if (key->size > 0)
		return *name != '\0';
	if (key->parse == NULL || !key->parse(name, &number))
		return false;
	strcpy(subject, name_of(measure, key->name(number, buffer)));
	return true;
}

struct guess {
	const char *name;		/* what is looked for */
	char upper[REPORT_NAME];	/* the same in capitals */
	char *best;
	unsigned int percent;
};

static void consider(struct guess *guess, const char *candidate)
{
	unsigned int as_is = sdtkit_similar_names(guess->name, candidate);
	unsigned int upper = sdtkit_similar_names(guess->upper, candidate);
	unsigned int percent = as_is > upper ? as_is : upper;

	if (percent < SIMILAR_ENOUGH || percent <= guess->percent)
		return;
	guess->percent = percent;
	snprintf(guess->best, REPORT_NAME, "%s", candidate);
}

static void consider_subjects(struct guess *guess, const struct measures *m,
			      const struct measure *measure)
{
	const struct report_key *key = measure_table(m, measure)->keys;
	const struct report_column *column = NULL;
	char buffer[REPORT_NAME];
	unsigned long long number;

	if (measure_of_columns(measure)) {
		while ((column = measure_next(m, measure, column)) != NULL)
			consider(guess, column->key);
		return;
	}
	for (number = 0; key->name != NULL && number < key->most &&
	     number < MOST_NAMES; number++)
		consider(guess, name_of(measure, key->name(number, buffer)));
}

const char *measure_guess(const struct measures *m,
			  const struct measure *measure, const char *name,
			  char best[REPORT_NAME])
{
	struct guess guess = { .name = name, .best = best };
	size_t i;

	for (i = 0; name[i] != '\0' && i < REPORT_NAME - 1; i++)
		guess.upper[i] = (char)toupper((unsigned char)name[i]);
	if (measure != NULL)
		consider_subjects(&guess, m, measure);
	for (i = 0; i < m->count && measure == NULL; i++)
		consider(&guess, m->list[i].name);
	return guess.percent > 0 ? best : NULL;
}
