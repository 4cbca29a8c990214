/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * time.c - arguments that tell how long a span took, or when it began.
 *
 *	duration=elapsed_ns	the end of the name is the unit
 *	started=us(arg3)	CLOCK_MONOTONIC, in microseconds
 *
 * probegen/span_times.py reads the same.
 */
#include <string.h>

#include "inner.h"
#include "lib/text/unit.h"
#include "spans.h"

/* 0: it is not a unit */
static unsigned int nanoseconds(const struct sdtkit_unit *unit)
{
	return unit != NULL ? unit->ns : 0;
}

size_t spans_unwrap(const char **item, size_t *length)
{
	const char *open = memchr(*item, '(', *length);
	size_t word;

	if (open == NULL || open == *item || (*item)[*length - 1] != ')')
		return 0;
	word = (size_t)(open - *item);
	*item = open + 1;
	*length -= word + 2;
	return word;
}

static bool set_unit(const struct span_resolver *r, struct span_part *part,
		     enum span_property property, unsigned int unit)
{
	const char *name =
		r->probes[part->probe].arguments[part->time].name;

	part->unit = unit != 0 ? unit : nanoseconds(sdtkit_unit_of(name));
	if (part->unit != 0)
		return true;
	return spans_fail_in(r->text, "%s: the unit of arg%d of %.64s is not "
			     "known: write us(arg%d), or ns, ms, s",
			     spans_property_name(property), part->time,
			     r->probes[part->probe].name, part->time);
}

/* Without a start, each end and each suspend has to have it. */
static bool set_part(const struct span_resolver *r, struct span_part *part,
		     enum span_property property, const char *item,
		     size_t length, unsigned int unit)
{
	part->time = spans_find_argument(r, part->probe, item, length);
	if (part->time != SPAN_NO_ARGUMENT)
		return spans_check_type(r, property, part->probe, part->time) &&
		       set_unit(r, part, property, unit);
	return r->span->has_start ||
	       spans_fail_no_argument(r, property, item, length, part->probe);
}

bool spans_set_times(const struct span_resolver *r)
{
	enum span_property property =
		r->text->value[SPAN_DURATION] != NULL ? SPAN_DURATION :
		SPAN_STARTED;
	const char *item = r->text->value[property];
	struct span *span = r->span;
	unsigned int unit = 0;
	const char *word = item;
	size_t length, size;
	size_t i;

	if (item == NULL)
		return true;
	if (property == SPAN_DURATION && r->text->value[SPAN_STARTED] != NULL)
		return spans_fail_in(r->text,
				     "use either duration= or started=");
	if (span->suspends && span->by_thread && !span->has_start)
		return spans_fail_in(r->text, "key: a span without a start "
				     "that is suspended needs an argument");
	span->time = property == SPAN_DURATION ? SPAN_TOOK : SPAN_BEGAN;
	length = strlen(item);
	size = spans_unwrap(&item, &length);
	if (size > 0) {
		unit = nanoseconds(sdtkit_unit_find(word, size));
		if (unit == 0)
			return spans_fail_in(r->text, "%s: '%.*s' is not a "
					     "unit: use ns, us, ms or s",
					     spans_property_name(property),
					     (int)size, word);
	}
	for (i = 0; i < span->num_parts; i++) {
		if (span->part[i].role != SPAN_ENDS &&
		    span->part[i].role != SPAN_SUSPENDS)
			continue;
		if (!set_part(r, &span->part[i], property, item, length, unit))
			return false;
	}
	return true;
}
