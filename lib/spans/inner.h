/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of this room share. */
#ifndef SPANS_INNER_H
#define SPANS_INNER_H

#include <stdbool.h>
#include <stddef.h>

#include "spans.h"

/* What is looked up where. */
struct span_resolver {
	const struct span_text *text;
	const struct span_probe *probes;
	size_t count;
	size_t *by_name;		/* their numbers, see spans_sort() */
	struct span *span;
};

/* Sets the sentence of spans_error(); returns false. */
__attribute__((format(printf, 1, 2)))
bool spans_fail(const char *format, ...);

/* The same, about a span: "--span 'query': ", or "span smb2:request: ". */
__attribute__((format(printf, 2, 3)))
bool spans_fail_in(const struct span_text *text, const char *format, ...);

/* The same: there is no memory. */
bool spans_fail_memory(void);

/* Copies a text; fails if there is no memory. */
bool spans_copy(char **to, const char *text, size_t length);

/* Whether a name is this text. */
bool spans_same(const char *name, const char *text, size_t length);

/* Returns the last dot in a text, or NULL. */
const char *spans_last_dot(const char *text, size_t length);

/* Sorts the numbers of the probes by their names. To be freed; may be NULL. */
size_t *spans_sort(const struct span_probe *probes, size_t count);

/*
 * Sets *found to the number of a probe, or to the number of probes if there is
 * none. Fails if several providers have it.
 */
bool spans_find_probe(const struct span_resolver *r, const char *name,
		      size_t length, size_t *found);
bool spans_fail_no_probe(const struct span_resolver *r, const char *name,
			 size_t length);

/* Returns the number of an argument of a probe, or SPAN_NO_ARGUMENT. */
int spans_find_argument(const struct span_resolver *r, size_t probe,
			const char *item, size_t length);
bool spans_fail_no_argument(const struct span_resolver *r,
			    enum span_property property, const char *item,
			    size_t length, size_t probe);

/* Fails if an argument has a type that this property cannot use. */
bool spans_check_type(const struct span_resolver *r,
		      enum span_property property, size_t probe, int argument);

/*
 * Takes the item out of WORD(item): *item and *length become what is in the
 * parentheses. Returns the length of the word, which is where the item began,
 * or 0 if the text does not have this form.
 */
size_t spans_unwrap(const char **item, size_t *length);

/* Sets the arguments that tell the time. */
bool spans_set_times(const struct span_resolver *r);

/* Sets the parent of a span, when all spans are known. */
bool spans_set_parent(struct spans *spans, size_t at,
		      struct span_resolver *r);

#endif /* SPANS_INNER_H */
