/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which spans have filters, "smb2:request/status!=0/": for program.c, which makes
 * tests of the filters at the sites of ends.
 */
#include <errno.h>

#include "../record/filter.h"
#include "../record/read_parts.h"
#include "count.h"

/* Whether some end of the span has the argument. */
static bool has_argument(const struct sdtkit_counter *counter,
			 const struct span *span, const char *name)
{
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		const struct span_part *part = &span->part[i];

		if (part->role == SPAN_ENDS &&
		    spans_argument(&counter->probes[part->probe], name) !=
		    SPAN_NO_ARGUMENT)
			return true;
	}
	return false;
}

static int check_filter(const struct sdtkit_counter *counter,
			const struct span *span,
			const struct sdtkit_record_filter *filter)
{
	size_t i;

	if (filter->every != 0)
		return sdtkit_record_fail(EINVAL, "the filter of the span "
			"%s:%s: a sample is not a count", span->provider,
			span->text->name);
	for (i = 0; i < filter->count; i++) {
		const char *name = filter->conditions[i].name;

		if (!has_argument(counter, span, name))
			return sdtkit_record_fail(EINVAL, "the filter of the "
				"span %s:%s: none of its ends has an argument "
				"\"%s\"", span->provider, span->text->name,
				name);
	}
	return 0;
}

int sdtkit_count_find_filters(struct sdtkit_counter *counter)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < counter->spans.count; i++) {
		const struct span *span = &counter->spans.span[i];
		const struct sdtkit_record_filter *filter =
			sdtkit_record_find_filter(&counter->filters,
						  span->provider,
						  span->text->name);

		if (filter == NULL)
			continue;
		counter->filter[i] = filter;
		ret = check_filter(counter, span, filter);
	}
	return ret;
}
