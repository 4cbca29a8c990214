/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - reports as JSON, and back. Times are microseconds, as integers.
 *
 * Each number is a member by the key of its column:
 *
 *	"commands": [{"name": "READ", "count": 4, "total_us": 120,
 *		      "slots": {"16": 3, "64": 1}}]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/json.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *number(unsigned long long value)
{
	return json_integer((json_int_t)value);
}

bool report_shows(const struct report *r, const struct report_view *view,
		  size_t t)
{
	const struct report_table *table = report_table(r, t);

	return table->shape != REPORT_HIDDEN &&
	       (!table->optional || (view->tables & 1U << t) != 0);
}

/* Slots by their least value. */
static json_t *slots_json(const struct report_column *column, const void *row)
{
	json_t *object = json_object();
	unsigned long long count;
	char least[24];
	unsigned int i;

	for (i = 0; i < column->slots; i++) {
		count = report_slot(column, row, i);
		if (count == 0)
			continue;
		snprintf(least, sizeof(least), "%llu",
			 report_slot_least(column, i));
		set(object, least, number(count));
	}
	return object;
}

static json_t *folded_json(const struct report_column *column, const void *row)
{
	unsigned long long powers[REPORT_POWERS];
	json_t *object = json_object();
	char least[24];
	int i;

	report_fold(column, row, powers);
	for (i = 0; i < REPORT_POWERS; i++) {
		if (powers[i] == 0)
			continue;
		snprintf(least, sizeof(least), "%llu", i == 0 ? 0 : 1ULL << i);
		set(object, least, number(powers[i]));
	}
	return object;
}

static void add_column(json_t *object, const struct report_column *column,
		       const void *row)
{
	if (column->key == NULL)
		return;
	if (column->kind == REPORT_SLOTS) {
		if (column->folded != NULL)
			set(object, column->folded, folded_json(column, row));
		set(object, column->key, slots_json(column, row));
	} else if (column->kind == REPORT_ID) {
		if (report_get(column, row) > 0)
			set(object, column->key,
			    number(report_get(column, row) - 1));
	} else if (column->decimals > 0) {
		set(object, column->key,
		    json_real((double)report_value(column, row) /
			      report_scale(column)));
	} else {
		set(object, column->key, number(report_value(column, row)));
	}
}

static void add_key(json_t *object, const struct report_key *key,
		    const void *row)
{
	char buffer[REPORT_NAME];
	unsigned long long value = 0;

	if (key->size > 0) {
		const char *text = report_key_text(key, row, buffer);

		if (!key->optional || text[0] != '\0')
			set(object, key->key, text_json(text));
		return;
	}
	value = report_key_number(key, row);
	if (key->optional && value == 0)
		return;
	if (key->key != NULL)
		set(object, key->key, number(value - key->bias));
	if (key->name_key != NULL)
		set(object, key->name_key,
		    text_json(key->name(value, buffer)));
}

/* Whether a group of columns belongs to this row here. */
static bool has_group(const struct report_table *table, unsigned int g,
		      const void *row, const struct report *r,
		      const struct report_view *view)
{
	const struct report_group *group = &table->groups[g];

	if (group->hidden || (group->if_any && !report_any(table, g, row)))
		return false;
	return group->with == NULL || r == NULL ||
	       report_shows(r, view, (size_t)
			    report_table_find(r->tables, group->with));
}

static void add_columns(json_t *object, const struct report_table *table,
			const void *row, const struct report *r,
			const struct report_view *view)
{
	const struct report_column *column;
	unsigned int g;
	json_t *to;

	for (g = 0; g < table->num_groups; g++) {
		if (!has_group(table, g, row, r, view))
			continue;
		to = object;
		if (table->groups[g].object != NULL) {
			to = json_object();
			set(object, table->groups[g].object, to);
		}
		REPORT_FOR_EACH(column, table, g)
			add_column(to, column, row);
	}
}

json_t *report_row_json(const struct report_table *table, const void *row)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < table->num_keys; i++)
		add_key(object, &table->keys[i], row);
	add_columns(object, table, row, NULL, NULL);
	if (table->more != NULL)
		table->more(row, object);
	return object;
}

/* The object that has a table: the report, or an object in it. */
static json_t *place_of(json_t *object, const struct report_table *table)
{
	json_t *place;

	if (table->within == NULL)
		return object;
	place = json_object_get(object, table->within);
	if (place == NULL) {
		place = json_object();
		set(object, table->within, place);
	}
	return place;
}

static void add_list(json_t *object, const struct report *r, size_t t,
		     size_t lines)
{
	const struct report_table *table = report_table(r, t);
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->rows[t].count &&
	     (lines == 0 || table->within == NULL || i < lines); i++)
		json_array_append_new(list, report_row_json(
			table, report_row(r, t, i)));
	set(place_of(object, table), table->name, list);
}

static void add_objects(json_t *object, const struct report *r, size_t t)
{
	const struct report_table *table = report_table(r, t);
	char name[REPORT_NAME];
	json_t *member;
	size_t i;

	for (i = 0; i < r->rows[t].count; i++) {
		const void *row = report_row(r, t, i);

		member = json_object();
		add_columns(member, table, row, NULL, NULL);
		set(place_of(object, table),
		    report_key_text(&table->keys[0], row, name), member);
	}
}

void report_to_json(const struct report *r, const struct report_view *view,
		    json_t *object)
{
	size_t t;

	set(object, "elapsed_us", number((r->elapsed_ns + 500) / 1000));
	for (t = 0; t < r->tables->count; t++) {
		if (!report_shows(r, view, t))
			continue;
		if (report_table(r, t)->shape == REPORT_LIST)
			add_list(object, r, t, view->lines);
		else if (report_table(r, t)->shape == REPORT_OBJECTS)
			add_objects(object, r, t);
		else if (r->rows[t].count > 0)
			add_columns(object, report_table(r, t),
				    report_row(r, t, 0), r, view);
	}
}

/* So that the sums of many reports are below 2^64, in nanoseconds too. */
static const unsigned long long MOST = 1000000000000000ULL;

struct reader {
	struct report *report;
	unsigned int tables;
	char *why;
	bool bad;
};

static void fail(struct reader *rd, const char *key, const char *what)
{
	if (!rd->bad)
		snprintf(rd->why, REPORT_WHY, "'%.40s' %s", key, what);
	rd->bad = true;
}

static bool is_number(struct reader *rd, const char *key, json_t *value,
		      unsigned long long *to)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0) {
		fail(rd, key, "is not there or not a whole number from 0 on");
		return false;
	}
	*to = (unsigned long long)json_integer_value(value);
	if (*to > MOST)
		fail(rd, key, "is too large");
	return *to <= MOST;
}

static json_t *get_object(struct reader *rd, json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_object(value))
		fail(rd, key, "is not there or not an object");
	return value;
}

static const char *get_text(struct reader *rd, json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (text == NULL)
		fail(rd, key, "is not there or not a text");
	return text;
}

static void read_slots(struct reader *rd, json_t *object,
		       const struct report_column *column, void *row)
{
	json_t *value, *all = get_object(rd, object, column->key);
	unsigned long long count;
	const char *least;

	json_object_foreach(all, least, value) {
		if (!is_number(rd, column->key, value, &count))
			return;
		report_slot_add(column, row,
				report_slot_of(column,
					       strtoull(least, NULL, 10)),
				count);
	}
}

static void read_column(struct reader *rd, json_t *object,
			const struct report_column *column, void *row)
{
	unsigned long long value;

	if (column->key == NULL || column->kind == REPORT_DERIVED)
		return;
	if (column->kind == REPORT_SLOTS) {
		read_slots(rd, object, column, row);
		return;
	}
	if (column->kind == REPORT_ID &&
	    json_object_get(object, column->key) == NULL)
		return;
	if (!is_number(rd, column->key, json_object_get(object, column->key),
		       &value))
		return;
	if (column->kind == REPORT_ID)
		value++;
	report_set(column, row, column->unit == REPORT_NS ? value * 1000 :
		   value);
}

/* A group that may be left out is there if its first column is. */
static bool is_there(json_t *object, const struct report_table *table,
		     unsigned int g)
{
	const struct report_column *first = report_column_next(table, g, NULL);

	return first != NULL && first->key != NULL &&
	       json_object_get(object, first->key) != NULL;
}

static void read_columns(struct reader *rd, json_t *object,
			 const struct report_table *table, void *row)
{
	const struct report_column *column;
	unsigned int g;
	json_t *from;

	for (g = 0; g < table->num_groups; g++) {
		const struct report_group *group = &table->groups[g];

		if ((group->hidden || group->if_any || group->with != NULL) &&
		    !is_there(object, table, g))
			continue;
		from = group->object == NULL ? object :
		       get_object(rd, object, group->object);
		REPORT_FOR_EACH(column, table, g) {
			if (!rd->bad)
				read_column(rd, from, column, row);
		}
	}
}

static void read_name(struct reader *rd, json_t *object,
		      const struct report_table *table,
		      const struct report_key *key, void *row)
{
	const char *name = get_text(rd, object, key->name_key);
	unsigned long long number;

	if (name == NULL)
		return;
	if (key->parse == NULL || !key->parse(name, &number))
		fail(rd, table->name, "has a name that is not known here");
	else
		report_key_set(key, row, number);
}

static void read_key(struct reader *rd, json_t *object,
		     const struct report_table *table,
		     const struct report_key *key, void *row)
{
	const char *name = key->key != NULL ? key->key : key->name_key;
	unsigned long long value;
	const char *text;

	if (key->optional && json_object_get(object, name) == NULL)
		return;
	if (key->size > 0) {
		text = get_text(rd, object, name);
		if (text != NULL)
			report_key_copy(key, row, text);
	} else if (key->key == NULL) {
		read_name(rd, object, table, key, row);
	} else if (is_number(rd, name, json_object_get(object, name),
			     &value)) {
		if (value + key->bias > key->most)
			fail(rd, name, "is too large");
		else
			report_key_set(key, row, value + key->bias);
	}
}

static void read_row(struct reader *rd, json_t *object, size_t t)
{
	const struct report_table *table = report_table(rd->report, t);
	void *row = calloc(1, table->row_size);
	size_t i;

	if (row == NULL) {
		fail(rd, table->name, "needs more memory than there is");
		return;
	}
	for (i = 0; i < table->num_keys; i++)
		read_key(rd, object, table, &table->keys[i], row);
	if (!rd->bad)
		read_columns(rd, object, table, row);
	/* texts that differ may be the same where they were not UTF-8 */
	if (!rd->bad && table->keys[0].size == 0 &&
	    report_find(rd->report, t, row) != NULL)
		fail(rd, table->name, "has a row twice");
	if (!rd->bad)
		report_add_row(rd->report, t, row);
	free(row);
}

static void read_list(struct reader *rd, json_t *place, size_t t)
{
	const char *name = report_table(rd->report, t)->name;
	json_t *list = json_object_get(place, name);
	json_t *element;
	size_t i;

	if (!json_is_array(list)) {
		fail(rd, name, "is not there or not a list");
		return;
	}
	json_array_foreach(list, i, element) {
		if (!rd->bad && !json_is_object(element))
			fail(rd, name, "has an element that is not an object");
		if (!rd->bad)
			read_row(rd, element, t);
	}
}

/* The rows of such a table are those whose numbers have a name. */
static void read_objects(struct reader *rd, json_t *place, size_t t)
{
	const struct report_table *table = report_table(rd->report, t);
	const struct report_key *key = &table->keys[0];
	char name[REPORT_NAME];
	unsigned long long i;
	json_t *object;
	void *row;

	for (i = 0; i <= key->most && !rd->bad; i++) {
		const char *member = key->name(i, name);

		if (table->optional && json_object_get(place, member) == NULL)
			continue;
		object = get_object(rd, place, member);
		if (rd->bad)
			return;
		row = report_append(rd->report, t);
		report_key_set(key, row, i);
		read_columns(rd, object, table, row);
		rd->tables |= 1U << t;
	}
}

static void read_table(struct reader *rd, json_t *report, size_t t)
{
	const struct report_table *table = report_table(rd->report, t);
	json_t *place = report;

	if (table->within != NULL) {
		if (json_object_get(report, table->within) == NULL)
			return;
		place = get_object(rd, report, table->within);
	}
	switch (table->shape) {
	case REPORT_LIST:
		if (table->optional &&
		    json_object_get(place, table->name) == NULL)
			return;
		rd->tables |= 1U << t;
		read_list(rd, place, t);
		return;
	case REPORT_OBJECTS:
		read_objects(rd, place, t);
		return;
	case REPORT_INLINE:
		read_columns(rd, place, table, report_append(rd->report, t));
		return;
	case REPORT_HIDDEN:
		return;
	}
}

/* "2026-11-21T14:03:21.482+01:00" to nanoseconds since 1970. */
static void read_time(struct reader *rd, json_t *report,
		      unsigned long long *ns)
{
	const char *text = get_text(rd, report, "time");
	int ms, hours, minutes, length = 0;
	struct tm tm = { .tm_sec = 0 };
	const char *rest;
	time_t second;
	char sign;

	if (text == NULL)
		return;
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (rest == NULL || sscanf(rest, ".%3d%c%2d:%2d%n", &ms, &sign, &hours,
				   &minutes, &length) != 4 ||
	    rest[length] != '\0' || ms < 0 || hours < 0 || minutes < 0) {
		fail(rd, "time", "is not as in "
		     "2026-11-21T14:03:21.482+01:00");
		return;
	}
	second = timegm(&tm) - (sign == '-' ? -1 : 1) *
		(hours * 3600 + minutes * 60);
	if (second < 0) {
		fail(rd, "time", "is before 1970");
		return;
	}
	*ns = (unsigned long long)second * 1000000000ULL +
		(unsigned int)ms * 1000000ULL;
}

bool report_from_json(json_t *object, struct report *r, unsigned int *tables,
		      char why[REPORT_WHY])
{
	struct reader rd = { .report = r, .why = why };
	unsigned long long elapsed = 0;
	const char *host;
	size_t t;

	read_time(&rd, object, &r->end_ns);
	if (json_object_get(object, "host") != NULL) {
		host = get_text(&rd, object, "host");
		snprintf(r->hosts, sizeof(r->hosts), "%s",
			 host == NULL ? "" : host);
	}
	if (is_number(&rd, "elapsed_us", json_object_get(object, "elapsed_us"),
		      &elapsed))
		r->elapsed_ns = elapsed * 1000;
	if (!rd.bad && r->elapsed_ns > r->end_ns)
		fail(&rd, "elapsed_us", "is too large");
	for (t = 0; t < r->tables->count && !rd.bad; t++)
		read_table(&rd, object, t);
	*tables = rd.tables;
	return !rd.bad;
}

void report_line(FILE *out, json_t *object)
{
	json_dumpf(memory_of(object), out, JSON_COMPACT);
	putc('\n', out);
	json_decref(object);
}
