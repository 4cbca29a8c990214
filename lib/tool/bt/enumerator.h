/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of values in a script: CREATE for 5, and the maps by which a script
 * prints a name for a value, name(args.opcode).
 */
#ifndef SDTKIT_TOOL_BT_ENUMERATOR_H
#define SDTKIT_TOOL_BT_ENUMERATOR_H

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
const struct sdtkit_enum **enumerator_mark(const struct source *source,
					   const struct clause *clause,
					   const struct probe *probe);

enum enumerator_verdict {
	ENUMERATOR_OTHER,
	ENUMERATOR_VALUE,
	ENUMERATOR_WRONG,
};

/*
 * Finds the value of a word. names is what enumerator_mark() says of the word;
 * if it is NULL, all names of the probe are tried. ENUMERATOR_WRONG comes after a
 * complaint; ENUMERATOR_OTHER means that the word is not an enumerator.
 */
enum enumerator_verdict enumerator_find(struct source *source,
					const struct clause *clause,
					const struct probe *probe,
					const struct sdtkit_enum *names,
					size_t i, bool has_definitions,
					long long *value);

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

#endif /* SDTKIT_TOOL_BT_ENUMERATOR_H */
