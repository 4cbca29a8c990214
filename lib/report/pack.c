/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pack.c - reports as bytes, and back.
 *
 *	end elapsed hosts | table+1 rows (field...)... | ... | 0
 *
 * A table is its line in the layout. All numbers have 7 bits in each byte.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/pack.h"

/* Bytes that come from anywhere have no more rows of a table. */
enum { MOST_ROWS = 4096, MOST_EIGHTHS = 488 };

struct field {
	const struct report_key *key;		/* of these one is set, */
	const struct report_column *column;	/* or it is skipped */
	char type;
};

struct section {
	int table;				/* -1: is skipped */
	struct field *fields;
	size_t num_fields;
};

struct report_layout {
	struct section *sections;
	size_t count;
};

static void put_bytes(struct report_bytes *to, const void *bytes, size_t length)
{
	if (to->length + length > to->capacity) {
		to->capacity = 2 * (to->length + length) + 64;
		to->bytes = memory_of(realloc(to->bytes, to->capacity));
	}
	memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
}

static void put_number(struct report_bytes *to, unsigned long long value)
{
	unsigned char bytes[10];
	size_t length = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[length++] = (unsigned char)(value | 0x80);
	bytes[length++] = (unsigned char)value;
	put_bytes(to, bytes, length);
}

static void put_text(struct report_bytes *to, const char *text)
{
	put_number(to, strlen(text));
	put_bytes(to, text, strlen(text));
}

void report_pack_slots(const struct report_column *column, const void *row,
		       struct report_bytes *to)
{
	unsigned int i, last = 0, count = 0;

	for (i = 0; i < column->slots; i++)
		count += report_slot(column, row, i) != 0;
	put_number(to, column->eighths);
	put_number(to, count);
	for (i = 0; i < column->slots && count > 0; i++) {
		if (report_slot(column, row, i) == 0)
			continue;
		put_number(to, i - last);
		put_number(to, report_slot(column, row, i));
		last = i + 1;
		count--;
	}
}

static void put_text_of(struct report_bytes *to, const char *text)
{
	put_bytes(to, text, strlen(text));
}

static const char *key_name(const struct report_key *key)
{
	return key->key != NULL ? key->key : key->name_key;
}

static bool is_packed(const struct report_column *column)
{
	return column->key != NULL && column->kind != REPORT_DERIVED;
}

static void put_table(struct report_bytes *to, const struct report_table *table)
{
	char name[REPORT_NAME];
	size_t i;

	put_text_of(to, table->name);
	for (i = 0; i < table->num_keys; i++) {
		put_text_of(to, " ");
		put_text_of(to, key_name(&table->keys[i]));
		put_text_of(to, table->keys[i].size > 0 ? ":t" : ":n");
	}
	for (i = 0; i < table->num_columns; i++) {
		const struct report_column *column = &table->columns[i];

		if (!is_packed(column))
			continue;
		put_text_of(to, " ");
		put_text_of(to, report_column_path(table, column, name));
		put_text_of(to, column->kind == REPORT_SLOTS ? ":s" : ":n");
	}
	put_text_of(to, "\n");
}

void report_layout_text(const struct report_tables *tables,
			struct report_bytes *text)
{
	size_t t;

	for (t = 0; t < tables->count; t++)
		put_table(text, &tables->table[t]);
	put_bytes(text, "", 1);
}

static void *grow(void *list, size_t count, size_t size)
{
	list = memory_grow(list, count, size);
	memset((char *)list + count * size, 0, size);
	return list;
}

/* Finds what a field of that name is here. */
static void find(struct field *field, const struct report_table *table,
		 const char *name)
{
	char path[REPORT_NAME];
	size_t i;

	for (i = 0; i < table->num_keys; i++) {
		if (strcmp(key_name(&table->keys[i]), name) == 0 &&
		    (table->keys[i].size > 0) == (field->type == 't'))
			field->key = &table->keys[i];
	}
	for (i = 0; i < table->num_columns && field->key == NULL; i++) {
		const struct report_column *column = &table->columns[i];

		if (!is_packed(column) ||
		    (column->kind == REPORT_SLOTS) != (field->type == 's') ||
		    strcmp(report_column_path(table, column, path), name) != 0)
			continue;
		field->column = column;
	}
}

static void read_field(struct section *s, const struct report_table *table,
		       char *word)
{
	char *colon = strrchr(word, ':');
	struct field *field;

	s->fields = grow(s->fields, s->num_fields, sizeof(*s->fields));
	field = &s->fields[s->num_fields++];
	field->type = colon == NULL ? 'n' : colon[1];
	if (colon == NULL)
		return;
	*colon = '\0';
	if (table != NULL)
		find(field, table, word);
}

static void read_section(struct report_layout *layout,
			 const struct report_tables *tables, char *line)
{
	const struct report_table *table = NULL;
	struct section *s;
	char *rest, *word;

	layout->sections = grow(layout->sections, layout->count,
				sizeof(*layout->sections));
	s = &layout->sections[layout->count++];
	word = strtok_r(line, " ", &rest);
	s->table = word == NULL ? -1 : report_table_find(tables, word);
	if (s->table >= 0)
		table = &tables->table[s->table];
	while ((word = strtok_r(NULL, " ", &rest)) != NULL)
		read_field(s, table, word);
}

struct report_layout *report_layout_read(const struct report_tables *tables,
					 const char *text)
{
	struct report_layout *layout = memory_zeros(1, sizeof(*layout));
	char *copy = memory_of(strdup(text));
	char *rest, *line;

	for (line = strtok_r(copy, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		read_section(layout, tables, line);
	free(copy);
	return layout;
}

struct report_layout *report_layout_new(const struct report_tables *tables)
{
	struct report_bytes text = { NULL, 0, 0 };
	struct report_layout *layout;

	report_layout_text(tables, &text);
	layout = report_layout_read(tables, (const char *)text.bytes);
	free(text.bytes);
	return layout;
}

void report_layout_free(struct report_layout *layout)
{
	size_t i;

	for (i = 0; layout != NULL && i < layout->count; i++)
		free(layout->sections[i].fields);
	if (layout != NULL)
		free(layout->sections);
	free(layout);
}

static void pack_row(const struct section *s, const void *row,
		     struct report_bytes *to)
{
	size_t i;

	for (i = 0; i < s->num_fields; i++) {
		const struct field *field = &s->fields[i];

		if (field->type == 't')
			put_text(to, (const char *)row + field->key->offset);
		else if (field->key != NULL)
			put_number(to, report_key_number(field->key, row));
		else if (field->type == 's')
			report_pack_slots(field->column, row, to);
		else
			put_number(to, report_get(field->column, row));
	}
}

void report_pack(const struct report_layout *layout, const struct report *r,
		 unsigned int tables, struct report_bytes *to)
{
	const struct report_rows *rows;
	size_t i, row;
	int t;

	put_number(to, r->end_ns);
	put_number(to, r->elapsed_ns);
	put_text(to, r->hosts);
	for (i = 0; i < layout->count; i++) {
		t = layout->sections[i].table;
		if (t < 0 || !(tables & 1U << t) || r->rows[t].count == 0)
			continue;
		rows = &r->rows[t];
		put_number(to, i + 1);
		put_number(to, rows->count);
		for (row = 0; row < rows->count; row++)
			pack_row(&layout->sections[i],
				 report_row(r, (size_t)t, row), to);
	}
	put_number(to, 0);
}

struct unpack {
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

/* 0 if it is bad. */
static unsigned long long get_number(struct unpack *u)
{
	unsigned long long value = 0;
	unsigned int shift;

	for (shift = 0; shift < 64 && u->at < u->end; shift += 7) {
		value |= (unsigned long long)(*u->at & 0x7f) << shift;
		if ((*u->at++ & 0x80) == 0)
			return value;
	}
	u->bad = true;
	return 0;
}

/* Returns NULL if it is bad. */
static const char *get_text(struct unpack *u, size_t *length)
{
	unsigned long long size = get_number(u);
	const char *text = (const char *)u->at;

	if (u->bad || size > (size_t)(u->end - u->at)) {
		u->bad = true;
		return NULL;
	}
	u->at += size;
	*length = (size_t)size;
	return text;
}

static void copy_text(struct unpack *u, const struct report_key *key, void *row)
{
	char copy[4096];
	const char *text;
	size_t length;

	text = get_text(u, &length);
	if (text == NULL || key == NULL)
		return;
	length = length < sizeof(copy) ? length : sizeof(copy) - 1;
	memcpy(copy, text, length);
	copy[length] = '\0';
	report_key_copy(key, row, copy);
}

static void get_slots(struct unpack *u, const struct report_column *column,
		      void *row)
{
	struct report_column like = { .kind = REPORT_SLOTS };
	unsigned long long eighths = get_number(u), left = get_number(u);
	unsigned long long slot = 0, count;

	if (eighths == 0 || eighths > 8 || left > MOST_EIGHTHS / eighths)
		u->bad = true;
	like.eighths = (unsigned short)eighths;
	for (; left > 0 && !u->bad; left--) {
		slot += get_number(u);
		count = get_number(u);
		if (slot >= MOST_EIGHTHS / eighths)
			u->bad = true;
		else if (column != NULL)
			report_slot_add(column, row, report_slot_of(column,
				report_slot_least(&like, (unsigned int)slot)),
				count);
		slot++;
	}
}

bool report_unpack_slots(const struct report_column *column, void *row,
			 const unsigned char *bytes, size_t length)
{
	struct unpack u = { bytes, bytes + length, false };

	get_slots(&u, column, row);
	return !u.bad && u.at == u.end;
}

static void unpack_field(struct unpack *u, const struct field *field, void *row)
{
	unsigned long long value;

	if (field->type == 't') {
		copy_text(u, field->key, row);
		return;
	}
	if (field->type == 's') {
		get_slots(u, field->column, row);
		return;
	}
	value = get_number(u);
	if (field->key != NULL && value <= field->key->most)
		report_key_set(field->key, row, value);
	else if (field->key != NULL)
		u->bad = true;
	else if (field->column != NULL)
		report_set(field->column, row, value);
}

static void unpack_section(struct unpack *u, const struct section *s,
			   struct report *r)
{
	unsigned long long count = get_number(u);
	void *row;
	size_t i;

	if (count > MOST_ROWS)
		u->bad = true;
	for (; count > 0 && !u->bad; count--) {
		row = s->table < 0 ? NULL :
			report_append(r, (size_t)s->table);
		for (i = 0; i < s->num_fields && !u->bad; i++)
			unpack_field(u, &s->fields[i], row);
	}
}

bool report_unpack(const struct report_layout *layout,
		   const unsigned char *bytes, size_t length,
		   struct report *r)
{
	struct unpack u = { bytes, bytes + length, false };
	unsigned long long section;
	const char *hosts;
	size_t size = 0;

	r->end_ns = get_number(&u);
	r->elapsed_ns = get_number(&u);
	hosts = get_text(&u, &size);
	if (hosts != NULL)
		snprintf(r->hosts, sizeof(r->hosts), "%.*s", (int)size, hosts);
	while (!u.bad && (section = get_number(&u)) != 0) {
		if (section > layout->count)
			return false;
		unpack_section(&u, &layout->sections[section - 1], r);
	}
	return !u.bad && u.at == u.end;
}
