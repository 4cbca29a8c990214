/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of values in a script: CREATE for 5, and the maps by which a script
 * prints a name for a value, name(args.opcode).
 */
#ifndef SDTKIT_TOOL_BT_WORDS_H
#define SDTKIT_TOOL_BT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bt/clause.h"
#include "bt/objects.h"

/*
 * Remembers, for each token of the clause, the names that it may be one of,
 * because it is compared with an argument that has them. The caller frees the
 * array.
 */
const struct sdtkit_enum **words_mark(const struct source *source,
				      const struct clause *clause,
				      const struct probe *probe);

enum words_verdict { WORDS_OTHER, WORDS_VALUE, WORDS_WRONG };

/*
 * Finds the value of a word. names is what words_mark() says of it; if NULL,
 * all names of the probe are tried. WORDS_WRONG comes after a complaint;
 * WORDS_OTHER means that the word is none of ours.
 */
enum words_verdict words_find(struct source *source,
			      const struct clause *clause,
			      const struct probe *probe,
			      const struct sdtkit_enum *names, size_t i,
			      bool has_definitions, long long *value);

/* The maps that a script needs. */
struct maps {
	struct map *map;
	size_t count;
	size_t capacity;
};

struct map {
	/* "@names_command" */
	char *name;
	const struct sdtkit_enum *names;
};

/* Returns the name of the map for these names, which is then needed. */
const char *maps_need(struct maps *maps, const struct source *source,
		      const struct sdtkit_enum *names);

/* Writes what BEGIN and END have to do for them. */
void maps_write_begin(FILE *out, const struct maps *maps);
void maps_write_end(FILE *out, const struct maps *maps);
void maps_free(struct maps *maps);

#endif /* SDTKIT_TOOL_BT_WORDS_H */
