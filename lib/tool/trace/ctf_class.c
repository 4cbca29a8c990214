/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The classes of events, see ctf_class.h. A class is found by a key, which has
 * all that the metadata say of it: each process that a command executes has
 * described its probes anew.
 *
 *	"smb2\0" "request_start\0" form "mid\0" "uint64_t\0" names form ...
 *
 * Such a key is made once for the forms of a probe, which are compared at each
 * event.
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

struct class {
	uint32_t id;
	size_t size;
	const char *key;
};

/* The class of events whose probe is at this address, with these forms. */
struct known {
	const struct sdtkit_tap_probe *probe;
	uint32_t class_id;
	size_t size;
	const struct ctf_form *forms;
};

static void *tree, *known_tree;
static uint32_t class_count;

static int by_key(const void *first, const void *second)
{
	const struct class *a = first, *b = second;

	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a->key, b->key, a->size);
}

static int by_probe(const void *first, const void *second)
{
	const struct known *a = first, *b = second;

	if (a->probe != b->probe)
		return a->probe < b->probe ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a->forms, b->forms, a->size);
}

static void put_text(struct tracing_bytes *key, const char *text)
{
	tracing_bytes_put(key, text, strlen(text) + 1);
}

static void put_field(struct tracing_bytes *key,
		      const struct sdtkit_tap_field *field,
		      const struct ctf_form *form)
{
	size_t i;

	tracing_bytes_put(key, form, sizeof(*form));
	put_text(key, field->name);
	put_text(key, field->type);
	for (i = 0; i < field->enumerator_count; i++) {
		const struct sdtkit_tap_enumerator *one =
			&field->enumerators[i];

		tracing_bytes_put(key, &one->value, sizeof(one->value));
		put_text(key, one->name);
	}
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

static uint32_t find_class(const struct sdtkit_tap_event *event,
			   const struct ctf_form *forms, bool *is_new)
{
	static struct tracing_bytes key;
	struct class *const *found;
	struct class wanted;

	key.size = 0;
	make_key(event, forms, &key);
	wanted = (struct class) { .size = key.size, .key = key.data };
	found = tfind(&wanted, &tree, by_key);
	*is_new = found == NULL;
	return found != NULL ? (*found)->id : new_class(&key)->id;
}

static void know(const struct known *wanted)
{
	struct known *known = malloc(sizeof(*known) + wanted->size);

	if (known == NULL)
		tool_no_memory();
	*known = *wanted;
	known->forms = memcpy(known + 1, wanted->forms, wanted->size);
	if (tsearch(known, &known_tree, by_probe) == NULL)
		tool_no_memory();
}

uint32_t ctf_class(const struct sdtkit_tap_event *event,
		   const struct ctf_form *forms, bool *is_new)
{
	struct known wanted = { .probe = event->probe, .forms = forms };
	struct known *const *found;
	size_t count = 0, i;

	for (i = 0; i < event->value_count; i++)
		count += 1 + forms[count].member_count;
	wanted.size = count * sizeof(forms[0]);
	found = tfind(&wanted, &known_tree, by_probe);
	*is_new = false;
	if (found != NULL)
		return (*found)->class_id;
	wanted.class_id = find_class(event, forms, is_new);
	know(&wanted);
	return wanted.class_id;
}
