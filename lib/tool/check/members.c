/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: compares the members of a record, as the file describes them,
 * with their declaration.
 */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/members.h"
#include "check/values.h"
#include "probes/members.h"

static void check_undeclared(struct check *check, const struct subject *subject,
			     const struct sdtkit_argument *declared,
			     const struct sdtkit_layout_member *described)
{
	char *text;

	if (members_find(declared->record, described->name) != NULL)
		return;
	text = members_text(declared->name, described);
	findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS, subject,
		     "'%s' is described, but not declared", text);
	free(text);
}

static void check_member(struct check *check, const struct subject *subject,
			 const struct sdtkit_argument *declared,
			 const struct sdtkit_layout_member *member,
			 const struct sdtkit_layout_member *described)
{
	char *is, *was = members_text(declared->name, member);

	if (described == NULL) {
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     subject,
			     "'%s' is declared, but not described", was);
		free(was);
		return;
	}
	is = members_text(declared->name, described);
	if (described->offset != member->offset || strcmp(is, was) != 0)
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     subject,
			     "described as '%s' at offset %u, declared as "
			     "'%s' at offset %u", is, described->offset, was,
			     member->offset);
	else if (!members_same_wire(described, member))
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     subject,
			     "'%s' is described with the wire type '%s', but "
			     "declared with '%s'", was, described->wire,
			     member->wire);
	else
		check_values(check, subject, member->name, member->names,
			     described->names);
	free(is);
	free(was);
}

/*
 * The members are not known if the objects of a program describe the record in
 * different ways.
 */
void check_members(struct check *check, const struct subject *subject,
		   const struct sdtkit_argument *declared,
		   const struct sdtkit_argument *argument)
{
	const struct sdtkit_layout *described = argument->record;
	size_t i;

	if (declared->record == NULL)
		return;
	if (described == NULL) {
		findings_add(&check->findings, RULE_DESCRIPTION_DIFFERS,
			     subject,
			     "'%s' is declared as the address of a record, "
			     "whose members are described in several ways or "
			     "not at all", declared->name);
		return;
	}
	for (i = 0; i < declared->record->member_count; i++) {
		const struct sdtkit_layout_member *member =
			&declared->record->members[i];

		check_member(check, subject, declared, member,
			     members_find(described, member->name));
	}
	for (i = 0; i < described->member_count; i++)
		check_undeclared(check, subject, declared,
				 &described->members[i]);
}
