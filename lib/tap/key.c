/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See key.h.  The keys of `probe done(info_t *req, int status)`:
 *
 *	"status"	argument 1
 *	"1"		the same
 *	"req.mid"	argument 0, member 0
 *	"req.grid[1][2]"	argument 0, member 3, element 5
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "key.h"
#include "similar.h"
#include "value.h"

enum {
	/* How much of a name a message has. */
	NAME = 128,
	NEAR = 3,
};

static bool is_same(const char *name, const char *key, size_t length)
{
	return length > 0 && strncmp(name, key, length) == 0 &&
	       name[length] == '\0';
}

/* By its name, or its number; -1: there is none. */
static long find_argument(const struct sdtkit_tap_probe *probe,
			  const char *key, size_t length)
{
	unsigned long number;
	char *end;
	size_t i;

	for (i = 0; i < probe->field_count; i++) {
		if (is_same(probe->fields[i].name, key, length))
			return (long)i;
	}
	if (*key < '0' || *key > '9')
		return -1;
	number = strtoul(key, &end, 10);
	return end == key + length && number < probe->field_count ?
	       (long)number : -1;
}

static long find_member(const struct sdtkit_tap_field *field, const char *key,
			size_t length)
{
	size_t i;

	for (i = 0; i < field->member_count; i++) {
		if (is_same(field->members[i].name, key, length))
			return (long)i;
	}
	return -1;
}

/* "[1][2]" of an array "u4*3*4"; -1: there is none. */
static long find_element(const char *wire, const char *key)
{
	unsigned long index, count;
	long element = 0;
	char *end;

	wire = strchr(wire, '*');
	while (*key != '\0') {
		if (wire == NULL || *key != '[' || key[1] < '0' || key[1] > '9')
			return -1;
		count = strtoul(wire + 1, NULL, 10);
		index = strtoul(key + 1, &end, 10);
		if (*end != ']' || index >= count)
			return -1;
		element = element * (long)count + (long)index;
		key = end + 1;
		wire = strchr(wire + 1, '*');
	}
	return wire == NULL ? element : -1;
}

static bool find_in_record(const struct sdtkit_tap_field *field,
			   const char *key, struct sdtkit_tap_part *part)
{
	size_t length = strcspn(key, "[");

	part->member = find_member(field, key, length);
	if (part->member < 0)
		return false;
	if (key[length] == '\0')
		return true;
	part->element = find_element(field->members[part->member].wire,
				     key + length);
	return part->element >= 0;
}

bool sdtkit_tap_find_part(const struct sdtkit_tap_probe *probe, const char *key,
			  long before, struct sdtkit_tap_part *part)
{
	const char *dot = key != NULL ? strchr(key, '.') : NULL;

	*part = (struct sdtkit_tap_part) { before + 1, -1, -1 };
	if (key == NULL)
		return (size_t)part->argument < probe->field_count;
	part->argument = find_argument(probe, key, strlen(key));
	if (part->argument >= 0)
		return true;
	if (dot == NULL)
		return false;
	part->argument = find_argument(probe, key, (size_t)(dot - key));
	return part->argument >= 0 &&
	       find_in_record(&probe->fields[part->argument], dot + 1, part);
}

static struct sdtkit_tap_value
element_of(const struct sdtkit_tap_value *array, long element)
{
	return (struct sdtkit_tap_value) {
		.kind = array->is_signed ? SDTKIT_TAP_SIGNED :
					   SDTKIT_TAP_UNSIGNED,
		.size = array->size,
		.bits = sdtkit_tap_element(array, (size_t)element),
	};
}

struct sdtkit_tap_value
sdtkit_tap_value_of_part(const struct sdtkit_tap_event *event,
			 const struct sdtkit_tap_part *part)
{
	struct sdtkit_tap_value none = { .kind = SDTKIT_TAP_UNREADABLE };
	const struct sdtkit_tap_value *value = &event->values[part->argument];

	if (part->member < 0)
		return *value;
	if ((size_t)part->member < value->member_count) {
		value = &value->members[part->member];
		if (part->element < 0 || value->kind != SDTKIT_TAP_ARRAY)
			return *value;
		return element_of(value, part->element);
	}
	none.why = value->why != NULL ? value->why :
		   value->members == NULL ? "the record's address is NULL" :
		   "the event has more members than are kept";
	return none;
}

uint64_t sdtkit_tap_element(const struct sdtkit_tap_value *value, size_t index)
{
	if (value->kind != SDTKIT_TAP_ARRAY || value->size == 0 ||
	    value->size > sizeof(value->bits) ||
	    index >= value->length / value->size)
		return 0;
	return sdtkit_tap_extend(sdtkit_tap_load(value->text + index *
						 value->size, value->size),
				 value->size, value->is_signed);
}

/* The names most like the key, the best first. */
struct near {
	struct {
		char name[NAME];
		unsigned int percent;
	} found[NEAR];
};

static void compare(struct near *near, const char *key, const char *name)
{
	unsigned int percent = sdtkit_similar_names(key, name);
	size_t i;

	for (i = 0; i < NEAR; i++) {
		if (percent < SIMILAR_ENOUGH ||
		    percent <= near->found[i].percent)
			continue;
		memmove(&near->found[i + 1], &near->found[i],
			(NEAR - 1 - i) * sizeof(near->found[0]));
		snprintf(near->found[i].name, NAME, "%s", name);
		near->found[i].percent = percent;
		return;
	}
}

static void compare_all(struct near *near, const char *key,
			const struct sdtkit_tap_field *field)
{
	char name[NAME];
	size_t i;

	compare(near, key, field->name);
	for (i = 0; i < field->member_count; i++) {
		snprintf(name, sizeof(name), "%s.%s", field->name,
			 field->members[i].name);
		compare(near, key, name);
	}
}

static void add_members(const struct sdtkit_tap_field *field)
{
	size_t i;

	sdtkit_tap_add("; %s has ", field->name);
	for (i = 0; i < field->member_count; i++)
		sdtkit_tap_add("%s%s", i == 0 ? "" : ", ",
			       field->members[i].name);
}

void sdtkit_tap_add_parts(const struct sdtkit_tap_probe *probe, const char *key)
{
	struct near near = { 0 };
	long argument = -1;
	size_t i;

	for (i = 0; key != NULL && i < probe->field_count; i++)
		compare_all(&near, key, &probe->fields[i]);
	for (i = 0; i < NEAR && near.found[i].percent > 0; i++)
		sdtkit_tap_add("%s%s", i == 0 ? "; similar ones: " : ", ",
			       near.found[i].name);
	sdtkit_tap_add("; it has %zu", probe->field_count);
	for (i = 0; i < probe->field_count; i++)
		sdtkit_tap_add("%s%s", i == 0 ? ": " : ", ",
			       *probe->fields[i].name != '\0' ?
			       probe->fields[i].name : "(no name)");
	if (key != NULL && strchr(key, '.') != NULL)
		argument = find_argument(probe, key, strcspn(key, "."));
	if (argument >= 0 && probe->fields[argument].member_count > 0)
		add_members(&probe->fields[argument]);
}
