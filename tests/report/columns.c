/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * columns.c - prints the lines of a tables.def, with a tab between the fields:
 * group, key, title, unit, doc. "(none)" stands for a missing field. A
 * table with one group has its own name as the group.
 */
#include <stdio.h>
#include <string.h>

static const char *table;

static void print_field(const char *text, char end)
{
	printf("%s%c", text != NULL ? text : "(none)", end);
}

static void print_column(const char *group, const char *key, const char *title,
			 const char *unit, const char *doc)
{
	print_field(strcmp(group, "0") == 0 ? table : group, '\t');
	print_field(key, '\t');
	print_field(title, '\t');
	print_field(unit, '\t');
	print_field(doc, '\n');
}

#define TABLE(name)	table = #name;
#define END
#define COLUMN(group, key, title, width, kind, unit, member, doc)	\
	print_column(#group, key, title, #unit, doc);
#define POPULATION(group, key, title, width, member, gauge, doc)	\
	print_column(#group, key, title, "COUNT", doc);
#define DERIVED(group, name, key, title, width, unit, value, doc)	\
	print_column(#group, key, title, #unit, doc);
#define SLOTS(group, key, folded, member, count, eighths, doc)

int main(void)
{
#include "tables.def"
	return 0;
}
