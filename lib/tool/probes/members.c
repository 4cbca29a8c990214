/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of records, see members.h.  A binary has them in a note of type 2
 * (docs/format.md), where members of a record within the record have their
 * full names.  A manifest has a list of records, which refer to each other:
 *
 *	{"name": "conn_info", "size": 8, "members": [
 *	 {"name": "port", "type": "uint16_t", "wire": "u2", "offset": 0,
 *	  "size": 2, "array": null, "record": null},
 *	 {"name": "peer", "type": "peer_t", "wire": "", "offset": 4,
 *	  "size": 4, "array": null, "record": "peer"}]}
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "probes/declare.h"
#include "probes/members.h"
#include "probes/names.h"

enum {
	/* docs/language.md */
	RECORD_SIZE_MAX = 4096,
	/* One-byte members, and as many records that contain them. */
	MEMBERS_MAX = 2 * RECORD_SIZE_MAX,
	/* "u1*4096*4096" */
	WIRE_LENGTH = 64,
};

/* The state of reading a record of a manifest. */
struct reading {
	struct interface *interface;
	json_t *records;
	json_t *enums;
	struct sdtkit_layout_member *member;
	size_t count;
	size_t capacity;
	/* How many members were read, including inner records. */
	size_t seen;
};

static bool complain(const struct reading *reading, const char *text)
{
	tool_complain("%s: not a manifest of probegen: %s",
		      reading->interface->path, text);
	return false;
}

/*
 * Makes the wire type that the note of a binary has for the member: "u" and the
 * bytes of an element, "*2*3" for dimensions "[2][3]", "a16" for text.
 */
static void make_wire(char *text, const char *wire, const char *array,
		      unsigned int size)
{
	unsigned int counts[2] = { 1, 1 };
	int dimensions = 0;

	if (array != NULL)
		dimensions = sscanf(array, "[%4u][%4u]", &counts[0],
				    &counts[1]);
	if (wire[0] == 'p' || wire[0] == 'z') {
		snprintf(text, WIRE_LENGTH, "%c", wire[0]);
		return;
	}
	if (dimensions == 1 && strcmp(wire, "?1") == 0) {
		snprintf(text, WIRE_LENGTH, "a%u", size);
		return;
	}
	if (counts[0] > 0 && counts[1] > 0)
		size /= counts[0] * counts[1];
	snprintf(text, WIRE_LENGTH, "%c%u", wire[0], size);
	if (dimensions > 0)
		sprintf(text + strlen(text), "*%u", counts[0]);
	if (dimensions > 1)
		sprintf(text + strlen(text), "*%u", counts[1]);
}

static bool read_members(struct reading *reading, size_t index,
			 const char *prefix, unsigned int offset);

/* Looks only at records that come before this one, so that it ends. */
static bool read_inner(struct reading *reading, size_t before,
		       const char *record, const char *name,
		       unsigned int offset)
{
	char *prefix;
	bool good;
	size_t i;

	for (i = 0; i < before; i++) {
		json_t *value = json_array_get(reading->records, i);
		const char *other;

		other = json_string_value(json_object_get(value, "name"));
		if (other != NULL && strcmp(other, record) == 0)
			break;
	}
	if (i == before)
		return complain(reading, "a member is of a record that is not "
				"listed before");
	prefix = tool_format("%s.", name);
	good = read_members(reading, i, prefix, offset);
	free(prefix);
	return good;
}

static void add_member(struct reading *reading,
		       const struct sdtkit_layout_member *member)
{
	TOOL_GROW(reading->member, reading->count, reading->capacity);
	reading->member[reading->count++] = *member;
}

static bool read_member(struct reading *reading, size_t index, json_t *value,
			const char *prefix, unsigned int base)
{
	const char *name, *type, *wire, *array, *inner;
	char full[512], text[WIRE_LENGTH];
	struct sdtkit_layout_member member;
	json_error_t error;
	int offset, size;

	if (json_unpack_ex(value, &error, 0,
			   "{s:s, s:s, s:s, s:i, s:i}",
			   "name", &name, "type", &type, "wire", &wire,
			   "offset", &offset, "size", &size) != 0)
		return complain(reading, error.text);
	array = json_string_value(json_object_get(value, "array"));
	inner = json_string_value(json_object_get(value, "record"));
	if (offset < 0 || offset > RECORD_SIZE_MAX || size < 0 ||
	    size > RECORD_SIZE_MAX)
		return complain(reading, "the offset or size of a member is "
				"more than 4096");
	if (reading->seen++ >= MEMBERS_MAX ||
	    snprintf(full, sizeof(full), "%s%s", prefix, name) >=
	    (int)sizeof(full))
		return complain(reading, "a record has too many members, or "
				"the name of one is too long");
	if (inner != NULL)
		return read_inner(reading, index, inner, full,
				  base + (unsigned int)offset);
	make_wire(text, wire, array, (unsigned int)size);
	member = (struct sdtkit_layout_member) {
		.name = interface_keep(reading->interface, full),
		.type = type,
		.wire = interface_keep(reading->interface, text),
		.offset = base + (unsigned int)offset,
		.size = (unsigned int)size,
		.doc = "",
	};
	if (!names_read(reading->interface, reading->enums,
			json_object_get(value, "enum"), &member.names))
		return false;
	add_member(reading, &member);
	return true;
}

static bool read_members(struct reading *reading, size_t index,
			 const char *prefix, unsigned int offset)
{
	json_t *record = json_array_get(reading->records, index);
	json_t *members = json_object_get(record, "members");
	size_t i;

	if (!json_is_array(members))
		return complain(reading, "'members' is not a list");
	for (i = 0; i < json_array_size(members); i++) {
		if (!read_member(reading, index, json_array_get(members, i),
				 prefix, offset))
			return false;
	}
	return true;
}

static const struct sdtkit_layout *finish(struct reading *reading)
{
	struct sdtkit_layout *record;

	record = obstack_alloc(&reading->interface->arena, sizeof(*record));
	*record = (struct sdtkit_layout) { .member_count = reading->count };
	if (reading->count > 0)
		record->members = obstack_copy(&reading->interface->arena,
					       reading->member,
					       reading->count *
					       sizeof(reading->member[0]));
	return record;
}

bool members_read(struct interface *interface, json_t *manifest,
		  const char *name, const struct sdtkit_layout **record)
{
	json_t *records = json_object_get(manifest, "records");
	struct reading reading = {
		.interface = interface,
		.records = records,
		.enums = json_object_get(manifest, "enums"),
	};
	bool good = true;
	size_t i;

	*record = NULL;
	for (i = 0; i < json_array_size(records); i++) {
		json_t *value = json_array_get(records, i);
		const char *other;

		other = json_string_value(json_object_get(value, "name"));
		if (other == NULL || strcmp(other, name) != 0)
			continue;
		good = read_members(&reading, i, "", 0);
		if (good)
			*record = finish(&reading);
		break;
	}
	free(reading.member);
	return good;
}

const struct sdtkit_layout_member *
members_find(const struct sdtkit_layout *record, const char *name)
{
	size_t i;

	for (i = 0; i < record->member_count; i++) {
		if (strcmp(record->members[i].name, name) == 0)
			return &record->members[i];
	}
	return NULL;
}

const struct sdtkit_layout_member *
members_find_at(const struct sdtkit_layout *record, uint32_t offset)
{
	size_t i;

	for (i = 0; i < record->member_count; i++) {
		if (record->members[i].offset == offset)
			return &record->members[i];
	}
	return NULL;
}

bool members_same_wire(const struct sdtkit_layout_member *a,
		       const struct sdtkit_layout_member *b)
{
	const char *first = a->wire, *second = b->wire;

	if (first[0] == '\0' || second[0] == '\0')
		return first[0] == second[0];
	if (strcmp(first + 1, second + 1) != 0)
		return false;
	return first[0] == second[0] ||
	       (first[0] == '?' && strchr("us", second[0]) != NULL) ||
	       (second[0] == '?' && strchr("us", first[0]) != NULL);
}

char *members_text(const char *argument,
		   const struct sdtkit_layout_member *member)
{
	char *name, *text;

	name = tool_format("%s%s%s", argument, argument[0] != '\0' ? "." : "",
			   member->name);
	text = declare(member->type, name);
	free(name);
	return text;
}
