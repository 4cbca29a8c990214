/* SPDX-License-Identifier: BSD-2-Clause */
/* fields.c - the fields of lists, out of the tables that they are about. */
#include <string.h>

#include "base/when.h"
#include "fields.h"
#include "write.h"

static const struct page_list *lists;
static struct page_field fields[PAGE_LISTS][PAGE_FIELDS + 1];

static bool is(const char *key, const char *name)
{
	return key != NULL && strcmp(key, name) == 0;
}

static enum page_how how_of(const struct page_field *field)
{
	if (is("end_ms", field->name))
		return PAGE_IS_END;
	if (field->column != NULL)
		return field->column->kind == REPORT_SLOTS ? PAGE_IS_SLOTS :
		       field->column->kind == REPORT_MOST ? PAGE_IS_MOST :
							    PAGE_IS_SUM;
	if (field->key == NULL || field->key->size > 0)
		return PAGE_IS_NAME;
	return is(field->key->key, field->name) ? PAGE_IS_KEY : PAGE_IS_NAMED;
}

static void find(struct page_field *field, const struct report_table *table,
		 const char *name)
{
	size_t i;

	field->name = name;
	for (i = 0; i < table->num_keys; i++) {
		if (is(table->keys[i].key, name) ||
		    is(table->keys[i].name_key, name))
			field->key = &table->keys[i];
	}
	if (field->key == NULL)
		field->column = report_column_find(table, name);
	field->how = how_of(field);
	field->if_any = field->column != NULL &&
		table->groups[field->column->group].if_any;
}

void fields_open(const struct report_tables *tables, const struct page_list *of)
{
	size_t i, k;

	for (i = 0, lists = of; lists[i].key != NULL; i++) {
		for (k = 0; k < PAGE_FIELDS && lists[i].fields[k] != NULL; k++)
			find(&fields[i][k], &tables->table[lists[i].table],
			     lists[i].fields[k]);
	}
}

const struct page_field *fields_of(size_t list)
{
	return fields[list];
}

int fields_find(size_t list, const char *name)
{
	int i;

	for (i = 0; fields[list][i].name != NULL; i++) {
		if (is(name, fields[list][i].name))
			return i;
	}
	return -1;
}

/* Times in microseconds; unlike those of sums, those of events are cut. */
static unsigned long long value_of(size_t list, const struct page_field *field,
				   unsigned long long value)
{
	if (field->how == PAGE_IS_END)
		return (unsigned long long)when_epoch_ms(value);
	if (field->column == NULL || field->column->unit != REPORT_NS)
		return value;
	return (value + (lists[list].events ? 0 : 500)) / 1000;
}

void fields_write(FILE *file, size_t list, const struct page_row *row)
{
	const struct page_field *field = fields[list];
	const unsigned long long *value = row->values;
	char buffer[REPORT_NAME];

	putc_unlocked('[', file);
	for (; field->name != NULL; field++, value++) {
		if (field->if_any && *value == 0)
			continue;
		fputs(field > fields[list] ? "," : "", file);
		if (field->how == PAGE_IS_SLOTS)
			write_slots(file, row->slots);
		else if (field->how == PAGE_IS_NAMED)
			write_string(file, field->key->name(*value, buffer));
		else
			write_number(file, value_of(list, field, *value));
	}
	putc_unlocked(']', file);
}
