/* SPDX-License-Identifier: BSD-2-Clause */
/* Both sides of a record, see record.h. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "record.h"

static size_t value_count(const struct sdtkit_tap_event *event, bool name_only)
{
	return name_only ? 0 : event->value_count;
}

/* What is behind the name of an argument, or NULL. */
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
	if (*length > string_limit)
		*length = string_limit;
	return value->text;
}

size_t sdtkit_record_size(const struct sdtkit_tap_event *event,
			  size_t string_limit, bool name_only)
{
	const struct sdtkit_tap_probe *probe = event->probe;
	size_t count = value_count(event, name_only), size, length, i;

	size = sizeof(struct sdtkit_record) +
	       count * sizeof(struct sdtkit_record_value) +
	       strlen(probe->provider) + strlen(probe->probe) + 2;
	for (i = 0; i < count; i++) {
		size += strlen(probe->fields[i].type) +
			strlen(probe->fields[i].name) + 2;
		if (text_of(&event->values[i], string_limit, &length) != NULL)
			size += length + 1;
	}
	return size;
}

/* stpcpy() behind the NUL. */
static char *put(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	to[length] = '\0';
	return to + length + 1;
}

static char *put_value(const struct sdtkit_tap_event *event, size_t i,
		       size_t string_limit, struct sdtkit_record_value *to,
		       char *at)
{
	const struct sdtkit_tap_value *value = &event->values[i];
	const struct sdtkit_tap_field *field = &event->probe->fields[i];
	const char *text;
	size_t length;

	at = put(at, field->type, strlen(field->type));
	at = put(at, field->name, strlen(field->name));
	text = text_of(value, string_limit, &length);
	*to = (struct sdtkit_record_value) {
		.bits = value->bits,
		.length = (uint32_t)length,
		.kind = (uint8_t)value->kind,
		.size = (uint8_t)value->size,
	};
	if (text == NULL)
		return at;
	to->flags = value->why != NULL ? SDTKIT_RECORD_WHY : SDTKIT_RECORD_TEXT;
	if (value->why == NULL && (value->cut || length < value->length))
		to->flags |= SDTKIT_RECORD_CUT;
	return put(at, text, length);
}

void sdtkit_record_write(const struct sdtkit_tap_event *event,
			 size_t string_limit, bool name_only, size_t size,
			 void *record)
{
	const struct sdtkit_tap_probe *probe = event->probe;
	struct sdtkit_record *to = record;
	size_t count = value_count(event, name_only), i;
	char *at = (char *)&to->values[count];

	*to = (struct sdtkit_record) {
		.time = event->time,
		.pid = (uint32_t)event->pid,
		.tid = (uint32_t)event->tid,
		.size = (uint32_t)size,
		.value_count = (uint16_t)count,
		.described = probe->described,
	};
	at = put(at, probe->provider, strlen(probe->provider));
	at = put(at, probe->probe, strlen(probe->probe));
	for (i = 0; i < count; i++)
		at = put_value(event, i, string_limit, &to->values[i], at);
}

/* The strings of a record that are not read yet. */
struct rest {
	const char *at;
	size_t size;
};

/* A string of that length, or if it is SIZE_MAX of any; NULL: none. */
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

static double number_of(const struct sdtkit_record_value *value)
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

static bool get_value(const struct sdtkit_record_value *from,
		      struct rest *rest, struct sdtkit_tap_field *field,
		      struct sdtkit_tap_value *value)
{
	const char *text = NULL;

	field->wire = field->operand = "";
	field->type = get(rest, SIZE_MAX);
	field->name = field->type != NULL ? get(rest, SIZE_MAX) : NULL;
	if (field->name == NULL || from->kind > SDTKIT_TAP_STRING)
		return false;
	if (from->flags & (SDTKIT_RECORD_TEXT | SDTKIT_RECORD_WHY)) {
		text = get(rest, from->length);
		if (text == NULL)
			return false;
	}
	*value = (struct sdtkit_tap_value) {
		.kind = (enum sdtkit_tap_kind)from->kind,
		.size = from->size,
		.bits = from->bits,
		.number = number_of(from),
		.text = from->flags & SDTKIT_RECORD_TEXT ? text : NULL,
		.length = from->flags & SDTKIT_RECORD_TEXT ? from->length : 0,
		.cut = (from->flags & SDTKIT_RECORD_CUT) != 0,
		.why = from->flags & SDTKIT_RECORD_WHY ? text : NULL,
	};
	return true;
}

bool sdtkit_record_read(const void *record, size_t size,
			struct sdtkit_record_event *to)
{
	const struct sdtkit_record *from = record;
	size_t count, begin, i;
	struct rest rest;

	if (size < sizeof(*from) || from->size > size ||
	    from->value_count > SDTKIT_TAP_ARGUMENTS_MAX)
		return false;
	count = from->value_count;
	begin = sizeof(*from) + count * sizeof(from->values[0]);
	if (from->size < begin)
		return false;
	rest = (struct rest) { (const char *)record + begin,
			       from->size - begin };
	to->probe = (struct sdtkit_tap_probe) {
		.summary = "",
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
	to->event = (struct sdtkit_tap_event) {
		.probe = &to->probe,
		.time = from->time,
		.pid = (pid_t)from->pid,
		.tid = (pid_t)from->tid,
		.value_count = count,
	};
	for (i = 0; i < count; i++) {
		if (!get_value(&from->values[i], &rest, &to->fields[i],
			       &to->event.values[i]))
			return false;
	}
	return true;
}
