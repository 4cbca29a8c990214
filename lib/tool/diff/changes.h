/* SPDX-License-Identifier: BSD-2-Clause */
/* What "sdtkit diff" can find, and the finding of it. */
#ifndef SDTKIT_TOOL_CHANGES_H
#define SDTKIT_TOOL_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "probes/interface.h"

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
	CHANGE_MEMBER_REMOVED,
	CHANGE_MEMBER_ADDED,
	CHANGE_MEMBER_MOVED,
	CHANGE_MEMBER_RENAMED,
	CHANGE_MEMBER_TYPE,
	CHANGE_MEMBER_SPELLING,
	CHANGE_NOT_COMPARED,
	CHANGE_COUNT,
};

/* What becomes of scripts for the old interface with the new one. */
enum change_effect {
	EFFECT_HARMLESS,
	EFFECT_BREAKING,
	/* One side does not tell enough. */
	EFFECT_UNKNOWN,
};

struct change_info {
	const char *code;
	enum change_effect effect;
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
	/* Of the record that the argument is the address of, or NULL. */
	const char *member;
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
size_t changes_count(const struct change_list *list,
		     enum change_effect effect);
void changes_free(struct change_list *list);

/* For members.c: one more, about an argument or, if it is 0, none. */
__attribute__((format(printf, 5, 6)))
struct change *changes_add(struct change_list *list, enum change_kind kind,
			   const struct interface_probe *probe, size_t argument,
			   const char *format, ...);

/* An argument of a probe, counted from 1, on both sides. */
struct argument_pair {
	const struct interface_probe *probe;
	size_t argument;
	const struct interface_argument *old;
	const struct interface_argument *new;
};

/*
 * What has changed in the record that the argument is the address of.  The
 * paths are those of the two interfaces.
 */
void changes_find_members(struct change_list *list,
			  const struct argument_pair *pair,
			  const char *old_path, const char *new_path);

#endif /* SDTKIT_TOOL_CHANGES_H */
