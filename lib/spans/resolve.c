/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * resolve.c - spans as probes and arguments.
 *
 * str(ARG) is a string where the file does not tell the types of arguments, and
 * host(ARG) is one, too: a network address, of which the port does not matter.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner.h"
#include "lib/base/grow.h"
#include "spans.h"

static bool add_part(struct span *span, size_t probe, enum span_role role)
{
	struct span_part *part;
	size_t i;

	if (sdtkit_grow(&span->part, span->num_parts, &span->max_parts,
			sizeof(*part)) < 0)
		return spans_fail_memory();
	part = &span->part[span->num_parts++];
	part->probe = probe;
	part->role = role;
	part->error = SPAN_NO_ARGUMENT;
	part->time = SPAN_NO_ARGUMENT;
	for (i = 0; i < SPAN_KEYS; i++) {
		part->key[i] = SPAN_NO_ARGUMENT;
		part->parent[i] = SPAN_NO_ARGUMENT;
	}
	for (i = 0; i < SPAN_NAMES; i++)
		part->name[i] = SPAN_NO_ARGUMENT;
	for (i = 0; i < SPAN_SUMS; i++)
		part->sum[i] = SPAN_NO_ARGUMENT;
	return true;
}

static bool has_part(const struct span *span, size_t probe)
{
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		if (span->part[i].probe == probe)
			return true;
	}
	return false;
}

/* Adds the probes of a property; *any is whether there was one. */
static bool add_parts(const struct span_resolver *r,
		      enum span_property property, enum span_role role,
		      bool *any)
{
	const char *list = r->text->value[property];
	const char *item;
	size_t length;
	size_t probe;

	*any = false;
	if (list == NULL)
		return true;
	while ((length = spans_item(&list, &item)) > 0) {
		if (!spans_find_probe(r, item, length, &probe))
			return false;
		if (probe < r->count && has_part(r->span, probe))
			return spans_fail_in(r->text, "probe '%.*s' is in two "
					     "places of the span",
					     (int)length, item);
		if (probe < r->count) {
			if (!add_part(r->span, probe, role))
				return false;
			*any = true;
		} else if (r->text->option) {
			return spans_fail_no_probe(r, item, length);
		}
	}
	return true;
}

/* str(ARG) or host(ARG) -> ARG; returns whether it was the given word. */
static bool strip(const char **text, size_t *length, const char *word)
{
	if (strncmp(*text, word, strlen(word)) != 0)
		return false;
	return spans_unwrap(text, length) > 0;
}

/* What an argument is called in the table: the last name in its text. */
static void set_label(struct span_label *label, const char *item, size_t length)
{
	const char *slash = memchr(item, '/', length);
	const char *dot;

	if (slash != NULL)
		length = (size_t)(slash - item);
	dot = spans_last_dot(item, length);
	if (dot != NULL) {
		length -= (size_t)(dot + 1 - item);
		item = dot + 1;
	}
	snprintf(label->name, sizeof(label->name), "%.*s", (int)length, item);
}

/* Takes the type of a label from an argument that it stands for. */
static void describe(const struct span_resolver *r, struct span_label *label,
		     size_t probe, int argument)
{
	const struct sdtkit_argument *a =
		&r->probes[probe].arguments[argument];

	if (label->names == NULL)
		label->names = a->names;
	label->is_text |= a->wire[0] == 'z';
	label->is_address |= a->wire[0] == 'p';
	label->is_signed |= a->wire[0] == 's';
	if (strncmp(label->name, "arg", 3) == 0 && a->name[0] != '\0')
		snprintf(label->name, sizeof(label->name), "%s", a->name);
}

/* Every probe of the span has the key. */
static bool set_key(const struct span_resolver *r, const char *item,
		    size_t length)
{
	struct span *span = r->span;
	struct span_part *part;
	size_t i;
	int found;

	if (span->num_keys == SPAN_KEYS)
		return spans_fail_in(r->text, "key has more than %d arguments",
				     SPAN_KEYS);
	for (i = 0; i < span->num_parts; i++) {
		part = &span->part[i];
		found = spans_find_argument(r, part->probe, item, length);
		if (found == SPAN_NO_ARGUMENT)
			return spans_fail_no_argument(r, SPAN_KEY, item,
						      length, part->probe);
		if (!spans_check_type(r, SPAN_KEY, part->probe, found))
			return false;
		part->key[span->num_keys] = found;
	}
	span->num_keys++;
	return true;
}

static bool set_keys(const struct span_resolver *r)
{
	const char *list = r->text->value[SPAN_KEY];
	const char *item;
	size_t length;

	if (list == NULL)
		return true;
	r->span->by_thread = strcmp(list, "tid") == 0;
	if (r->span->by_thread)
		return true;
	while ((length = spans_item(&list, &item)) > 0) {
		if (!set_key(r, item, length))
			return false;
	}
	return true;
}

/* Sets an argument in all starts and ends that have it; one has to. */
static bool set_argument(const struct span_resolver *r,
			 enum span_property property, const char *item,
			 size_t length, int at, struct span_label *label)
{
	struct span *span = r->span;
	struct span_part *part;
	bool any = false;
	size_t i;
	int found;

	label->is_host = property == SPAN_NAME && strip(&item, &length, "host(");
	label->is_text = label->is_host ||
		(property == SPAN_NAME && strip(&item, &length, "str("));
	set_label(label, item, length);
	for (i = 0; i < span->num_parts; i++) {
		part = &span->part[i];
		if (part->role != SPAN_ENDS &&
		    (part->role != SPAN_STARTS || property == SPAN_ERROR))
			continue;
		found = spans_find_argument(r, part->probe, item, length);
		if (found == SPAN_NO_ARGUMENT)
			continue;
		if (!spans_check_type(r, property, part->probe, found))
			return false;
		any = true;
		describe(r, label, part->probe, found);
		if (property == SPAN_NAME)
			part->name[at] = found;
		else if (property == SPAN_SUM)
			part->sum[at] = found;
		else
			part->error = found;
	}
	if (any)
		return true;
	if (!span->has_start && r->text->value[SPAN_START] != NULL)
		return spans_fail_in(r->text, "%s: its start, %.99s, has no "
				     "site here, and no end has the argument "
				     "'%.*s'", spans_property_name(property),
				     r->text->value[SPAN_START], (int)length,
				     item);
	for (i = 0; span->part[i].role != SPAN_ENDS; i++)
		;
	return spans_fail_no_argument(r, property, item, length,
				      span->part[i].probe);
}

static bool set_list(const struct span_resolver *r, enum span_property property,
		     const char *list, struct span_label *labels, int limit,
		     int *count)
{
	const char *item;
	size_t length;

	if (list == NULL)
		return true;
	while ((length = spans_item(&list, &item)) > 0) {
		if (*count == limit)
			return spans_fail_in(r->text, "%s has more than %d "
					     "arguments",
					     spans_property_name(property),
					     limit);
		if (!set_argument(r, property, item, length, *count,
				  &labels[*count]))
			return false;
		(*count)++;
	}
	return true;
}

/* If one of the arguments is not there, the span is not grouped. */
static bool set_names(const struct span_resolver *r)
{
	struct span *span = r->span;
	size_t i;
	int j;

	if (r->text->by == NULL)
		return set_list(r, SPAN_NAME, r->text->value[SPAN_NAME],
				span->name, SPAN_NAMES, &span->num_names);
	span->grouped = set_list(r, SPAN_NAME, r->text->by, span->name,
				 SPAN_NAMES, &span->num_names);
	if (span->grouped)
		return true;
	span->num_names = 0;
	for (i = 0; i < span->num_parts; i++) {
		for (j = 0; j < SPAN_NAMES; j++)
			span->part[i].name[j] = SPAN_NO_ARGUMENT;
	}
	return true;
}

bool spans_value(const struct sdtkit_enum *names, const char *item,
		 size_t length, int64_t *value)
{
	char text[32];
	char *end;
	size_t i;

	for (i = 0; names != NULL && i < names->enumerator_count; i++) {
		if (!spans_same(names->enumerators[i].name, item, length))
			continue;
		*value = names->enumerators[i].value;
		return true;
	}
	snprintf(text, sizeof(text), "%.*s", (int)length, item);
	*value = text[0] == '-' ? (int64_t)strtoll(text, &end, 0) :
		(int64_t)strtoull(text, &end, 0);
	return end > text && *end == '\0';
}

static bool set_error(const struct span_resolver *r)
{
	const char *value = r->text->value[SPAN_ERROR];
	const char *list = r->text->value[SPAN_OK];
	struct span *span = r->span;
	const char *item;
	size_t length;

	if (value == NULL && list != NULL)
		return spans_fail_in(r->text, "ok needs error=ARG");
	if (value == NULL)
		return true;
	length = strlen(value);
	span->has_error = true;
	span->negative = length > 2 && strcmp(value + length - 2, "<0") == 0;
	if (span->negative && list != NULL)
		return spans_fail_in(r->text, "use either ok, or error=ARG<0");
	length -= span->negative ? 2 : 0;
	if (!set_argument(r, SPAN_ERROR, value, length, 0, &span->error))
		return false;
	if (list == NULL) {
		span->num_ok = 1;
		return true;
	}
	while ((length = spans_item(&list, &item)) > 0) {
		if (span->num_ok == SPAN_OKS)
			return spans_fail_in(r->text, "ok has more than %d "
					     "values", SPAN_OKS);
		if (!spans_value(span->error.names, item, length,
				 &span->ok[span->num_ok++]))
			return spans_fail_in(r->text, "ok: '%.*s' is neither a "
					     "number nor a name of a value of "
					     "%.64s", (int)length, item,
					     span->error.name);
	}
	return true;
}

/* Returns whether the files have a start and an end, or sets *failed. */
static bool resolve(const struct span_resolver *r, bool *failed)
{
	bool starts, ends, suspends, resumes;

	*failed = true;
	r->span->text = r->text;
	if (!add_parts(r, SPAN_START, SPAN_STARTS, &starts) ||
	    !add_parts(r, SPAN_END, SPAN_ENDS, &ends) ||
	    !add_parts(r, SPAN_SUSPEND, SPAN_SUSPENDS, &suspends) ||
	    !add_parts(r, SPAN_RESUME, SPAN_RESUMES, &resumes))
		return false;
	*failed = false;
	r->span->has_start = starts;
	if (!ends || (!starts && r->text->value[SPAN_DURATION] == NULL &&
		      r->text->value[SPAN_STARTED] == NULL))
		return false;
	r->span->suspends = suspends;
	r->span->provider = r->text->provider != NULL ? r->text->provider :
		r->probes[r->span->part[0].probe].provider;
	*failed = !set_keys(r) || !spans_set_times(r) || !set_names(r) ||
		  !set_error(r) ||
		  !set_list(r, SPAN_SUM, r->text->value[SPAN_SUM],
			    r->span->sum, SPAN_SUMS, &r->span->num_sums);
	return !*failed;
}

static bool resolve_all(struct spans *spans, const struct span_texts *texts,
			struct span_resolver *r,
			void (*warn)(const char *sentence))
{
	struct span span;
	bool failed;
	size_t i;

	for (i = 0; i < texts->count; i++) {
		r->text = &texts->text[i];
		r->span = &span;
		span = (struct span){ .parent = SPAN_NO_PARENT };
		if (resolve(r, &failed)) {
			if (sdtkit_grow(&spans->span, spans->count,
					&spans->capacity, sizeof(span)) < 0) {
				free(span.part);
				return spans_fail_memory();
			}
			spans->span[spans->count++] = span;
			continue;
		}
		free(span.part);
		if (failed && r->text->option)
			return false;
		if (failed)
			warn(spans_error());
	}
	for (i = 0; i < spans->count; i++) {
		if (spans_set_parent(spans, i, r))
			continue;
		if (spans->span[i].text->option)
			return false;
		spans->span[i].parent = SPAN_NO_PARENT;
		warn(spans_error());
	}
	return true;
}

bool spans_resolve(struct spans *spans, const struct span_texts *texts,
		   const struct span_probe *probes, size_t count,
		   void (*warn)(const char *sentence))
{
	struct span_resolver r = { .probes = probes, .count = count };
	bool good;

	r.by_name = spans_sort(probes, count);
	if (r.by_name == NULL)
		return spans_fail_memory();
	good = resolve_all(spans, texts, &r, warn);
	free(r.by_name);
	return good;
}

bool spans_text_fits(const struct span_text *text, const char *provider,
		     const char *word)
{
	char name[256];

	snprintf(name, sizeof(name), "%s:%s", provider, text->name);
	return fnmatch(word, text->name, 0) == 0 ||
	       fnmatch(word, name, 0) == 0;
}

bool spans_fits(const struct span *span, const char *word)
{
	return spans_text_fits(span->text, span->provider, word);
}
