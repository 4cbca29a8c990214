/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clauses of a script: which probes they are for, and their tokens.
 *
 *	struct x { int y; };		not a clause
 *	smb2:read, BEGIN /pid == 1/ { @ = count(); }
 *	\_______/  \___/ \_______/  \______________/
 *	 point     point   filter    body
 */
#ifndef SDTKIT_TOOL_BT_CLAUSE_H
#define SDTKIT_TOOL_BT_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "bt/point.h"
#include "bt/source.h"
#include "bt/token.h"

struct clause {
	/* [start, end) in the text; the filter or the body begins at rest. */
	size_t start;
	size_t rest;
	size_t end;
	struct point *point;
	size_t point_count;
	size_t point_capacity;
	/* The tokens of the filter, if there is one, and of the body. */
	struct token *token;
	size_t token_count;
	size_t token_capacity;
	/* The token that begins the body. */
	size_t body;
};

struct clauses {
	struct clause *clause;
	size_t count;
	size_t capacity;
	/*
	 * The script defines words of its own (enums, macros, #include), so a
	 * word that nobody here knows may be one of them.
	 */
	bool has_definitions;
};

/* Returns false after a complaint. */
bool clauses_parse(struct clauses *clauses, struct source *source);
void clauses_free(struct clauses *clauses);

/* Whether it is for BEGIN, or END, and nothing else. */
bool clause_is_special(const struct clause *clause,
		       const struct source *source, const char *name);

/* Whether it asks for probes that have to be found. */
bool clause_is_ours(const struct clause *clause);

#endif /* SDTKIT_TOOL_BT_CLAUSE_H */
