/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * starts.c - starts that need no hit.
 *
 *	start=request_start end=request_done duration=elapsed_ns name=opcode
 *	-> end=request_done, if that has opcode
 */
#include "spans.h"

/* A span within another one adds its time to that, which has to be kept. */
static bool has_parts(const struct spans *spans, size_t at)
{
	size_t i;

	for (i = 0; i < spans->count; i++) {
		if (spans->span[i].parent == (int)at ||
		    spans->span[i].parent == SPAN_RUNNING)
			return true;
	}
	return false;
}

/* The argument of a part that stands for a name or for a sum. */
static int argument_of(const struct span_part *part, int value)
{
	return value < SPAN_NAMES ? part->name[value] :
		part->sum[value - SPAN_NAMES];
}

/* Whether a start has a name or a sum, and an end has it not. */
static bool only_start_has(const struct span *span, int value)
{
	bool in_start = false, in_ends = true;
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		const struct span_part *part = &span->part[i];
		bool has = argument_of(part, value) != SPAN_NO_ARGUMENT;

		in_start |= part->role == SPAN_STARTS && has;
		in_ends &= part->role != SPAN_ENDS || has;
	}
	return in_start && !in_ends;
}

static bool have_time(const struct span *span)
{
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		const struct span_part *part = &span->part[i];

		if ((part->role == SPAN_ENDS || part->role == SPAN_SUSPENDS) &&
		    part->time == SPAN_NO_ARGUMENT)
			return false;
	}
	return true;
}

static bool needs_start(const struct spans *spans, size_t at)
{
	const struct span *span = &spans->span[at];
	int i;

	if (span->time == SPAN_NO_TIME || !have_time(span) ||
	    span->by_thread || has_parts(spans, at) ||
	    (span->parent >= 0 && !span->same_key))
		return true;
	for (i = 0; i < SPAN_NAMES + SPAN_SUMS; i++) {
		if (only_start_has(span, i))
			return true;
	}
	return false;
}

static void drop_starts(struct span *span)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		if (span->part[i].role != SPAN_STARTS)
			span->part[kept++] = span->part[i];
	}
	span->num_parts = kept;
	span->has_start = false;
}

void spans_leave_out_starts(struct spans *spans)
{
	size_t i;

	for (i = 0; i < spans->count; i++) {
		if (spans->span[i].has_start && !needs_start(spans, i))
			drop_starts(&spans->span[i]);
	}
}
