/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes and reads entries, see entry.h. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "entry.h"

static size_t value_count(const struct sdtkit_tap_event *event, bool name_only)
{
	return name_only ? 0 : event->value_count;
}

static const char *summary(const struct sdtkit_tap_event *event, bool name_only)
{
	return name_only ? "" : event->probe->summary;
}

/* The text of a value that is written after the argument's name, or NULL. */
static const char *text_of(const struct sdtkit_tap_value *value,
			   size_t string_limit, size_t *length)
{
	*length = 0;
	if (value->why != NULL) {
		*length = strlen(value->why);
		return value->why;
	}
	if (value->text != NULL)
		*length = value->length;
	if (*length > string_limit && value->kind != SDTKIT_TAP_ARRAY)
		*length = string_limit;
	return value->text;
}

/* The name of the value of a number, or NULL. */
static const char *name_of(const struct sdtkit_tap_field *field,
			   const struct sdtkit_tap_value *value)
{
	if (value->kind != SDTKIT_TAP_SIGNED &&
	    value->kind != SDTKIT_TAP_UNSIGNED)
		return NULL;
	return sdtkit_tap_value_name(field, value->bits);
}

static size_t size_of_value(const struct sdtkit_tap_field *field,
			    const struct sdtkit_tap_value *value,
			    size_t string_limit)
{
	size_t size = sizeof(struct sdtkit_entry_value) +
		      strlen(field->type) + strlen(field->name) + 2, length;

	if (text_of(value, string_limit, &length) != NULL)
		size += length + 1;
	if (name_of(field, value) != NULL)
		size += strlen(name_of(field, value)) + 1;
	return size;
}

size_t sdtkit_entry_size(const struct sdtkit_tap_event *event,
			 size_t string_limit, bool name_only)
{
	const struct sdtkit_tap_probe *probe = event->probe;
	size_t count = value_count(event, name_only), size, i, j;

	size = sizeof(struct sdtkit_entry) +
	       strlen(probe->provider) + strlen(probe->probe) +
	       strlen(summary(event, name_only)) + 3;
	for (i = 0; i < count; i++) {
		const struct sdtkit_tap_value *value = &event->values[i];
		const struct sdtkit_tap_field *field = &probe->fields[i];

		size += size_of_value(field, value, string_limit);
		for (j = 0; j < value->member_count; j++)
			size += size_of_value(&field->members[j],
					      &value->members[j],
					      string_limit);
	}
	return size;
}

/* Like stpcpy(), but returns the address after the NUL. */
static char *put(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	to[length] = '\0';
	return to + length + 1;
}

static char *put_value(const struct sdtkit_tap_field *field,
		       const struct sdtkit_tap_value *value,
		       size_t string_limit, struct sdtkit_entry_value *to,
		       char *at)
{
	const char *text, *name = name_of(field, value);
	size_t length;

	at = put(at, field->type, strlen(field->type));
	at = put(at, field->name, strlen(field->name));
	text = text_of(value, string_limit, &length);
	*to = (struct sdtkit_entry_value) {
		.bits = value->bits,
		.length = (uint32_t)length,
		.member_count = (uint16_t)value->member_count,
		.counts = { (uint16_t)value->counts[0],
			    (uint16_t)value->counts[1] },
		.kind = (uint8_t)value->kind,
		.size = (uint8_t)value->size,
	};
	if (value->members != NULL)
		to->flags |= SDTKIT_ENTRY_MEMBERS;
	if (value->is_signed)
		to->flags |= SDTKIT_ENTRY_SIGNED;
	if (value->why == NULL &&
	    (value->cut || (text != NULL && length < value->length)))
		to->flags |= SDTKIT_ENTRY_CUT;
	if (text != NULL) {
		to->flags |= value->why != NULL ? SDTKIT_ENTRY_WHY :
						  SDTKIT_ENTRY_TEXT;
		at = put(at, text, length);
	}
	if (name == NULL)
		return at;
	to->flags |= SDTKIT_ENTRY_NAMED;
	return put(at, name, strlen(name));
}

static size_t member_count(const struct sdtkit_tap_event *event, size_t count)
{
	size_t members = 0, i;

	for (i = 0; i < count; i++)
		members += event->values[i].member_count;
	return members;
}

void sdtkit_entry_write(const struct sdtkit_tap_event *event,
			size_t string_limit, bool name_only, size_t size,
			void *entry)
{
	const struct sdtkit_tap_probe *probe = event->probe;
	const char *about = summary(event, name_only);
	struct sdtkit_entry *to = entry;
	size_t count = value_count(event, name_only), next = count, i, j;
	char *at = (char *)&to->values[count + member_count(event, count)];

	*to = (struct sdtkit_entry) {
		.time = event->time,
		.pid = (uint32_t)event->pid,
		.tid = (uint32_t)event->tid,
		.size = (uint32_t)size,
		.value_count = (uint16_t)count,
		.described = probe->described,
	};
	at = put(at, probe->provider, strlen(probe->provider));
	at = put(at, probe->probe, strlen(probe->probe));
	at = put(at, about, strlen(about));
	for (i = 0; i < count; i++) {
		const struct sdtkit_tap_value *value = &event->values[i];
		const struct sdtkit_tap_field *field = &probe->fields[i];

		at = put_value(field, value, string_limit, &to->values[i], at);
		for (j = 0; j < value->member_count; j++)
			at = put_value(&field->members[j], &value->members[j],
				       string_limit, &to->values[next++], at);
	}
}

/* The strings of an entry that have not been read yet. */
struct rest {
	const char *at;
	size_t size;
};

/*
 * Reads a string of that length, or of any length if it is SIZE_MAX. Returns
 * NULL if there is none.
 */
static const char *get(struct rest *rest, size_t length)
{
	const char *text = rest->at;

	if (length == SIZE_MAX)
		length = strnlen(text, rest->size);
	if (length >= rest->size || text[length] != '\0')
		return NULL;
	rest->at += length + 1;
	rest->size -= length + 1;
	return text;
}

static double number_of(const struct sdtkit_entry_value *value)
{
	uint32_t bits = (uint32_t)value->bits;
	float narrow;
	double wide;

	if (value->kind != SDTKIT_TAP_FLOAT)
		return 0;
	memcpy(&narrow, &bits, sizeof(narrow));
	memcpy(&wide, &value->bits, sizeof(wide));
	return value->size == sizeof(narrow) ? (double)narrow : wide;
}

/* An array must have as many numbers as its dimensions say. */
static bool is_array(const struct sdtkit_entry_value *from)
{
	uint64_t count = from->counts[0];

	if (from->counts[1] > 0)
		count *= from->counts[1];
	return (from->flags & SDTKIT_ENTRY_TEXT) != 0 && from->size > 0 &&
	       count * from->size == from->length;
}

static bool get_value(const struct sdtkit_entry_value *from,
		      struct rest *rest, struct sdtkit_tap_field *field,
		      struct sdtkit_tap_enumerator *name,
		      struct sdtkit_tap_value *value)
{
	const char *text = NULL;

	*field = (struct sdtkit_tap_field) { .wire = "", .operand = "" };
	field->type = get(rest, SIZE_MAX);
	field->name = field->type != NULL ? get(rest, SIZE_MAX) : NULL;
	if (field->name == NULL || from->kind > SDTKIT_TAP_ARRAY ||
	    (from->kind == SDTKIT_TAP_ARRAY && !is_array(from)))
		return false;
	if (from->flags & (SDTKIT_ENTRY_TEXT | SDTKIT_ENTRY_WHY)) {
		text = get(rest, from->length);
		if (text == NULL)
			return false;
	}
	if (from->flags & SDTKIT_ENTRY_NAMED) {
		name->name = get(rest, SIZE_MAX);
		name->value = (int64_t)from->bits;
		if (name->name == NULL)
			return false;
		field->enumerator_count = 1;
		field->enumerators = name;
	}
	*value = (struct sdtkit_tap_value) {
		.kind = (enum sdtkit_tap_kind)from->kind,
		.size = from->size,
		.bits = from->bits,
		.number = number_of(from),
		.text = from->flags & SDTKIT_ENTRY_TEXT ? text : NULL,
		.length = from->flags & SDTKIT_ENTRY_TEXT ? from->length : 0,
		.cut = (from->flags & SDTKIT_ENTRY_CUT) != 0,
		.why = from->flags & SDTKIT_ENTRY_WHY ? text : NULL,
		.is_signed = (from->flags & SDTKIT_ENTRY_SIGNED) != 0,
		.counts = { from->counts[0], from->counts[1] },
	};
	return true;
}

/* Whether the values include this number of members. */
static bool has_members(const struct sdtkit_entry *from, size_t size,
			size_t *count)
{
	size_t i;

	*count = 0;
	for (i = 0; i < from->value_count; i++)
		*count += from->values[i].member_count;
	return *count <= SDTKIT_TAP_MEMBERS_MAX &&
	       sizeof(*from) + (from->value_count + *count) *
	       sizeof(from->values[0]) <= size;
}

/*
 * Reads an argument and its members; first is the number of its first member
 * among those of all arguments.
 */
static bool get_argument(const struct sdtkit_entry *from, size_t i,
			 size_t first, struct rest *rest,
			 struct sdtkit_entry_event *to)
{
	const struct sdtkit_entry_value *value = &from->values[i];
	size_t j;

	if (!get_value(value, rest, &to->fields[i], &to->names[i],
		       &to->event.values[i]))
		return false;
	for (j = first; j < first + value->member_count; j++) {
		if (!get_value(&from->values[from->value_count + j], rest,
			       &to->member_fields[j], &to->member_names[j],
			       &to->members[j]))
			return false;
	}
	if ((value->flags & SDTKIT_ENTRY_MEMBERS) == 0)
		return value->member_count == 0;
	to->fields[i].member_count = value->member_count;
	to->fields[i].members = &to->member_fields[first];
	to->event.values[i].member_count = value->member_count;
	to->event.values[i].members = &to->members[first];
	return true;
}

bool sdtkit_entry_read(const void *entry, size_t size,
		       struct sdtkit_entry_event *to)
{
	const struct sdtkit_entry *from = entry;
	size_t count, members, begin, i, first = 0;
	struct rest rest;

	if (size < sizeof(*from) || from->size > size ||
	    from->value_count > SDTKIT_TAP_ARGUMENTS_MAX)
		return false;
	count = from->value_count;
	if (from->size < sizeof(*from) + count * sizeof(from->values[0]) ||
	    !has_members(from, from->size, &members))
		return false;
	begin = sizeof(*from) + (count + members) * sizeof(from->values[0]);
	rest = (struct rest) { (const char *)entry + begin,
			       from->size - begin };
	to->lost = from->lost;
	to->probe = (struct sdtkit_tap_probe) {
		.object = "",
		.described = from->described != 0,
		.field_count = count,
		.fields = to->fields,
	};
	to->probe.provider = get(&rest, SIZE_MAX);
	if (to->probe.provider == NULL)
		return false;
	to->probe.probe = get(&rest, SIZE_MAX);
	if (to->probe.probe == NULL)
		return false;
	to->probe.summary = get(&rest, SIZE_MAX);
	if (to->probe.summary == NULL)
		return false;
	to->event = (struct sdtkit_tap_event) {
		.probe = &to->probe,
		.time = from->time,
		.pid = (pid_t)from->pid,
		.tid = (pid_t)from->tid,
		.value_count = count,
	};
	for (i = 0; i < count; i++) {
		if (!get_argument(from, i, first, &rest, to))
			return false;
		first += from->values[i].member_count;
	}
	return true;
}
