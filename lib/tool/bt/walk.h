/* SPDX-License-Identifier: BSD-2-Clause */
/* Going over the tokens of a clause, for rewrite.c and argument.c. */
#ifndef SDTKIT_TOOL_BT_WALK_H
#define SDTKIT_TOOL_BT_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "bt/chain.h"
#include "bt/clause.h"
#include "bt/enumerator.h"
#include "bt/objects.h"
#include "bt/value.h"

/* What is to be rewritten, and how. */
struct rewriting {
	struct source *source;
	const struct clause *clause;
	const struct dialect *dialect;
	struct maps *maps;
	bool has_definitions;
	/* The filter is to select this process; 0: any. */
	pid_t pid;
};

struct walk {
	const struct rewriting *with;
	const struct probe *probe;
	/* What words are compared with. */
	const struct sdtkit_enum **mark;
	FILE *out;
	/* Up to where the text of the script was taken. */
	size_t taken;
	bool bad;
	/* How many indexes are around it. */
	unsigned int depth;
};

const struct token *walk_token(const struct walk *walk, size_t i);

/* Whether token i is this text. */
bool walk_is(const struct walk *walk, size_t i, const char *text);

/* Points at the tokens [first, end), and makes the walk a bad one. */
void walk_complain(struct walk *walk, size_t first, size_t end,
		   const char *text);

/* Says why an argument cannot be read. */
void walk_cannot_read(struct walk *walk, const struct chain *chain,
		      const char *reason);

/* Whether token i is in str( or the like, which takes an address. */
bool walk_wants_address(const struct walk *walk, size_t i);

/* Writes an argument as it is: an address, or 64 bits. */
void walk_raw(struct walk *walk, const struct chain *chain);

#endif /* SDTKIT_TOOL_BT_WALK_H */
