/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds what scripts would break on, between two enums.
 *
 *	{ CREATE = 5, CLOSE = 6 }	old
 *	{ OPEN = 5, CLOSE = 7 }		new: ENUMERATOR_RENAMED, _VALUE
 *
 * Scripts use an enumerator's name or its value, so both matter.  Many probes
 * of a provider may show one enum: a change of it is told once.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "diff/changes.h"
#include "diff/names.h"
#include "probes/interface.h"
#include "probes/names.h"

static bool is_told(const struct change_list *list, enum change_kind kind,
		    const char *provider, const char *text)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct change *change = &list->change[i];

		if (change->kind == kind &&
		    strcmp(change->probe->provider, provider) == 0 &&
		    strcmp(change->text, text) == 0)
			return true;
	}
	return false;
}

__attribute__((format(printf, 4, 5)))
static void add(struct change_list *list, enum change_kind kind,
		const struct argument_pair *pair, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = tool_vformat(format, ap);
	va_end(ap);
	if (!is_told(list, kind, pair->probe->provider, text))
		changes_add(list, kind, pair->probe, pair->argument, "%s",
			    text);
	free(text);
}

/* Finds what the old enumerator may be called now, or NULL. */
static const struct sdtkit_enumerator *
find_renamed(const struct sdtkit_enum *old, const struct sdtkit_enum *new,
	     const struct sdtkit_enumerator *was)
{
	const struct sdtkit_enumerator *is = names_find_value(new, was->value);

	return is != NULL && names_find(old, is->name) == NULL ? is : NULL;
}

static void compare_enumerator(struct change_list *list,
			       const struct argument_pair *pair,
			       const struct sdtkit_enum *old,
			       const struct sdtkit_enum *new,
			       const struct sdtkit_enumerator *was)
{
	const struct sdtkit_enumerator *is = names_find(new, was->name);

	if (is != NULL && is->value != was->value) {
		add(list, CHANGE_ENUMERATOR_VALUE, pair,
		    "'%s' of 'enum %s' is %" PRId64 " now, was %" PRId64,
		    was->name, new->name, is->value, was->value);
		return;
	}
	if (is != NULL)
		return;
	is = find_renamed(old, new, was);
	if (is != NULL)
		add(list, CHANGE_ENUMERATOR_RENAMED, pair,
		    "'%s' of 'enum %s' is called '%s' now", was->name,
		    new->name, is->name);
	else
		add(list, CHANGE_ENUMERATOR_REMOVED, pair,
		    "'%s' of 'enum %s' is gone", was->name, new->name);
}

static void find_added(struct change_list *list,
		       const struct argument_pair *pair,
		       const struct sdtkit_enum *old,
		       const struct sdtkit_enum *new)
{
	size_t i;

	for (i = 0; i < new->enumerator_count; i++) {
		const struct sdtkit_enumerator *is = &new->enumerators[i];
		const struct sdtkit_enumerator *was;

		if (names_find(old, is->name) != NULL)
			continue;
		was = names_find_value(old, is->value);
		/* It is the new name of that one. */
		if (was != NULL && names_find(new, was->name) == NULL)
			continue;
		add(list, CHANGE_ENUMERATOR_ADDED, pair,
		    "'%s' of 'enum %s' is new, %" PRId64, is->name, new->name,
		    is->value);
	}
}

void changes_find_names(struct change_list *list,
			const struct argument_pair *pair, const char *member,
			const struct sdtkit_enum *old,
			const struct sdtkit_enum *new)
{
	const char *name = pair->old->name != NULL ? pair->old->name : "";
	const char *dot = member != NULL ? "." : "";
	size_t i;

	if (old == NULL && new == NULL)
		return;
	if (member == NULL)
		member = "";
	if (new == NULL) {
		add(list, CHANGE_ENUMERATOR_REMOVED, pair,
		    "the values of '%s%s%s' have no names any more", name, dot,
		    member);
		return;
	}
	if (old == NULL) {
		add(list, CHANGE_ENUMERATOR_ADDED, pair,
		    "the values of '%s%s%s' have the names of 'enum %s' now",
		    name, dot, member, new->name);
		return;
	}
	for (i = 0; i < old->enumerator_count; i++)
		compare_enumerator(list, pair, old, new, &old->enumerators[i]);
	find_added(list, pair, old, new);
}
