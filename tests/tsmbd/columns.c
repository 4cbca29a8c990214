/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * columns.c - prints the lines of tsmbd's columns.def, with a tab between the
 * fields: group, key, title, unit, doc. "(none)" stands for a missing field.
 */
#include <stdio.h>

static void print_field(const char *text, char end)
{
	printf("%s%c", text != NULL ? text : "(none)", end);
}

static void print_column(const char *group, const char *key, const char *title,
			 const char *unit, const char *doc)
{
	print_field(group, '\t');
	print_field(key, '\t');
	print_field(title, '\t');
	print_field(unit, '\t');
	print_field(doc, '\n');
}

#define COLUMN(group, key, title, width, unit, value, doc)		\
	print_column(#group, #key, title, #unit, doc);
#define TITLE(group, name, title, width, unit, value)			\
	print_column(#group, NULL, title, #unit, NULL);

int main(void)
{
#include "columns.def"
	return 0;
}
