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
 * Invariant of what is in the index: every span and property has a name.
 */
#include <errno.h>

#include "fail.h"
#include "spans.h"

int sdtkit_span_add(struct sdtkit_index *spans, struct sdtkit_indexed *entry,
		    size_t properties)
{
	struct sdtkit_made_span *made = entry->made;
	const char *at = entry->rest;
	size_t i;

	if (entry->name[0] == '\0')
		return sdtkit_fail(EBADMSG, "span has no name");
	made->span = (struct sdtkit_span) {
		.provider = entry->provider,
		.name = entry->name,
		.summary = sdtkit_indexed_take(&at),
		.property_count = properties,
		.properties = made->properties,
	};
	for (i = 0; i < properties; i++) {
		made->properties[i].name = sdtkit_indexed_take(&at);
		made->properties[i].value = sdtkit_indexed_take(&at);
		if (made->properties[i].name[0] == '\0')
			return sdtkit_fail(EBADMSG, "property has no name");
	}
	return sdtkit_index_append(spans, entry);
}
