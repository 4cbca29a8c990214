/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit diff: changes of spans. */
#ifndef SDTKIT_TOOL_DIFF_SPANS_H
#define SDTKIT_TOOL_DIFF_SPANS_H

struct change_list;
struct interface;

/* Adds the changes of spans, unless one side cannot have any. */
void changes_find_spans(struct change_list *list, const struct interface *old,
			const struct interface *new);

#endif /* SDTKIT_TOOL_DIFF_SPANS_H */
