/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of .note.sdtkit -> struct sdtkit_span.
 *
 * The note of a span (docs/format.md), behind the header of any note, whose
 * owner is "sdtkit" and whose type is 5:
 *
 *	"smb2" "request" "A command"
 *		provider, name of the span, summary
 *	"start" "request_start" "end" "request_end" "key" "req"
 *		name and value of each property
 *
 * Invariants of what is in the index:
 * 1. it consists of whole strings, and every span and property has a name;
 * 2. there are no more properties than the array can hold.
 */
#include <errno.h>

#include "fail.h"
#include "spans.h"

static int damaged(const struct sdtkit_note_reader *reader,
		   const struct sdtkit_raw_note *raw, const char *what)
{
	return sdtkit_fail(EBADMSG, "note at %#zx of %s: %s", raw->start,
			   reader->section, what);
}

/* Counts the strings behind the names of the span. */
static int read_rest(const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note *raw, struct sdtkit_indexed *entry)
{
	const char *string;

	if (sdtkit_note_string(reader, raw) == NULL)
		return damaged(reader, raw, "summary is not terminated");
	for (entry->strings = 1; raw->at < raw->end; entry->strings++) {
		string = sdtkit_note_string(reader, raw);
		if (string == NULL)
			return damaged(reader, raw,
				       "property is not terminated");
		if (entry->strings % 2 == 1 && string[0] == '\0')
			return damaged(reader, raw, "property has no name");
	}
	if (entry->strings % 2 != 1)
		return damaged(reader, raw, "property has no value");
	if (entry->strings > 1 + 2 * SDTKIT_SPAN_PROPERTIES_MAX)
		return sdtkit_fail(E2BIG, "note at %#zx of %s: more than %d "
				   "properties", raw->start, reader->section,
				   SDTKIT_SPAN_PROPERTIES_MAX);
	return 0;
}

int sdtkit_spans_add(struct sdtkit_spans *spans,
		     const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note raw)
{
	struct sdtkit_indexed entry;
	int ret;

	entry.provider = sdtkit_note_string(reader, &raw);
	if (entry.provider == NULL)
		return damaged(reader, &raw, "provider name is not terminated");
	entry.name = sdtkit_note_string(reader, &raw);
	if (entry.name == NULL || entry.name[0] == '\0')
		return damaged(reader, &raw, "span has no name");
	entry.rest = (const char *)reader->data + raw.at;
	entry.end = (const char *)reader->data + raw.end;
	ret = read_rest(reader, &raw, &entry);
	return ret < 0 ? ret : sdtkit_index_append(&spans->notes, &entry);
}

void sdtkit_spans_sort(struct sdtkit_spans *spans)
{
	sdtkit_index_sort(&spans->notes);
	sdtkit_index_settle(&spans->notes);
}

const struct sdtkit_span *sdtkit_spans_get(struct sdtkit_spans *spans,
					   size_t index)
{
	const struct sdtkit_indexed *entry = &spans->notes.indexed[index];
	const char *at = entry->rest;
	size_t count = 0;

	spans->span.provider = entry->provider;
	spans->span.name = entry->name;
	spans->span.summary = sdtkit_indexed_take(&at);
	while (at < entry->end) {
		struct sdtkit_span_property *property =
			&spans->properties[count++];

		property->name = sdtkit_indexed_take(&at);
		property->value = sdtkit_indexed_take(&at);
	}
	spans->span.property_count = count;
	spans->span.properties = spans->properties;
	return &spans->span;
}

void sdtkit_spans_clear(struct sdtkit_spans *spans)
{
	sdtkit_index_clear(&spans->notes);
}
