/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The classes of events, see ctf_class.h. A class is found by a key, which has
 * all that the metadata say of it:
 *
 *	"smb2\0" "request_start\0" form "mid\0" "uint64_t\0" form ...
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/bytes.h"
#include "trace/ctf_class.h"
#include "trace/ctf_form.h"
#include "trace/ctf_labels.h"

struct class {
	uint32_t id;
	/* For each form; NULL if no field has names of values. */
	struct ctf_labels *labels;
	size_t size;
	const char *key;
};

static void *tree;
static uint32_t class_count;

static int by_key(const void *first, const void *second)
{
	const struct class *a = first, *b = second;

	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a->key, b->key, a->size);
}

static void put_text(struct tracing_bytes *key, const char *text)
{
	tracing_bytes_put(key, text, strlen(text) + 1);
}

static void put_field(struct tracing_bytes *key,
		      const struct sdtkit_tap_field *field,
		      const struct ctf_form *form)
{
	tracing_bytes_put(key, form, sizeof(*form));
	put_text(key, field->name);
	put_text(key, field->type);
}

static void make_key(const struct sdtkit_tap_event *event,
		     const struct ctf_form *forms, struct tracing_bytes *key)
{
	const struct sdtkit_tap_probe *probe = event->probe;
	size_t i, j;

	put_text(key, probe->provider);
	put_text(key, probe->probe);
	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_field *field = &probe->fields[i];
		size_t members = forms->member_count;

		put_field(key, field, forms++);
		for (j = 0; j < members; j++)
			put_field(key, &field->members[j], forms++);
	}
}

static struct class *new_class(const struct tracing_bytes *key)
{
	struct class *class = malloc(sizeof(*class) + key->size);

	if (class == NULL)
		tool_no_memory();
	*class = (struct class) {
		.id = class_count++,
		.size = key->size,
		.key = memcpy(class + 1, key->data, key->size),
	};
	if (tsearch(class, &tree, by_key) == NULL)
		tool_no_memory();
	return class;
}

/* Adds the names of a field's values; false if there is nothing new. */
static bool add_labels(struct class *class, size_t index,
		       const struct sdtkit_tap_field *field,
		       const struct ctf_form *form)
{
	if (field->enumerator_count == 0 ||
	    (form->kind != CTF_UNSIGNED && form->kind != CTF_SIGNED &&
	     form->kind != CTF_ARRAY))
		return false;
	return ctf_labels_add(&class->labels[index], field);
}

static bool has_labels(const struct sdtkit_tap_event *event)
{
	size_t i, j;

	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_field *field = &event->probe->fields[i];

		if (field->enumerator_count > 0)
			return true;
		for (j = 0; j < field->member_count; j++) {
			if (field->members[j].enumerator_count > 0)
				return true;
		}
	}
	return false;
}

/* Returns whether a value has a name that is new to the class. */
static bool name_values(struct class *class,
			const struct sdtkit_tap_event *event,
			const struct ctf_form *forms)
{
	bool is_new = false;
	size_t index = 0, i, j;

	if (class->labels == NULL)
		class->labels = calloc(CTF_VALUES_MAX,
				       sizeof(class->labels[0]));
	if (class->labels == NULL)
		tool_no_memory();
	for (i = 0; i < event->value_count; i++) {
		const struct sdtkit_tap_field *field = &event->probe->fields[i];
		size_t members = forms[index].member_count;

		is_new |= add_labels(class, index, field, &forms[index]);
		index++;
		for (j = 0; j < members; j++, index++)
			is_new |= add_labels(class, index, &field->members[j],
					     &forms[index]);
	}
	return is_new;
}

uint32_t ctf_class(const struct sdtkit_tap_event *event,
		   const struct ctf_form *forms,
		   const struct ctf_labels **labels, bool *is_new)
{
	static struct tracing_bytes key;
	struct class wanted, *class;
	struct class *const *found;

	key.size = 0;
	make_key(event, forms, &key);
	wanted = (struct class) { .size = key.size, .key = key.data };
	found = tfind(&wanted, &tree, by_key);
	class = found != NULL ? *found : new_class(&key);
	*is_new = found == NULL;
	if (has_labels(event) && name_values(class, event, forms) && !*is_new) {
		/* Events so far keep the class without that name. */
		class->id = class_count++;
		*is_new = true;
	}
	*labels = class->labels;
	return class->id;
}
