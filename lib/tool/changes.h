/* SPDX-License-Identifier: BSD-2-Clause */
/* What "sdtkit diff" can find, and the finding of it. */
#ifndef SDTKIT_TOOL_CHANGES_H
#define SDTKIT_TOOL_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "interface.h"

enum change_kind {
	CHANGE_REMOVED,
	CHANGE_RENAMED,
	CHANGE_ADDED,
	CHANGE_ARGUMENT_REMOVED,
	CHANGE_ARGUMENT_ADDED,
	CHANGE_ARGUMENT_MOVED,
	CHANGE_ARGUMENT_RENAMED,
	CHANGE_ARGUMENT_TYPE,
	CHANGE_ARGUMENT_SPELLING,
	CHANGE_NOT_COMPARED,
	CHANGE_COUNT,
};

struct change_info {
	const char *code;
	/* Scripts for the old one go wrong with the new one. */
	bool breaking;
};

extern const struct change_info changes[CHANGE_COUNT];

struct change {
	enum change_kind kind;
	/* Of the old interface, or for ADDED of the new one. */
	const struct interface_probe *probe;
	/* RENAMED: what it may be called now, else NULL. */
	const struct interface_probe *renamed;
	/* From 1; 0: not about one. */
	size_t argument;
	char *text;
};

struct change_list {
	struct change *change;
	size_t count;
	size_t room;
};

/* All changes, in the order of the names. */
void changes_find(struct change_list *list, const struct interface *old,
		  const struct interface *new);
size_t changes_count(const struct change_list *list, bool breaking);
void changes_free(struct change_list *list);

#endif /* SDTKIT_TOOL_CHANGES_H */
