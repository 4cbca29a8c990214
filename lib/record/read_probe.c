/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Slots and texts of a recorder's file -> probes; see read_parts.h, and
 * struct sdtkit_record_probe for the layout.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read_parts.h"

/* What was not read yet of a slot's text. */
struct rest {
	char *at;
	size_t size;
};

static bool take(struct rest *rest, void *to, size_t size)
{
	if (size > rest->size)
		return false;
	memcpy(to, rest->at, size);
	rest->at += size;
	rest->size -= size;
	return true;
}

static const char *take_string(struct rest *rest)
{
	size_t length = strnlen(rest->at, rest->size);
	char *string = rest->at;

	if (length == rest->size)
		return NULL;
	rest->at += length + 1;
	rest->size -= length + 1;
	return string;
}

static bool take_strings(struct rest *rest, const char **strings[],
			 size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		*strings[i] = take_string(rest);
		if (*strings[i] == NULL)
			return false;
	}
	return true;
}

/* Makes the array that a pointer points to larger; its contents stay. */
static bool grow(void *pointer, size_t count, size_t size)
{
	void *array;

	memcpy(&array, pointer, sizeof(array));
	array = realloc(array, count * size);
	if (array == NULL)
		return false;
	memcpy(pointer, &array, sizeof(array));
	return true;
}

static bool take_enumerators(struct rest *rest, size_t count,
			     struct sdtkit_record_seen *seen)
{
	size_t all = seen->enumerator_count + count;
	struct sdtkit_tap_enumerator *to;

	/* Each takes a value and a NUL at least. */
	if (count > rest->size / 9 ||
	    (count > 0 && !grow(&seen->enumerators, all, sizeof(*to))))
		return false;
	for (; seen->enumerator_count < all; seen->enumerator_count++) {
		to = &seen->enumerators[seen->enumerator_count];
		if (!take(rest, &to->value, sizeof(to->value)))
			return false;
		to->name = take_string(rest);
		if (to->name == NULL)
			return false;
	}
	return true;
}

static bool take_field(struct rest *rest, struct sdtkit_record_seen *seen,
		       struct sdtkit_record_field *raw,
		       struct sdtkit_tap_field *field)
{
	const char **strings[] = { &field->wire, &field->type, &field->name,
				   &field->operand };

	if (!take(rest, raw, sizeof(*raw)) ||
	    !take_strings(rest, strings, 4) ||
	    raw->kind > SDTKIT_TAP_STRING || raw->size > 8)
		return false;
	field->enumerator_count = raw->enumerator_count;
	return take_enumerators(rest, raw->enumerator_count, seen);
}

/* Whether the member lies in its record, as its parts say. */
static bool is_member(const struct sdtkit_record_field *raw, size_t record_size)
{
	uint32_t count = raw->counts[0] > 0 ? raw->counts[0] : 1;

	if (raw->counts[1] > 0)
		count *= raw->counts[1];
	if ((size_t)raw->offset + raw->bytes > record_size)
		return false;
	if (raw->flags & SDTKIT_RECORD_IN_PLACE)
		return raw->bytes > 0;
	return raw->bytes == 0 ||
	       (uint64_t)count * raw->size == raw->bytes;
}

static bool take_members(struct rest *rest, struct sdtkit_record_seen *seen,
			 size_t i)
{
	struct sdtkit_record_field *raw = &seen->raw[i];
	struct sdtkit_tap_field *field = &seen->fields[i];
	size_t first = seen->member_count, j;

	if (raw->member_count == 0)
		return true;
	/* Each takes its numbers and four NULs at least. */
	if (raw->member_count > rest->size / (sizeof(*raw) + 4))
		return false;
	if (!grow(&seen->raw_members, first + raw->member_count,
		  sizeof(seen->raw_members[0])) ||
	    !grow(&seen->members, first + raw->member_count,
		  sizeof(seen->members[0])))
		return false;
	for (j = first; j < first + raw->member_count; j++) {
		memset(&seen->members[j], 0, sizeof(seen->members[j]));
		if (!take_field(rest, seen, &seen->raw_members[j],
				&seen->members[j]) ||
		    !is_member(&seen->raw_members[j], raw->record_size))
			return false;
	}
	field->member_count = raw->member_count;
	seen->member_count += raw->member_count;
	return true;
}

/* Goes to the enumerators of the next field. */
static void link_enumerators(struct sdtkit_record_seen *seen,
			     struct sdtkit_tap_field *field, size_t *next)
{
	if (field->enumerator_count > 0)
		field->enumerators = &seen->enumerators[*next];
	*next += field->enumerator_count;
}

/* The arrays have their places only now. */
static void link_arrays(struct sdtkit_record_seen *seen)
{
	size_t first = 0, next = 0, i, j;

	for (i = 0; i < seen->probe.field_count; i++) {
		struct sdtkit_tap_field *field = &seen->fields[i];

		link_enumerators(seen, field, &next);
		if (field->member_count > 0)
			field->members = &seen->members[first];
		for (j = 0; j < field->member_count; j++)
			link_enumerators(seen, &seen->members[first + j],
					 &next);
		first += field->member_count;
	}
}

static bool parse(struct sdtkit_record_seen *seen, size_t size)
{
	struct sdtkit_tap_probe *probe = &seen->probe;
	const char **names[] = { &probe->provider, &probe->probe,
				 &probe->summary, &probe->object };
	struct rest rest = { seen->text, size };
	struct sdtkit_record_probe head;
	size_t i;

	if (!take(&rest, &head, sizeof(head)) ||
	    head.field_count > SDTKIT_TAP_ARGUMENTS_MAX ||
	    !take_strings(&rest, names, 4))
		return false;
	probe->described = head.described != 0;
	probe->site_count = head.site_count;
	probe->fields = seen->fields;
	probe->field_count = head.field_count;
	for (i = 0; i < head.field_count; i++) {
		if (!take_field(&rest, seen, &seen->raw[i],
				&seen->fields[i]) ||
		    !take_members(&rest, seen, i))
			return false;
	}
	link_arrays(seen);
	return true;
}

static void free_seen(struct sdtkit_record_seen *seen)
{
	if (seen == NULL)
		return;
	free(seen->members);
	free(seen->enumerators);
	free(seen->raw_members);
	free(seen->text);
	free(seen);
}

/* Leaves *seen NULL if the text is damaged. */
static int read_probe(const struct sdtkit_record_map *map, uint64_t at,
		      uint32_t size, struct sdtkit_record_seen **seen)
{
	struct sdtkit_record_seen *s;

	if (at > map->texts_size || size > map->texts_size - at)
		return 0;
	s = calloc(1, sizeof(*s));
	if (s != NULL)
		s->text = malloc((size_t)size + 1);
	if (s == NULL || s->text == NULL) {
		free(s);
		return sdtkit_record_no_memory();
	}
	memcpy(s->text, (const char *)map->file + map->texts_at + at, size);
	if (parse(s, size))
		*seen = s;
	else
		free_seen(s);
	return 0;
}

int sdtkit_record_read_probes(const struct sdtkit_record_map *map,
			      struct sdtkit_record_probes *probes)
{
	struct sdtkit_record_slot *slots = (struct sdtkit_record_slot *)
		(void *)((char *)map->file + map->slots_at);
	uint32_t used = atomic_load(&map->file->slots_used), size, i;
	int ret;

	if (used > map->slot_count)
		used = map->slot_count;
	for (i = 0; i < used; i++) {
		if (probes->was_read[i] || atomic_load(&slots[i].ready) != 1)
			continue;
		size = slots[i].size;
		if (size > map->texts_size - probes->size)
			continue;
		probes->was_read[i] = true;
		ret = read_probe(map, slots[i].at, size, &probes->by_id[i]);
		if (ret < 0)
			return ret;
		probes->size += size;
		if (probes->by_id[i] != NULL)
			probes->in_order[probes->count++] = probes->by_id[i];
	}
	return 0;
}

void sdtkit_record_free_probes(struct sdtkit_record_probes *probes)
{
	size_t i;

	for (i = 0; i < probes->count; i++)
		free_seen(probes->in_order[i]);
	probes->count = 0;
}
