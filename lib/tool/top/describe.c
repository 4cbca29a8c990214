/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describe.c - postgresql.d -> names and types of arguments, and spans.
 *
 * Spans of a description come before those of the program: whoever gives one
 * wants its spans.
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

bool describe_read(const char *path, struct span_texts *texts)
{
	static const struct probegen_flags no_flags;
	static size_t capacity;
	struct interface *interface;
	size_t i;

	TOOL_GROW(described, num_described, capacity);
	interface = &described[num_described];
	if (!interface_open_description(interface, path, "description",
					&no_flags))
		return false;
	num_described++;
	for (i = 0; i < interface->spans.count; i++) {
		if (!spans_add_note(texts, interface->spans.kept[i].span))
			tool_no_memory();
	}
	return true;
}

void describe_argument(const char *provider, const char *probe, size_t index,
		       struct sdtkit_argument *argument)
{
	const struct interface_probe *found =
		interface_find_any(described, num_described, provider, probe);
	const struct sdtkit_argument *from;

	if (found == NULL || index >= found->count)
		return;
	from = &found->arguments[index];
	argument->name = from->name;
	if (from->wire[0] != '\0')
		argument->wire = from->wire;
	argument->names = from->names;
}
