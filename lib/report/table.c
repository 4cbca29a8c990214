/* SPDX-License-Identifier: BSD-2-Clause */
/* table.c - reads and writes the numbers and keys of a row, as described. */
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "report/table.h"
#include "slots/slots.h"

const struct report_column *
report_column_next(const struct report_table *table, unsigned int group,
		   const struct report_column *column)
{
	column = column == NULL ? table->columns : column + 1;
	for (; column < table->columns + table->num_columns; column++) {
		if (column->group == group)
			return column;
	}
	return NULL;
}

const struct report_column *report_column_find(const struct report_table *table,
					       const char *key)
{
	size_t i;

	for (i = 0; i < table->num_columns; i++) {
		const struct report_column *column = &table->columns[i];

		if (column->key != NULL && strcmp(column->key, key) == 0)
			return column;
	}
	return NULL;
}

const struct report_column *report_column_named(const struct report_table *table,
						const char *list, bool *scales)
{
	int length = (int)strcspn(list, ",");
	const struct report_column *column;
	char key[REPORT_NAME];

	snprintf(key, sizeof(key), "%.*s", length, list);
	column = report_column_find(table, key);
	*scales = column == NULL;
	if (column != NULL)
		return column;
	snprintf(key, sizeof(key), "%.*s_us", length, list);
	return report_column_find(table, key);
}

const char *report_column_path(const struct report_table *table,
			       const struct report_column *column,
			       char path[REPORT_NAME])
{
	const char *object = table->groups[column->group].object;

	snprintf(path, REPORT_NAME, "%s%s%s", object == NULL ? "" : object,
		 object == NULL ? "" : "_", column->key);
	return path;
}

int report_table_find(const struct report_tables *tables, const char *name)
{
	size_t i;

	for (i = 0; i < tables->count; i++) {
		if (strcmp(tables->table[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

static unsigned long long number_at(const void *row, size_t offset, bool wide)
{
	const char *p = (const char *)row + offset;

	return wide ? *(const unsigned long long *)(const void *)p :
	       *(const unsigned int *)(const void *)p;
}

static void number_put(void *row, size_t offset, bool wide,
		       unsigned long long value)
{
	char *p = (char *)row + offset;

	if (wide)
		*(unsigned long long *)(void *)p = value;
	else
		*(unsigned int *)(void *)p = value > UINT32_MAX ? UINT32_MAX :
					     (unsigned int)value;
}

unsigned long long report_get(const struct report_column *column,
			      const void *row)
{
	return column->kind == REPORT_DERIVED ? column->derive(row) :
	       number_at(row, column->offset, !column->narrow);
}

void report_set(const struct report_column *column, void *row,
		unsigned long long value)
{
	if (column->kind != REPORT_DERIVED)
		number_put(row, column->offset, !column->narrow, value);
}

unsigned int report_scale(const struct report_column *column)
{
	static const unsigned int powers[] = { 1, 10, 100, 1000 };

	return powers[column->decimals];
}

unsigned long long report_value(const struct report_column *column,
				const void *row)
{
	unsigned long long value = report_get(column, row);

	unsigned int ns;

	if (column->unit != REPORT_NS)
		return value;
	ns = 1000 / report_scale(column);
	return (value + ns / 2) / ns;
}

static size_t offset_of_slot(const struct report_column *column,
			     unsigned int slot)
{
	return column->offset + slot * (column->narrow ?
		sizeof(unsigned int) : sizeof(unsigned long long));
}

unsigned long long report_slot(const struct report_column *column,
			       const void *row, unsigned int slot)
{
	return number_at(row, offset_of_slot(column, slot), !column->narrow);
}

void report_slot_add(const struct report_column *column, void *row,
		     unsigned int slot, unsigned long long count)
{
	number_put(row, offset_of_slot(column, slot), !column->narrow,
		   report_slot(column, row, slot) + count);
}

void report_slots_add(const struct report_column *column, void *into,
		      const void *from)
{
	const void *source = (const char *)from + column->offset;
	void *target = (char *)into + column->offset;
	const unsigned long long *b = source;
	unsigned long long *a = target;
	const unsigned int *y = source;
	unsigned int *x = target;
	unsigned int i;

	/* most of them are 0 */
	for (i = 0; i < column->slots && !column->narrow; i++) {
		if (b[i] != 0)
			a[i] += b[i];
	}
	for (i = 0; i < column->slots && column->narrow; i++) {
		if (y[i] != 0)
			x[i] = x[i] + y[i] < y[i] ? UINT32_MAX : x[i] + y[i];
	}
}

static unsigned int power_of(unsigned long long value)
{
	return value < 2 ? 0 : 63 - (unsigned int)__builtin_clzll(value);
}

unsigned int report_slot_of(const struct report_column *column,
			    unsigned long long value)
{
	unsigned int slot = column->eighths == 8 ? power_of(value) :
			    (unsigned int)slots_slot(value) / column->eighths;

	return slot < column->slots ? slot : column->slots - 1U;
}

unsigned long long report_slot_least(const struct report_column *column,
				     unsigned int slot)
{
	if (column->eighths == 8)
		return slot == 0 ? 0 : 1ULL << slot;
	return slots_least((int)(slot * column->eighths));
}

void report_fold(const struct report_column *column, const void *row,
		 unsigned long long powers[REPORT_POWERS])
{
	unsigned int i, power;

	memset(powers, 0, REPORT_POWERS * sizeof(*powers));
	for (i = 0; i < column->slots; i++) {
		power = power_of(report_slot_least(column, i));
		if (power >= REPORT_POWERS)
			power = REPORT_POWERS - 1;
		powers[power] += report_slot(column, row, i);
	}
}

static const struct report_column *column_of(const struct report_table *table,
					     enum report_kind kind)
{
	size_t i;

	for (i = 0; i < table->num_columns; i++) {
		if (table->columns[i].kind == kind)
			return &table->columns[i];
	}
	return NULL;
}

double report_quantile(const struct report_table *table, const void *row,
		       double part)
{
	const struct report_column *slots = column_of(table, REPORT_SLOTS);
	const struct report_column *least = column_of(table, REPORT_LEAST);
	const struct report_column *most = column_of(table, REPORT_MOST);
	unsigned long long wide[SLOTS_FINE];
	unsigned long long count = 0;
	double value, limit, unit;
	unsigned int i;

	if (slots == NULL || slots->slots > SLOTS_FINE)
		return 0;
	for (i = 0; i < slots->slots; i++) {
		wide[i] = report_slot(slots, row, i);
		count += wide[i];
	}
	unit = report_slots_ns(slots);
	value = slots_quantile(wide, slots->slots, slots->eighths, part);
	limit = least == NULL ? 0 : (double)report_get(least, row) / unit;
	value = value < limit ? limit : value;
	if (most == NULL)
		return value;
	limit = (double)report_get(most, row) / unit;
	return value > limit || count == 1 || value >= (double)
	       report_slot_least(slots, slots->slots - 1U) ? limit : value;
}

bool report_any(const struct report_table *table, unsigned int group,
		const void *row)
{
	const struct report_column *column;

	REPORT_FOR_EACH(column, table, group) {
		if (column->kind != REPORT_SLOTS &&
		    report_get(column, row) != 0)
			return true;
	}
	return false;
}

unsigned long long report_key_number(const struct report_key *key,
				     const void *row)
{
	return number_at(row, key->offset, key->wide);
}

void report_key_set(const struct report_key *key, void *row,
		    unsigned long long number)
{
	number_put(row, key->offset, key->wide, number);
}

const char *report_key_text(const struct report_key *key, const void *row,
			    char buffer[REPORT_NAME])
{
	unsigned long long number;

	if (key->size > 0)
		return (const char *)row + key->offset;
	number = report_key_number(key, row);
	if (key->name != NULL)
		return key->name(number, buffer);
	snprintf(buffer, REPORT_NAME, "%llu", number);
	return buffer;
}

const char *report_join_keys(const struct report_table *table, const void *row,
			     unsigned int keys, char text[REPORT_JOINED])
{
	char buffer[REPORT_NAME];
	const char *one;
	size_t length = 0, i;

	text[0] = '\0';
	for (i = 0; i < table->num_keys; i++) {
		one = report_key_text(&table->keys[i], row, buffer);
		if ((keys & 1U << i) == 0 || one[0] == '\0' ||
		    length >= REPORT_JOINED)
			continue;
		length += (size_t)snprintf(text + length,
					   REPORT_JOINED - length, "%s%s",
					   length > 0 ? ":" : "", one);
	}
	return text;
}

/* Any keys, which need not be next to each other. */
static bool fits(const struct report_table *table, const void *row,
		 const char *word)
{
	char text[REPORT_JOINED];
	unsigned int named = 0, keys;
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		if (table->keys[i].size > 0 || table->keys[i].name != NULL)
			named |= 1U << i;
	}
	for (keys = named; keys != 0; keys = (keys - 1) & named) {
		if (fnmatch(word, report_join_keys(table, row, keys, text),
			    0) == 0)
			return true;
	}
	return false;
}

bool report_fits(const struct report_table *table, const void *row,
		 char *const *words)
{
	if (words == NULL || *words == NULL || table->num_keys == 0)
		return true;
	while (*words != NULL && !fits(table, row, *words))
		words++;
	return *words != NULL;
}

void report_key_copy(const struct report_key *key, void *row, const char *text)
{
	char *to = (char *)row + key->offset;
	size_t length = strlen(text);

	if (length >= key->size) {
		length = key->size - 1U;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) ==
		       0x80)
			length--;
	}
	memcpy(to, text, length);
	memset(to + length, 0, key->size - length);
}

static int compare_numbers(unsigned long long a, unsigned long long b)
{
	return a < b ? -1 : a > b;
}

int report_compare_key(const struct report_key *key, const void *a,
		       const void *b)
{
	if (key->size > 0)
		return strcmp((const char *)a + key->offset,
			      (const char *)b + key->offset);
	return compare_numbers(report_key_number(key, a),
			       report_key_number(key, b));
}

int report_compare(const struct report_table *table, const void *a,
		   const void *b)
{
	int order = 0;
	size_t i;

	for (i = 0; i < table->num_keys && order == 0; i++)
		order = report_compare_key(&table->keys[i], a, b);
	return order;
}
