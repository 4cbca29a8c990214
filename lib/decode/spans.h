/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes of spans in .note.sdtkit. */
#ifndef SDTKIT_DECODE_SPANS_PRIV_H
#define SDTKIT_DECODE_SPANS_PRIV_H

#include "index.h"
#include "sdtkit/notes.h"

enum {
	/* In one span; probegen knows ten. */
	SDTKIT_SPAN_PROPERTIES_MAX = 32,
};

/* A span, with its properties. */
struct sdtkit_made_span {
	struct sdtkit_span span;
	struct sdtkit_span_property properties[];
};

/*
 * Reads a note of type 5 into entry->made, which has room for its properties,
 * and adds it.  Error: -EBADMSG (damaged), and those of sdtkit_index_append().
 */
int sdtkit_span_add(struct sdtkit_index *spans, struct sdtkit_indexed *entry,
		    size_t properties);

#endif /* SDTKIT_DECODE_SPANS_PRIV_H */
