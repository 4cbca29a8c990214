/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: rules for the members of an argument's record. */
#ifndef SDTKIT_TOOL_CHECK_MEMBERS_H
#define SDTKIT_TOOL_CHECK_MEMBERS_H

struct check;
struct sdtkit_argument;
struct subject;
struct sdtkit_argument;

void check_members(struct check *check, const struct subject *subject,
		   const struct sdtkit_argument *declared,
		   const struct sdtkit_argument *argument);

#endif /* SDTKIT_TOOL_CHECK_MEMBERS_H */
