/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of records, which scripts rely on as well: some cast by offset
 * (bpftrace, gdb), others use the name (sdtkit trace, expectations).
 */
#ifndef SDTKIT_TOOL_MEMBERS_H
#define SDTKIT_TOOL_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>

#include "probes/interface.h"

/*
 * Reads the record of that name from the list "records" of a manifest.  Sets
 * *record to NULL if the list does not have it.  Returns false after a
 * complaint.
 */
bool members_read(struct interface *interface, json_t *manifest,
		  const char *name, const struct sdtkit_layout **record);

/* The member of that name, or NULL. */
const struct sdtkit_layout_member *
members_find(const struct sdtkit_layout *record, const char *name);

/* The member that begins at that offset, or NULL. */
const struct sdtkit_layout_member *
members_find_at(const struct sdtkit_layout *record, uint32_t offset);

/*
 * Whether the bytes mean the same.  A description does not know the sign of
 * plain char, whose wire type is "?1" there.
 */
bool members_same_wire(const struct sdtkit_layout_member *a,
		       const struct sdtkit_layout_member *b);

/*
 * "uint16_t req.port", for a member of the record that the argument of that
 * name is the address of; to be freed.
 */
char *members_text(const char *argument,
		   const struct sdtkit_layout_member *member);

#endif /* SDTKIT_TOOL_MEMBERS_H */
