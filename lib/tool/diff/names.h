/* SPDX-License-Identifier: BSD-2-Clause */
/* What scripts would break on, between the names of values on two sides. */
#ifndef SDTKIT_TOOL_DIFF_NAMES_H
#define SDTKIT_TOOL_DIFF_NAMES_H

struct argument_pair;
struct change_list;
struct sdtkit_enum;

/*
 * Adds changes of the names of the values of an argument or, unless member is
 * NULL, of a member of its record.  Either of the two may be NULL.
 */
void changes_find_names(struct change_list *list,
			const struct argument_pair *pair, const char *member,
			const struct sdtkit_enum *old,
			const struct sdtkit_enum *new);

#endif /* SDTKIT_TOOL_DIFF_NAMES_H */
