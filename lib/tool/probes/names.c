/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of values, see names.h.  A binary has them in a note of type 4
 * (docs/format.md).  A manifest has a list of enums, to which arguments and
 * members refer by name:
 *
 *	{"name": "smb2_command", "values": [
 *	 {"name": "CREATE", "value": "5", "number": 5}]}
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "probes/names.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static bool complain(const struct interface *interface, const char *text)
{
	tool_complain("%s: not a manifest of probegen: %s", interface->path,
		      text);
	return false;
}

static bool read_values(struct interface *interface, const char *name,
			json_t *values, const struct sdtkit_enum **names)
{
	size_t count = json_array_size(values), i;
	struct sdtkit_enumerator *enumerators =
		obstack_alloc(&interface->arena, (count + 1) *
			      sizeof(enumerators[0]));
	struct sdtkit_enum read = { name, count, enumerators };
	json_error_t error;

	for (i = 0; i < count; i++) {
		json_int_t number;

		if (json_unpack_ex(json_array_get(values, i), &error, 0,
				   "{s:s, s:I}", "name", &enumerators[i].name,
				   "number", &number) != 0)
			return complain(interface, error.text);
		enumerators[i].value = number;
	}
	*names = obstack_copy(&interface->arena, &read, sizeof(read));
	return true;
}

bool names_read(struct interface *interface, json_t *enums, json_t *value,
		const struct sdtkit_enum **names)
{
	const char *name = json_string_value(value), *other;
	size_t i;

	*names = NULL;
	if (name == NULL)
		return true;
	for (i = 0; i < json_array_size(enums); i++) {
		json_t *one = json_array_get(enums, i);

		other = json_string_value(json_object_get(one, "name"));
		if (other != NULL && strcmp(other, name) == 0)
			return read_values(interface, name,
					   json_object_get(one, "values"),
					   names);
	}
	return complain(interface, "an argument or a member has an enum that "
			"is not listed");
}

const struct sdtkit_enumerator *names_find(const struct sdtkit_enum *names,
					   const char *name)
{
	size_t i;

	for (i = 0; i < names->enumerator_count; i++) {
		if (strcmp(names->enumerators[i].name, name) == 0)
			return &names->enumerators[i];
	}
	return NULL;
}

const struct sdtkit_enumerator *
names_find_value(const struct sdtkit_enum *names, int64_t value)
{
	size_t i;

	for (i = 0; i < names->enumerator_count; i++) {
		if (names->enumerators[i].value == value)
			return &names->enumerators[i];
	}
	return NULL;
}

char *names_text(const struct sdtkit_enum *names)
{
	char *text;
	size_t i;
	FILE *file = tool_open_text(&text);

	for (i = 0; i < names->enumerator_count; i++)
		fprintf(file, "%s%s=%" PRId64, i > 0 ? " " : "",
			names->enumerators[i].name,
			names->enumerators[i].value);
	tool_close_text(file);
	return text;
}
