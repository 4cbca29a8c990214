/* SPDX-License-Identifier: BSD-2-Clause */
/* The spans of a file or of a description, each once. */
#ifndef SDTKIT_TOOL_SPANS_H
#define SDTKIT_TOOL_SPANS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/text/pairs.h"
#include "sdtkit/notes.h"

struct kept_span {
	const struct sdtkit_span *span;
	/* Another one of this name has other properties. */
	bool differs;
};

struct kept_spans {
	/* In the order in which they were added. */
	struct kept_span *kept;
	size_t count;
	size_t capacity;
	struct sdtkit_pairs names;	/* provider, span -> its place there */
};

/* Adds a span, which must stay, unless there is one of its name already. */
void kept_spans_add(struct kept_spans *spans, const struct sdtkit_span *span);
void kept_spans_free(struct kept_spans *spans);

/* NULL if there is none of that name, or several that differ. */
const struct sdtkit_span *kept_spans_find(const struct kept_spans *spans,
					  const char *provider, const char *name);

/* The value of a property; NULL if the span does not have it. */
const char *span_value(const struct sdtkit_span *span, const char *property);

/* Whether the probe begins, ends, suspends or resumes the span. */
bool span_has_probe(const struct sdtkit_span *span, const char *provider,
		    const char *probe);

#endif /* SDTKIT_TOOL_SPANS_H */
