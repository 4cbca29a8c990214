/* SPDX-License-Identifier: BSD-2-Clause */
/* The changes that "sdtkit diff" can find, and a list of them. */
#ifndef SDTKIT_TOOL_CHANGES_H
#define SDTKIT_TOOL_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

struct sdtkit_argument;
struct interface_probe;
struct sdtkit_span;

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
	CHANGE_ENUMERATOR_REMOVED,
	CHANGE_ENUMERATOR_ADDED,
	CHANGE_ENUMERATOR_RENAMED,
	CHANGE_ENUMERATOR_VALUE,
	CHANGE_SEMAPHORE,
	CHANGE_SPAN_REMOVED,
	CHANGE_SPAN_ADDED,
	CHANGE_SPAN_CHANGED,
	CHANGE_NOT_COMPARED,
	CHANGE_COUNT,
};

/* What a change does to scripts that were written for the old interface. */
enum change_effect {
	EFFECT_HARMLESS,
	EFFECT_BREAKING,
	/* One side does not have the information. */
	EFFECT_UNKNOWN,
};

struct change_info {
	const char *code;
	enum change_effect effect;
};

extern const struct change_info changes[CHANGE_COUNT];

struct change {
	enum change_kind kind;
	/*
	 * A probe of the old interface, or if it is ADDED of the new one; NULL
	 * if it is about a span.
	 */
	const struct interface_probe *probe;
	/* A span, likewise; NULL if it is about a probe. */
	const struct sdtkit_span *span;
	/* RENAMED: the new probe that it may have become, otherwise NULL. */
	const struct interface_probe *renamed;
	/*
	 * One more than the number of the argument; 0: the change is not about
	 * one.
	 */
	size_t argument;
	/* The name of a member of the argument's record, or NULL. */
	const char *member;
	char *text;
};

struct change_list {
	struct change *change;
	size_t count;
	size_t capacity;
};

/* An argument of a probe on both sides; argument is as in struct change. */
struct argument_pair {
	const struct interface_probe *probe;
	size_t argument;
	const struct sdtkit_argument *old;
	const struct sdtkit_argument *new;
};

size_t changes_count(const struct change_list *list,
		     enum change_effect effect);
void changes_free(struct change_list *list);

/* Adds a change. argument may be 0. */
__attribute__((format(printf, 5, 6)))
struct change *changes_add(struct change_list *list, enum change_kind kind,
			   const struct interface_probe *probe, size_t argument,
			   const char *format, ...);

#endif /* SDTKIT_TOOL_CHANGES_H */
