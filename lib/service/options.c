/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - sets the options of options.def, and lists them for --help. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "settings/values.h"
#include "checks.h"
#include "options.h"

enum kind { HEAD, IS_FLAG, IS_TEXT, IS_LIST, IS_NUMBER, IS_CHOICE };

struct row {
	enum kind kind;
	int option;			/* of getopt_long() */
	size_t offset;			/* of the member */
	const char *name;		/* or the heading */
	const char *argument;		/* or the choices: "hash|omit" */
	const char *(*check)(const char *value);
	unsigned int normal, least, most;
	const char *doc;
};

static const struct row rows[] = {
#define ALSO(member)							\
	SERVE_ ## member, offsetof(struct serve_options, member)
#define HEADING(text)	{ .kind = HEAD, .name = text },
#define FLAG(member, option, text)					\
	{ IS_FLAG, ALSO(member), option, NULL, NULL, 0, 0, 0, text },
#define TEXT(member, option, argument, check, text)			\
	{ IS_TEXT, ALSO(member), option, argument, check, 0, 0, 0, text },
#define LIST(member, option, argument, check, text)			\
	{ IS_LIST, ALSO(member), option, argument, check, 0, 0, 0, text },
#define NUMBER(member, option, argument, normal, least, most, text)	\
	{ IS_NUMBER, ALSO(member), option, argument, NULL, normal, least,	\
	  most, text },
#define CHOICE(member, option, choices, text)				\
	{ IS_CHOICE, ALSO(member), option, choices, NULL, 0, 0, 0, text },
#include "options.def"
};

enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]), MAX_CHOICES = 8 };

static void *member(struct serve_options *options, const struct row *row)
{
	return (char *)options + row->offset;
}

void serve_options_defaults(struct serve_options *options)
{
	unsigned int *number;
	int i;

	*options = (struct serve_options){ 0 };
	for (i = 0; i < NUM_ROWS; i++) {
		if (rows[i].kind != IS_NUMBER)
			continue;
		number = member(options, &rows[i]);
		*number = rows[i].normal;
	}
}

void serve_options_list(struct option *list)
{
	int i;

	for (i = 0; i < NUM_ROWS; i++) {
		if (rows[i].kind == HEAD)
			continue;
		*list++ = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].kind == IS_FLAG ?
				no_argument : required_argument,
			.val = rows[i].option,
		};
	}
}

static void set_text(const struct row *row, const char *what,
		     const char **text, const char *value)
{
	const char *use = row->check == NULL ? NULL : row->check(value);
	char word[VALUES_WORD];

	if (use == NULL && *value == '\0')
		use = "it is empty";
	if (use != NULL)
		values_refuse("invalid value '%s' for %s: %s",
			      values_word(value, word), values_name(what), use);
	*text = value;
}

static void add_text(const struct row *row, const char *what,
		     struct texts *texts, const char *value)
{
	if (texts->count == SERVE_MAX_TEXTS)
		values_refuse("%s: at most %d can be given", values_name(what),
			      SERVE_MAX_TEXTS);
	set_text(row, what, &texts->items[texts->count], value);
	texts->count++;
}

static unsigned int choose(const struct row *row, const char *what,
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

/* For a message; only sizes have a unit. */
static const char *unit_of(const struct row *row)
{
	return strcmp(row->argument, "MIB") == 0 ? "of MiB" : "";
}

bool serve_options_repeat(int option)
{
	const struct row *row;

	for (row = rows; row < rows + NUM_ROWS; row++) {
		if (row->kind != HEAD && row->option == option)
			return row->kind == IS_LIST;
	}
	return false;
}

void serve_options_set(struct serve_options *options, int option,
		       const char *value)
{
	const struct row *row = rows;
	char what[64];
	void *to;

	while (row->option != option)
		row++;
	to = member(options, row);
	snprintf(what, sizeof(what), "--%s", row->name);
	switch (row->kind) {
	case HEAD:
		return;
	case IS_FLAG:
		*(bool *)to = true;
		return;
	case IS_TEXT:
		set_text(row, what, to, value);
		return;
	case IS_LIST:
		add_text(row, what, to, value);
		return;
	case IS_NUMBER:
		*(unsigned int *)to = value_amount(what, value, unit_of(row),
						   row->least, row->most);
		return;
	case IS_CHOICE:
		*(unsigned int *)to = choose(row, what, value);
		return;
	}
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct row *row, const void *a, const void *b)
{
	const struct texts *x = a;
	const struct texts *y = b;
	int i;

	switch (row->kind) {
	case HEAD:
		return true;
	case IS_FLAG:
		return *(const bool *)a == *(const bool *)b;
	case IS_TEXT:
		return is_same_text(*(const char *const *)a,
				    *(const char *const *)b);
	case IS_NUMBER:
	case IS_CHOICE:
		return *(const unsigned int *)a == *(const unsigned int *)b;
	case IS_LIST:
		break;
	}
	for (i = 0; i < x->count && i < y->count; i++) {
		if (strcmp(x->items[i], y->items[i]) != 0)
			return false;
	}
	return x->count == y->count;
}

bool serve_options_differ(const struct serve_options *a,
			  const struct serve_options *b, const char *heading)
{
	bool below = heading == NULL;
	const struct row *row;

	for (row = rows; row < rows + NUM_ROWS; row++) {
		if (row->kind == HEAD && heading != NULL)
			below = strcmp(row->name, heading) == 0;
		if (below && !is_same(row, (const char *)a + row->offset,
				      (const char *)b + row->offset))
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

static void print_row(FILE *out, const struct row *row)
{
	int column;

	column = fprintf(out, "      --%s%s%s", row->name,
			 row->argument != NULL ? "=" : "",
			 row->argument != NULL ? row->argument : "");
	if (column > DOC_COLUMN - 2) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", DOC_COLUMN - column, "");
	column = print_words(out, DOC_COLUMN, row->doc);
	if (row->kind == IS_NUMBER) {
		char normal[32];

		snprintf(normal, sizeof(normal), "(%u)", row->normal);
		print_words(out, column, normal);
	}
	fputc('\n', out);
}

void serve_options_help(FILE *out)
{
	int i;

	for (i = 0; i < NUM_ROWS; i++) {
		if (rows[i].kind == HEAD)
			fprintf(out, "%s\n", rows[i].name);
		else
			print_row(out, &rows[i]);
	}
}
