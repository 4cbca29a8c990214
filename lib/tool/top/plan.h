/* SPDX-License-Identifier: BSD-2-Clause */
/* What each site of the files has to do for which span. */
#ifndef SDTKIT_TOOL_TOP_PLAN_H
#define SDTKIT_TOOL_TOP_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/spans/spans.h"
#include "lib/uprobe/find.h"
#include "top/hit.h"

/* A site that is attached to. Its index is the cookie. */
struct plan_site {
	size_t probe;			/* in the catalogue */
	int file;			/* in struct found */
	unsigned long long offset;
	unsigned long long semaphore;
	struct top_site site;
	struct top_arguments arguments;
};

struct plan {
	struct spans spans;
	bool asked;			/* words of the command line chose */
	struct top_span kernel[TOP_SPANS];	/* the same, for the kernel */
	/* Probes without a span: indexes in the catalogue. */
	size_t *rate;
	size_t num_rates;
	struct plan_site *site;
	size_t num_sites;
	/* Of sites: their numbers begin at 1. */
	struct top_filter *filter;
	size_t num_filters;
	/* What the programs need at all. */
	unsigned int max_keys;
	unsigned int max_names;
	unsigned int max_sums;
	unsigned int flags;		/* of all spans */
	bool has_texts;
};

/* What the command line says of the spans. */
struct plan_options {
	const char *by;			/* see below, or NULL */
	bool starts;			/* attach to all starts */
};

/*
 * Makes a plan for the words of the command line: names of spans and patterns
 * of probes, or everything if there are no words. Filters are taken out of the
 * words. by is the argument by which rows are grouped instead of the name of the
 * span. Starts of spans whose ends tell all are left out, unless they are
 * wanted. Returns false after a complaint.
 */
bool plan_spans(struct plan *plan, const struct found *found, char **words,
	       size_t count, const struct plan_options *options);

/* Whether no start of a span is attached to: its ends tell all. */
bool plan_is_alone(const struct plan *plan, size_t span);

/* Whether each start of a span has its name: it may be told at the end only. */
bool plan_named_at_start(const struct span *span);

#endif /* SDTKIT_TOOL_TOP_PLAN_H */
