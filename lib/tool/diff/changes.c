/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of changes, and a list of them: see changes.h. */
#include <stdarg.h>
#include <stdlib.h>

#include "common/tool.h"
#include "diff/changes.h"

const struct change_info changes[CHANGE_COUNT] = {
	[CHANGE_REMOVED] = { "REMOVED", EFFECT_BREAKING },
	[CHANGE_RENAMED] = { "RENAMED", EFFECT_BREAKING },
	[CHANGE_ADDED] = { "ADDED", EFFECT_HARMLESS },
	[CHANGE_ARGUMENT_REMOVED] = { "ARGUMENT_REMOVED", EFFECT_BREAKING },
	[CHANGE_ARGUMENT_ADDED] = { "ARGUMENT_ADDED", EFFECT_HARMLESS },
	[CHANGE_ARGUMENT_MOVED] = { "ARGUMENT_MOVED", EFFECT_BREAKING },
	[CHANGE_ARGUMENT_RENAMED] = { "ARGUMENT_RENAMED", EFFECT_BREAKING },
	[CHANGE_ARGUMENT_TYPE] = { "ARGUMENT_TYPE", EFFECT_BREAKING },
	[CHANGE_ARGUMENT_SPELLING] = { "ARGUMENT_SPELLING", EFFECT_HARMLESS },
	[CHANGE_MEMBER_REMOVED] = { "MEMBER_REMOVED", EFFECT_BREAKING },
	[CHANGE_MEMBER_ADDED] = { "MEMBER_ADDED", EFFECT_HARMLESS },
	[CHANGE_MEMBER_MOVED] = { "MEMBER_MOVED", EFFECT_BREAKING },
	[CHANGE_MEMBER_RENAMED] = { "MEMBER_RENAMED", EFFECT_BREAKING },
	[CHANGE_MEMBER_TYPE] = { "MEMBER_TYPE", EFFECT_BREAKING },
	[CHANGE_MEMBER_SPELLING] = { "MEMBER_SPELLING", EFFECT_HARMLESS },
	[CHANGE_ENUMERATOR_REMOVED] = { "ENUMERATOR_REMOVED", EFFECT_BREAKING },
	[CHANGE_ENUMERATOR_ADDED] = { "ENUMERATOR_ADDED", EFFECT_HARMLESS },
	[CHANGE_ENUMERATOR_RENAMED] = { "ENUMERATOR_RENAMED", EFFECT_BREAKING },
	[CHANGE_ENUMERATOR_VALUE] = { "ENUMERATOR_VALUE", EFFECT_BREAKING },
	[CHANGE_SEMAPHORE] = { "SEMAPHORE", EFFECT_HARMLESS },
	[CHANGE_SPAN_REMOVED] = { "SPAN_REMOVED", EFFECT_BREAKING },
	[CHANGE_SPAN_ADDED] = { "SPAN_ADDED", EFFECT_HARMLESS },
	[CHANGE_SPAN_CHANGED] = { "SPAN_CHANGED", EFFECT_BREAKING },
	[CHANGE_NOT_COMPARED] = { "NOT_COMPARED", EFFECT_UNKNOWN },
};

struct change *changes_add(struct change_list *list, enum change_kind kind,
			   const struct interface_probe *probe, size_t argument,
			   const char *format, ...)
{
	struct change *change;
	va_list ap;

	TOOL_GROW(list->change, list->count, list->capacity);
	change = &list->change[list->count++];
	*change = (struct change) {
		.kind = kind,
		.probe = probe,
		.argument = argument,
	};
	va_start(ap, format);
	change->text = tool_vformat(format, ap);
	va_end(ap);
	return change;
}

size_t changes_count(const struct change_list *list,
		     enum change_effect effect)
{
	size_t count = 0, i;

	for (i = 0; i < list->count; i++)
		count += changes[list->change[i].kind].effect == effect;
	return count;
}

void changes_free(struct change_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		free(list->change[i].text);
	free(list->change);
}
