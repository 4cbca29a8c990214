/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of values, of arguments and of members: reading, looking up. */
#ifndef SDTKIT_TOOL_NAMES_H
#define SDTKIT_TOOL_NAMES_H

#include <jansson.h>
#include <stdbool.h>

#include "probes/interface.h"

/*
 * Reads the names of the value "enum" of an argument or a member in a manifest:
 * an enum of the list "enums".  Sets *names to NULL if the value is null or
 * missing.  Returns false after a complaint.
 */
bool names_read(struct interface *interface, json_t *enums, json_t *value,
		const struct sdtkit_enum **names);

/* The enumerator of that name, or NULL. */
const struct sdtkit_enumerator *names_find(const struct sdtkit_enum *names,
					   const char *name);

/* The first enumerator of that value, or NULL. */
const struct sdtkit_enumerator *
names_find_value(const struct sdtkit_enum *names, int64_t value);

/* Returns "NEGOTIATE=0 CREATE=5", to be freed. */
char *names_text(const struct sdtkit_enum *names);

#endif /* SDTKIT_TOOL_NAMES_H */
