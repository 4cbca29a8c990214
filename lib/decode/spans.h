/* SPDX-License-Identifier: BSD-2-Clause */
/* The spans in .note.sdtkit, as their descriptions have them. */
#ifndef SDTKIT_DECODE_SPANS_PRIV_H
#define SDTKIT_DECODE_SPANS_PRIV_H

#include <stddef.h>

#include "index.h"
#include "note.h"
#include "sdtkit/notes.h"

enum {
	/* In one span; probegen knows ten. */
	SDTKIT_SPAN_PROPERTIES_MAX = 32,
};

struct sdtkit_spans {
	/* Once sorted, one note at most per span. */
	struct sdtkit_index notes;
	/* The span that was read last. */
	struct sdtkit_span span;
	struct sdtkit_span_property properties[SDTKIT_SPAN_PROPERTIES_MAX];
};

/*
 * Adds what a note of type 5 says, whose data must stay; sort after the last.
 * Errors: -EBADMSG (damaged), -E2BIG (too many properties), -ENOMEM.
 */
int sdtkit_spans_add(struct sdtkit_spans *spans,
		     const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note raw);

/* Leaves one span per name; none if its notes differ or are not text. */
void sdtkit_spans_sort(struct sdtkit_spans *spans);

/* The one with this index, which is below the count; valid until the next. */
const struct sdtkit_span *sdtkit_spans_get(struct sdtkit_spans *spans,
					   size_t index);

/* Forgets all of them, and frees. */
void sdtkit_spans_clear(struct sdtkit_spans *spans);

#endif /* SDTKIT_DECODE_SPANS_PRIV_H */
