/* SPDX-License-Identifier: BSD-2-Clause */
/* The spans of a file or of a description, see spans.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/text/named.h"
#include "probes/spans.h"

static bool has_same_properties(const struct sdtkit_span *a,
				const struct sdtkit_span *b)
{
	size_t i;

	if (a->property_count != b->property_count)
		return false;
	for (i = 0; i < a->property_count; i++) {
		const char *value = span_value(b, a->properties[i].name);

		if (value == NULL || strcmp(value, a->properties[i].value) != 0)
			return false;
	}
	return true;
}

static struct kept_span *find(const struct kept_spans *spans,
			      const char *provider, const char *name)
{
	const size_t *number = sdtkit_pairs_find(&spans->names, provider, name);

	return number != NULL ? &spans->kept[*number] : NULL;
}

void kept_spans_add(struct kept_spans *spans, const struct sdtkit_span *span)
{
	struct kept_span *kept = find(spans, span->provider, span->name);

	if (kept != NULL) {
		if (!has_same_properties(kept->span, span))
			kept->differs = true;
		return;
	}
	TOOL_GROW(spans->kept, spans->count, spans->capacity);
	spans->kept[spans->count] = (struct kept_span) { .span = span };
	if (sdtkit_pairs_add(&spans->names, span->provider, span->name,
			     spans->count) != 0)
		tool_no_memory();
	spans->count++;
}

void kept_spans_free(struct kept_spans *spans)
{
	free(spans->kept);
	sdtkit_pairs_free(&spans->names);
	*spans = (struct kept_spans) { .count = 0 };
}

const struct sdtkit_span *kept_spans_find(const struct kept_spans *spans,
					  const char *provider, const char *name)
{
	const struct kept_span *kept = find(spans, provider, name);

	return kept == NULL || kept->differs ? NULL : kept->span;
}

const char *span_value(const struct sdtkit_span *span, const char *property)
{
	size_t i;

	for (i = 0; i < span->property_count; i++) {
		if (strcmp(span->properties[i].name, property) == 0)
			return span->properties[i].value;
	}
	return NULL;
}

/* Whether a word of a list, "request_end,other:stop", is this probe. */
static bool is_in_list(const char *list, const struct sdtkit_span *span,
		       const char *provider, const char *probe)
{
	while (list != NULL && list[0] != '\0') {
		size_t length = strcspn(list, ",");

		if (sdtkit_is_named(provider, probe, list, length,
				    span->provider))
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

bool span_has_probe(const struct sdtkit_span *span, const char *provider,
		    const char *probe)
{
	static const char *const roles[] = {
		"start", "end", "suspend", "resume",
	};
	size_t i;

	for (i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (is_in_list(span_value(span, roles[i]), span, provider,
			       probe))
			return true;
	}
	return false;
}
