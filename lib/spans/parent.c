/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parent.c - spans within spans.
 *
 *	parent=request			the parent has the same key
 *	parent=request(req)		the start has the key of the parent;
 *					the end, if there is no start
 *	parent=running			the span that the thread of the end runs
 */
#include <stdlib.h>
#include <string.h>

#include "inner.h"
#include "spans.h"

static int find_span(const struct spans *spans, const struct span *child,
		     const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < spans->count; i++) {
		const struct span *span = &spans->span[i];
		const char *colon = memchr(name, ':', length);

		if (colon == NULL &&
		    spans_same(span->text->name, name, length) &&
		    strcmp(span->provider, child->provider) == 0)
			return (int)i;
		if (colon != NULL &&
		    spans_same(span->provider, name, (size_t)(colon - name)) &&
		    spans_same(span->text->name, colon + 1,
			       length - (size_t)(colon + 1 - name)))
			return (int)i;
	}
	return SPAN_NO_PARENT;
}

/* Sets one of the arguments of a start that hold the key of the parent. */
static bool set_parent_key(const struct span_resolver *r, int at,
			   const char *item, size_t length)
{
	struct span *span = r->span;
	enum span_role role = span->has_start ? SPAN_STARTS : SPAN_ENDS;
	struct span_part *part;
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		part = &span->part[i];
		if (part->role != role)
			continue;
		part->parent[at] = spans_find_argument(r, part->probe, item,
						       length);
		if (part->parent[at] == SPAN_NO_ARGUMENT)
			return spans_fail_no_argument(r, SPAN_PARENT, item,
						      length, part->probe);
		if (!spans_check_type(r, SPAN_PARENT, part->probe,
				      part->parent[at]))
			return false;
	}
	return true;
}

static bool set_parent_keys(const struct span_resolver *r,
			    const struct span *parent, const char *list)
{
	const char *item;
	size_t length;
	int count;

	for (count = 0; (length = spans_item(&list, &item)) > 0; count++) {
		if (count < SPAN_KEYS &&
		    !set_parent_key(r, count, item, length))
			return false;
	}
	if (count != parent->num_keys)
		return spans_fail_in(r->text, "parent: the key of %.64s has %d "
				     "arguments, not %d", parent->text->name,
				     parent->num_keys, count);
	return true;
}

static bool has_cycle(const struct spans *spans, size_t from)
{
	int at = spans->span[from].parent;
	size_t steps;

	for (steps = 0; at >= 0 && steps <= spans->count; steps++)
		at = spans->span[at].parent;
	return at >= 0;
}

/* Without its parent in the files, a span of a note has none. */
bool spans_set_parent(struct spans *spans, size_t at, struct span_resolver *r)
{
	struct span *span = &spans->span[at];
	const char *value = span->text->value[SPAN_PARENT];
	const char *arguments = value;
	const struct span *parent;
	size_t length, size;
	char *list;
	bool good;

	span->parent = SPAN_NO_PARENT;
	if (value == NULL)
		return true;
	r->span = span;
	r->text = span->text;
	size = strlen(value);
	length = spans_unwrap(&arguments, &size);
	if (length == 0 && strpbrk(value, "()") != NULL)
		return spans_fail_in(span->text, "parent: invalid value '%.99s': "
				     "use SPAN or SPAN(ARG,...)", value);
	if (length == 0)
		length = size;
	span->parent = find_span(spans, span, value, length);
	if (span->parent < 0 && strcmp(value, "running") == 0) {
		span->parent = SPAN_RUNNING;
		span->same_key = true;
		return true;
	}
	if (span->parent < 0)
		return !span->text->option ||
		       spans_fail_in(span->text, "parent: there is no span "
				     "'%.*s'", (int)length, value);
	if (has_cycle(spans, at))
		return spans_fail_in(span->text, "parent: the span is its own "
				     "parent");
	parent = &spans->span[span->parent];
	span->same_key = value[length] == '\0';
	if (span->same_key) {
		if (parent->by_thread || (!span->by_thread &&
		    parent->num_keys == span->num_keys))
			return true;
		return spans_fail_in(span->text, "parent: %.64s has another "
				     "key: write parent=%.64s(ARG,...)",
				     parent->text->name, parent->text->name);
	}
	if (!spans_copy(&list, arguments, size))
		return false;
	good = set_parent_keys(r, parent, list);
	free(list);
	return good;
}
