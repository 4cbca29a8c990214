/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describe.c - postgresql.d -> names and types of arguments, and spans.
 *
 * Spans of a description come before those of the program: who gives one wants
 * to have its spans.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "common/tool.h"
#include "lib/spans/spans.h"
#include "probes/interface.h"
#include "probes/probegen.h"
#include "probes/read.h"
#include "top/describe.h"

/* They last until the command ends. */
static struct interface *described;
static size_t num_described;

static void add_span(struct span_texts *texts,
		     const struct interface_span *span)
{
	struct span_note_property *properties =
		calloc(span->count + 1, sizeof(*properties));
	size_t i;

	if (properties == NULL)
		tool_no_memory();
	for (i = 0; i < span->count; i++)
		properties[i] = (struct span_note_property){
			span->properties[i].name, span->properties[i].value,
		};
	spans_add_note(texts, span->provider, span->name, span->doc,
		       properties, span->count);
	free(properties);
}

bool describe_read(const char *path, struct span_texts *texts)
{
	static const struct probegen_flags no_flags;
	static size_t capacity;
	struct interface *interface;
	size_t i;

	described = tool_grow(described, num_described, &capacity,
			      sizeof(*described));
	interface = &described[num_described];
	if (!interface_open_description(interface, path, "describe",
					&no_flags))
		return false;
	num_described++;
	for (i = 0; i < interface->span_count; i++)
		add_span(texts, &interface->span[i]);
	return true;
}

void describe_argument(const char *provider, const char *probe, size_t index,
		       struct span_argument *argument)
{
	const struct interface_probe *found =
		interface_find_any(described, num_described, provider, probe);
	const struct interface_argument *from;

	if (found == NULL || index >= found->count)
		return;
	from = &found->arguments[index];
	argument->name = from->name != NULL ? from->name : "";
	if (from->notation != NULL && from->notation[0] != '\0')
		argument->wire = from->notation;
	argument->names = from->names;
}
