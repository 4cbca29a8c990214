/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lookup.c - finds the probes and arguments that a span names.
 *
 *	probe    = [provider ":"] name
 *	argument = choice { "/" choice }
 *	choice   = [probe "."] name		of that probe, or of any
 *
 * For each probe, the first choice that fits counts. "arg0" is the first
 * argument of any probe.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner.h"
#include "lib/text/named.h"
#include "lib/text/similar.h"
#include "spans.h"

bool spans_same(const char *name, const char *text, size_t length)
{
	return strncmp(name, text, length) == 0 && name[length] == '\0';
}

static bool is_named(const struct span_probe *probe, const char *provider,
		     const char *name, size_t length)
{
	return sdtkit_is_named(probe->provider, probe->name, name, length,
			       provider);
}

bool spans_fail_no_probe(const struct span_resolver *r, const char *name,
			 size_t length)
{
	unsigned int most = SIMILAR_ENOUGH - 1;
	const struct span_probe *best = NULL;
	unsigned int percent;
	char text[128];
	size_t i;

	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	for (i = 0; i < r->count; i++) {
		percent = sdtkit_similar_names(text, r->probes[i].name);
		if (percent <= most)
			continue;
		most = percent;
		best = &r->probes[i];
	}
	if (best == NULL)
		return spans_fail_in(r->text, "there is no probe '%s'", text);
	return spans_fail_in(r->text, "there is no probe '%s'; similar: "
			     "%.64s:%.64s", text, best->provider, best->name);
}

static int by_name(const void *a, const void *b, void *context)
{
	const struct span_probe *probes = context;
	const size_t *x = a, *y = b;
	int order = strcmp(probes[*x].name, probes[*y].name);

	return order != 0 ? order : *x < *y ? -1 : *x > *y;
}

size_t *spans_sort(const struct span_probe *probes, size_t count)
{
	size_t *numbers = calloc(count + 1, sizeof(*numbers));
	size_t i;

	if (numbers == NULL)
		return NULL;
	for (i = 0; i < count; i++)
		numbers[i] = i;
	qsort_r(numbers, count, sizeof(*numbers), by_name,
		(void *)(uintptr_t)probes);
	return numbers;
}

/* The place of the first probe whose name is not before this one. */
static size_t first_named(const struct span_resolver *r, const char *name,
			  size_t length)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *other = r->probes[r->by_name[middle]].name;

		if (strncmp(other, name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool spans_find_probe(const struct span_resolver *r, const char *name,
		      size_t length, size_t *found)
{
	const char *colon = memchr(name, ':', length);
	const char *bare = colon != NULL ? colon + 1 : name;
	size_t size = length - (size_t)(bare - name);
	size_t at, i;

	*found = r->count;
	for (at = first_named(r, bare, size); at < r->count; at++) {
		i = r->by_name[at];
		if (!spans_same(r->probes[i].name, bare, size))
			break;
		if (!is_named(&r->probes[i], r->text->provider, name, length))
			continue;
		if (*found < r->count)
			return spans_fail_in(
				r->text, "'%.*s' is a probe of %.64s and of "
				"%.64s: write %.64s:%.*s", (int)length, name,
				r->probes[*found].provider,
				r->probes[i].provider,
				r->probes[*found].provider, (int)length, name);
		*found = i;
	}
	return true;
}

/* The number of an argument by its name, or by "arg3". */
static int argument_of(const struct span_probe *probe, const char *name,
		       size_t length)
{
	const struct sdtkit_argument *arguments = probe->arguments;
	char number[32];
	size_t i;

	for (i = 0; length > 0 && i < probe->num_arguments; i++) {
		if (spans_same(arguments[i].name, name, length))
			return (int)i;
	}
	for (i = 0; i < probe->num_arguments; i++) {
		snprintf(number, sizeof(number), "arg%zu", i);
		if (spans_same(number, name, length))
			return (int)i;
	}
	return SPAN_NO_ARGUMENT;
}

int spans_argument(const struct span_probe *probe, const char *name)
{
	return argument_of(probe, name, strcspn(name, "."));
}

const char *spans_last_dot(const char *text, size_t length)
{
	return memrchr(text, '.', length);
}

int spans_find_argument(const struct span_resolver *r, size_t probe,
			const char *item, size_t length)
{
	const struct span_probe *p = &r->probes[probe];
	const char *end = item + length;
	const char *slash;
	const char *dot;
	size_t size;
	int found;

	while (item < end) {
		slash = memchr(item, '/', (size_t)(end - item));
		size = (size_t)((slash != NULL ? slash : end) - item);
		dot = spans_last_dot(item, size);
		found = SPAN_NO_ARGUMENT;
		if (dot == NULL)
			found = argument_of(p, item, size);
		else if (is_named(p, r->text->provider, item,
				  (size_t)(dot - item)))
			found = argument_of(p, dot + 1,
					    size - (size_t)(dot + 1 - item));
		if (found != SPAN_NO_ARGUMENT)
			return found;
		item += size + 1;
	}
	return SPAN_NO_ARGUMENT;
}

bool spans_fail_no_argument(const struct span_resolver *r,
			    enum span_property property, const char *item,
			    size_t length, size_t probe)
{
	const struct span_probe *at = &r->probes[probe];
	char list[192] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < at->num_arguments && used < sizeof(list) - 80; i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%sarg%zu%s%.64s", i > 0 ? ", " : "",
					 i, at->arguments[i].name[0] != '\0' ?
					 " " : "", at->arguments[i].name);
	return spans_fail_in(r->text, "%s: %.64s:%.64s has no argument "
			     "'%.*s'; it has %s",
			     spans_property_name(property), at->provider,
			     at->name, (int)length, item,
			     used > 0 ? list : "none");
}

/* What a property takes, see the table in docs/language.md. */
static const char *wanted_by(enum span_property property, const char *wire)
{
	bool is_text = wire[0] == 'z';
	bool is_float = wire[0] == 'f';

	if (property == SPAN_NAME)
		return is_float ? "an integer, an address or a string" : NULL;
	if (property == SPAN_KEY || property == SPAN_PARENT)
		return is_float || is_text ? "an integer or an address" : NULL;
	return is_float || is_text || wire[0] == 'p' ? "an integer" : NULL;
}

bool spans_check_type(const struct span_resolver *r,
		      enum span_property property, size_t probe, int argument)
{
	const struct span_probe *at = &r->probes[probe];
	const char *wire = at->arguments[argument].wire;
	const char *wanted = wanted_by(property, wire);

	if (wanted == NULL)
		return true;
	return spans_fail_in(r->text, "%s: arg%d of %.64s:%.64s is %s: use %s",
			     spans_property_name(property), argument,
			     at->provider, at->name,
			     wire[0] == 'z' ? "a string" :
			     wire[0] == 'p' ? "an address" :
			     "a floating-point number", wanted);
}
