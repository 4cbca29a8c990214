/* SPDX-License-Identifier: BSD-2-Clause */
/* What scripts would break on, between two layouts of a record. */
#ifndef SDTKIT_TOOL_DIFF_MEMBERS_H
#define SDTKIT_TOOL_DIFF_MEMBERS_H

struct argument_pair;
struct change_list;

/*
 * Adds changes of the record that the argument is the address of. The paths are
 * those of the two interfaces.
 */
void changes_find_members(struct change_list *list,
			  const struct argument_pair *pair,
			  const char *old_path, const char *new_path);

#endif /* SDTKIT_TOOL_DIFF_MEMBERS_H */
