/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds what scripts would break on, between two layouts of a record.
 *
 *	{uint16_t port; uint16_t family}	old
 *	{uint16_t family; uint16_t port}	new: MEMBER_MOVED, twice
 *
 * Scripts use a member's offset (bpftrace and gdb, which cast) or its name
 * (sdtkit trace, expectations), so both matter. A new member where there was
 * nothing breaks nothing.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "diff/changes.h"
#include "diff/members.h"
#include "diff/names.h"
#include "probes/interface.h"
#include "probes/members.h"

/*
 * Adds a change of a member of the old record, or of one that only the new
 * record has.
 */
__attribute__((format(printf, 5, 6)))
static void add(struct change_list *list, enum change_kind kind,
		const struct argument_pair *pair,
		const struct sdtkit_layout_member *member, const char *format,
		...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = tool_vformat(format, ap);
	va_end(ap);
	changes_add(list, kind, pair->probe, pair->argument, "'%s.%s' %s",
		    pair->old->name, member->name, text)->member = member->name;
	free(text);
}

/*
 * Compares the types of an old member and of the one that has its name or
 * offset now.
 */
static void compare_types(struct change_list *list,
			  const struct argument_pair *pair,
			  const struct sdtkit_layout_member *was,
			  const struct sdtkit_layout_member *is)
{
	bool same_type = strcmp(was->type, is->type) == 0;

	/* The same type may have another size on another machine. */
	if (!members_same_wire(was, is))
		add(list, CHANGE_MEMBER_TYPE, pair, was, "is %s now, was %s",
		    same_type ? is->wire : is->type,
		    same_type ? was->wire : was->type);
	else if (!same_type)
		add(list, CHANGE_MEMBER_SPELLING, pair, was,
		    "is spelled '%s' now, was '%s'", is->type, was->type);
	changes_find_names(list, pair, is->name, was->names, is->names);
}

/* Finds the member that an old one may be called now, or NULL. */
static const struct sdtkit_layout_member *
find_renamed(const struct argument_pair *pair,
	     const struct sdtkit_layout_member *was)
{
	const struct sdtkit_layout_member *is;

	is = members_find_at(pair->new->record, was->offset);
	if (is == NULL || !members_same_wire(was, is) ||
	    members_find(pair->old->record, is->name) != NULL)
		return NULL;
	return is;
}

static void compare_member(struct change_list *list,
			   const struct argument_pair *pair,
			   const struct sdtkit_layout_member *was)
{
	const struct sdtkit_layout_member *is, *renamed;

	is = members_find(pair->new->record, was->name);
	if (is != NULL) {
		if (is->offset != was->offset)
			add(list, CHANGE_MEMBER_MOVED, pair, was,
			    "is at offset %u now, was at %u", is->offset,
			    was->offset);
		compare_types(list, pair, was, is);
		return;
	}
	renamed = find_renamed(pair, was);
	if (renamed == NULL) {
		add(list, CHANGE_MEMBER_REMOVED, pair, was, "is gone");
		return;
	}
	add(list, CHANGE_MEMBER_RENAMED, pair, was, "is called '%s.%s' now",
	    pair->new->name, renamed->name);
	compare_types(list, pair, was, renamed);
}

/* Whether a new member may be a renamed old one. */
static bool is_renamed(const struct argument_pair *pair,
		       const struct sdtkit_layout_member *is)
{
	const struct sdtkit_layout_member *was;

	was = members_find_at(pair->old->record, is->offset);
	return was != NULL &&
	       members_find(pair->new->record, was->name) == NULL &&
	       find_renamed(pair, was) == is;
}

static void compare_records(struct change_list *list,
			    const struct argument_pair *pair)
{
	const struct sdtkit_layout *old = pair->old->record;
	const struct sdtkit_layout *new = pair->new->record;
	size_t i;

	for (i = 0; i < old->member_count; i++)
		compare_member(list, pair, &old->members[i]);
	for (i = 0; i < new->member_count; i++) {
		const struct sdtkit_layout_member *is = &new->members[i];

		if (members_find(old, is->name) == NULL &&
		    !is_renamed(pair, is))
			add(list, CHANGE_MEMBER_ADDED, pair, is,
			    "is new, at offset %u", is->offset);
	}
}

/*
 * Handles arguments of which only one side has a record. If the type differs,
 * too, scripts that cast the address would read something else.
 */
static void compare_without(struct change_list *list,
			    const struct argument_pair *pair,
			    const char *silent)
{
	if (strcmp(pair->old->type, pair->new->type) != 0)
		changes_add(list, CHANGE_ARGUMENT_TYPE, pair->probe,
			    pair->argument, "'%s' is '%s' now, which is %s "
			    "address of a record, was '%s'", pair->new->name,
			    pair->new->type,
			    pair->new->record != NULL ? "the" : "not the",
			    pair->old->type);
	else
		changes_add(list, CHANGE_NOT_COMPARED, pair->probe,
			    pair->argument, "the members of '%s' were not "
			    "compared: %s does not have them", pair->new->name,
			    silent);
}

void changes_find_members(struct change_list *list,
			  const struct argument_pair *pair,
			  const char *old_path, const char *new_path)
{
	if (pair->old->record != NULL && pair->new->record != NULL)
		compare_records(list, pair);
	else if (pair->old->wire[0] != 'p' || pair->new->wire[0] != 'p')
		return; /* There is a change ARGUMENT_TYPE already. */
	else if (pair->old->record != NULL)
		compare_without(list, pair, new_path);
	else if (pair->new->record != NULL)
		compare_without(list, pair, old_path);
}
