/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a script names by args.NAME: an argument, or a member of the record
 * that it points to.
 *
 *	args . req -> peer . port
 */
#ifndef SDTKIT_TOOL_BT_CHAIN_H
#define SDTKIT_TOOL_BT_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "bt/clause.h"
#include "bt/objects.h"

enum chain_fault {
	CHAIN_GOOD,
	/* The file does not say what the arguments are called. */
	CHAIN_NOT_DESCRIBED,
	CHAIN_NO_ARGUMENT,
	CHAIN_NO_MEMBER,
	/* The argument is not the address of a record. */
	CHAIN_NO_RECORD,
};

struct chain {
	enum chain_fault fault;
	/* The tokens [first, end); word is the one that is wrong, if any. */
	size_t first;
	size_t end;
	size_t word;
	/* The number of the argument. */
	size_t index;
	const struct sdtkit_argument *argument;
	/* NULL for the argument itself. */
	const struct sdtkit_layout_member *member;
	/* The names of its values; NULL if it has none. */
	const struct sdtkit_enum *names;
};

/*
 * Looks up the names that begin with the token i. Returns false if these are
 * not arguments of the probe: `x.args`, or `args` alone.
 */
bool chain_find(const struct source *source, const struct clause *clause,
		const struct probe *probe, size_t i, struct chain *chain);

/* Complains of the fault. */
void chain_complain(struct source *source, const struct clause *clause,
		    const struct probe *probe, const struct chain *chain);

/* Whether the token is "." or "->". */
bool chain_is_link(const struct source *source, const struct clause *clause,
		   size_t i);

#endif /* SDTKIT_TOOL_BT_CHAIN_H */
