/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds what changed in spans. Reports and dashboards are made of a span's
 * name, and its times depend on each of its properties.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

#include "diff/changes.h"
#include "diff/spans.h"
#include "probes/interface.h"

static void compare(struct change_list *list, const struct sdtkit_span *old,
		    const struct sdtkit_span *new)
{
	size_t i;

	for (i = 0; i < old->property_count; i++) {
		const char *name = old->properties[i].name;
		const char *was = old->properties[i].value;
		const char *is = span_value(new, name);

		if (is == NULL)
			changes_add(list, CHANGE_SPAN_CHANGED, NULL, 0,
				    "'%s' is gone, was '%s'", name,
				    was)->span = old;
		else if (strcmp(is, was) != 0)
			changes_add(list, CHANGE_SPAN_CHANGED, NULL, 0,
				    "'%s' is '%s' now, was '%s'", name, is,
				    was)->span = old;
	}
	for (i = 0; i < new->property_count; i++) {
		const char *name = new->properties[i].name;

		if (span_value(old, name) == NULL)
			changes_add(list, CHANGE_SPAN_CHANGED, NULL, 0,
				    "'%s' is new: '%s'", name,
				    new->properties[i].value)->span = old;
	}
}

void changes_find_spans(struct change_list *list, const struct interface *old,
			const struct interface *new)
{
	size_t i;

	if (!old->knows_spans || !new->knows_spans)
		return;
	for (i = 0; i < old->spans.count; i++) {
		const struct sdtkit_span *was = old->spans.kept[i].span;
		const struct sdtkit_span *is = kept_spans_find(&new->spans,
							  was->provider,
							  was->name);

		if (is != NULL)
			compare(list, was, is);
		else
			changes_add(list, CHANGE_SPAN_REMOVED, NULL, 0,
				    "it is gone")->span = was;
	}
	for (i = 0; i < new->spans.count; i++) {
		const struct sdtkit_span *is = new->spans.kept[i].span;

		if (kept_spans_find(&old->spans, is->provider, is->name) == NULL)
			changes_add(list, CHANGE_SPAN_ADDED, NULL, 0,
				    "it is new")->span = is;
	}
}
