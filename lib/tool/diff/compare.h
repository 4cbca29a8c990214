/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds what scripts would break on, between two interfaces. */
#ifndef SDTKIT_TOOL_COMPARE_H
#define SDTKIT_TOOL_COMPARE_H

struct change_list;
struct interface;

/* Adds all changes to the list, in the order of the names. */
void changes_find(struct change_list *list, const struct interface *old,
		  const struct interface *new);

#endif /* SDTKIT_TOOL_COMPARE_H */
