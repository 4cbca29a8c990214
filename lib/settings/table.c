/* SPDX-License-Identifier: BSD-2-Clause */
/* table.c - sets options of a table, compares them, lists them for --help. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "values.h"

enum { MAX_CHOICES = 8 };

/* Returns the options of the command line that a table has. */
static const struct setting *rows_of(const struct settings *settings)
{
	static const struct setting none = { .name = NULL };

	return settings->section_size == 0 ? settings->rows : &none;
}

void *settings_part(const struct settings *settings, const void *options,
		    const struct setting *rows)
{
	for (; settings->rows != NULL; settings++) {
		if (settings->rows == rows)
			return (char *)options + settings->offset;
	}
	return NULL;
}

void settings_defaults(const struct settings *settings, void *options)
{
	const struct setting *row;
	unsigned int *number;

	for (; settings->rows != NULL; settings++) {
		for (row = rows_of(settings); row->name != NULL; row++) {
			number = (void *)((char *)options + settings->offset +
					  row->offset);
			if (row->kind == SETTING_NUMBER)
				*number = row->normal;
		}
	}
}

size_t settings_list(const struct settings *settings, struct option *list)
{
	const struct setting *row;
	size_t count = 0;

	for (; settings->rows != NULL; settings++) {
		for (row = rows_of(settings); row->name != NULL; row++) {
			list[count] = (struct option){
				.name = row->name,
				.has_arg = row->kind == SETTING_FLAG ?
					no_argument : required_argument,
				.val = row->letter != 0 ? row->letter :
					SETTINGS_FIRST + (int)count,
			};
			count++;
		}
	}
	return count;
}

/* Likewise; sets the table that has it. */
static const struct setting *find(const struct settings *settings, int option,
				  const struct settings **of)
{
	const struct setting *row;
	int number = SETTINGS_FIRST;

	for (; settings->rows != NULL; settings++) {
		*of = settings;
		for (row = rows_of(settings); row->name != NULL; row++) {
			if (number++ == option || row->letter == option)
				return row;
		}
	}
	return NULL;
}

const struct setting *settings_find(const struct settings *settings,
				    int option)
{
	const struct settings *of;

	return find(settings, option, &of);
}

static void set_text(const struct setting *row, const void *context,
		     const char *what, const char **text, const char *value)
{
	const char *use = row->check == NULL ? NULL :
		row->check(context, value);
	char word[VALUES_WORD];

	if (use == NULL && *value == '\0')
		use = strcmp(row->argument, "FILE") == 0 ?
			"use the name of a file" : "it is empty";
	if (use != NULL)
		values_refuse("invalid value '%s' for %s: %s",
			      values_word(value, word), values_name(what), use);
	*text = value;
}

static void add_text(const struct setting *row, const void *context,
		     const char *what, struct texts *texts, const char *value)
{
	if (texts->count == (int)row->most)
		values_refuse("%s: at most %u %scan be given",
			      values_name(what), row->most,
			      row->kind == SETTING_NAMES ? "names " : "");
	set_text(row, context, what, &texts->items[texts->count], value);
	texts->count++;
}

/* The copy is not freed: the texts point into it. */
static void add_names(const struct setting *row, const void *context,
		      const char *what, struct texts *texts, const char *value)
{
	char *rest = value_copy(value);
	char *name;

	while ((name = value_next_name(what, &rest)) != NULL)
		add_text(row, context, what, texts, name);
}

static unsigned int choose(const struct setting *row, const char *what,
			   const char *value)
{
	const char *list[MAX_CHOICES];
	char *copy = value_copy(row->argument);
	unsigned int count = 0;
	char *rest = copy;
	unsigned int i;

	while (count < MAX_CHOICES && rest != NULL)
		list[count++] = strsep(&rest, "|");
	i = value_choice(what, value, list, count);
	free(copy);
	return i + 1;
}

static unsigned int bits_of(const struct setting *row, const char *what,
			    const char *value)
{
	char *names = value_copy(value);
	unsigned int bits = 0;
	char *rest = names;
	char *name;

	while ((name = value_next_name(what, &rest)) != NULL)
		bits |= 1U << (row->bit != NULL ? row->bit(what, name) :
			       choose(row, what, name) - 1);
	free(names);
	return bits;
}

/* For a message; only sizes have a unit. */
static const char *unit_of(const struct setting *row)
{
	return strcmp(row->argument, "MIB") == 0 ? "of MiB" : "";
}

static void set(const struct setting *row, const void *context, void *to,
		const char *value)
{
	char what[64];

	if (row->letter != 0)
		snprintf(what, sizeof(what), "-%c", row->letter);
	else
		snprintf(what, sizeof(what), "--%s", row->name);
	switch (row->kind) {
	case SETTING_FLAG:
		*(bool *)to = true;
		return;
	case SETTING_TEXT:
		set_text(row, context, what, to, value);
		return;
	case SETTING_LIST:
		add_text(row, context, what, to, value);
		return;
	case SETTING_NAMES:
		add_names(row, context, what, to, value);
		return;
	case SETTING_SECONDS:
		*(unsigned long long *)to = value_seconds(what, value);
		return;
	case SETTING_MILLISECONDS:
		*(double *)to = value_milliseconds(what, value);
		return;
	case SETTING_NUMBER:
		*(unsigned int *)to = value_amount(what, value, unit_of(row),
						   row->least, row->most);
		return;
	case SETTING_CHOICE:
		*(unsigned int *)to = choose(row, what, value);
		return;
	case SETTING_BITS:
		*(unsigned int *)to |= bits_of(row, what, value);
		return;
	}
}

bool settings_set(const struct settings *settings, int option, void *options,
		  const char *value)
{
	const struct settings *of;
	const struct setting *row;

	row = find(settings, option, &of);
	if (row == NULL)
		return false;
	set(row, of->context, (char *)options + of->offset + row->offset,
	    value);
	return true;
}

static size_t size_of(const struct setting *row)
{
	static const size_t sizes[] = {
		[SETTING_FLAG] = sizeof(bool),
		[SETTING_TEXT] = sizeof(const char *),
		[SETTING_LIST] = sizeof(struct texts),
		[SETTING_NAMES] = sizeof(struct texts),
		[SETTING_NUMBER] = sizeof(unsigned int),
		[SETTING_SECONDS] = sizeof(unsigned long long),
		[SETTING_MILLISECONDS] = sizeof(double),
		[SETTING_CHOICE] = sizeof(unsigned int),
		[SETTING_BITS] = sizeof(unsigned int),
	};

	return sizes[row->kind];
}

void settings_copy(const struct settings *settings, void *to,
		   const void *from)
{
	const struct setting *row;
	size_t offset;

	for (; settings->rows != NULL; settings++) {
		for (row = rows_of(settings); row->name != NULL; row++) {
			offset = settings->offset + row->offset;
			memcpy((char *)to + offset,
			       (const char *)from + offset, size_of(row));
		}
		if (settings->section_size != 0)
			memcpy((char *)to + settings->offset,
			       (const char *)from + settings->offset,
			       sizeof(struct sections));
	}
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct setting *row, const void *a, const void *b)
{
	const struct texts *x = a;
	const struct texts *y = b;
	int i;

	if (row->kind == SETTING_TEXT)
		return is_same_text(*(const char *const *)a,
				    *(const char *const *)b);
	if (row->kind != SETTING_LIST && row->kind != SETTING_NAMES)
		return memcmp(a, b, size_of(row)) == 0;
	for (i = 0; i < x->count && i < y->count; i++) {
		if (strcmp(x->items[i], y->items[i]) != 0)
			return false;
	}
	return x->count == y->count;
}

static bool table_differs(const struct setting *row, const void *a,
			  const void *b)
{
	for (; row->name != NULL; row++) {
		if (!is_same(row, (const char *)a + row->offset,
			     (const char *)b + row->offset))
			return true;
	}
	return false;
}

/* Returns the name of a section, and with it the section. */
static const char **section_at(const struct settings *of,
			       const struct sections *sections, size_t i)
{
	return (void *)((char *)sections->items + i * of->section_size);
}

/* In another order they are the same. */
static bool sections_differ(const struct settings *of,
			    const struct sections *a, const struct sections *b)
{
	const char **x, **y;
	size_t i, j;

	for (i = 0; i < a->count; i++) {
		x = section_at(of, a, i);
		for (j = 0, y = NULL; j < b->count; j++) {
			y = section_at(of, b, j);
			if (strcmp(*x, *y) == 0)
				break;
		}
		if (j == b->count || table_differs(of->rows, x, y))
			return true;
	}
	return a->count != b->count;
}

static bool part_differs(const struct settings *of, const void *a,
			 const void *b)
{
	a = (const char *)a + of->offset;
	b = (const char *)b + of->offset;
	return of->section_size != 0 ? sections_differ(of, a, b) :
	       table_differs(of->rows, a, b);
}

bool settings_differ(const struct settings *settings, const void *a,
		     const void *b, const char *heading)
{
	bool below = heading == NULL;

	for (; settings->rows != NULL; settings++) {
		if (heading != NULL && settings->heading != NULL)
			below = strcmp(settings->heading, heading) == 0;
		if (below && part_differs(settings, a, b))
			return true;
	}
	return false;
}

enum { DOC_COLUMN = 24, WIDTH = 80 };

/* Prints the words of a text from a column on; returns the next column. */
static int print_words(FILE *out, int column, const char *text)
{
	size_t length;

	while (*text != '\0') {
		length = strcspn(text, " ");
		if (column > DOC_COLUMN && column + (int)length + 1 > WIDTH) {
			fprintf(out, "\n%*s", DOC_COLUMN, "");
			column = DOC_COLUMN;
		} else if (column > DOC_COLUMN) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)length, text);
		column += (int)length;
		text += length + strspn(text + length, " ");
	}
	return column;
}

/* A line of a section is "slow = MS". */
static int print_name(FILE *out, const struct setting *row, bool of_section)
{
	if (of_section)
		return fprintf(out, "      %s = %s", row->name,
			       row->argument != NULL ? row->argument : "yes");
	return fprintf(out, row->letter != 0 ? "  -%c, --%s%s%s" :
		       "    %c --%s%s%s", row->letter != 0 ? row->letter : ' ',
		       row->name, row->argument != NULL ? "=" : "",
		       row->argument != NULL ? row->argument : "");
}

static void print_row(FILE *out, const struct setting *row, bool of_section)
{
	int column = print_name(out, row, of_section);

	if (column > DOC_COLUMN - 2) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", DOC_COLUMN - column, "");
	column = print_words(out, DOC_COLUMN, row->doc);
	if (row->kind == SETTING_NUMBER && row->normal != 0) {
		char normal[32];

		snprintf(normal, sizeof(normal), "(%u)", row->normal);
		print_words(out, column, normal);
	}
	fputc('\n', out);
}

void settings_help(const struct settings *settings, FILE *out)
{
	const struct setting *row;

	for (; settings->rows != NULL; settings++) {
		if (settings->heading != NULL)
			fprintf(out, "%s\n", settings->heading);
		for (row = settings->rows; row->name != NULL; row++)
			print_row(out, row, settings->section_size != 0);
	}
}
