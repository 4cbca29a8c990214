/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules that compare a probe of a file with what is said of it
 * elsewhere: in the declaration, and in the description that the file contains.
 */
#ifndef SDTKIT_TOOL_CHECK_DECLARED_H
#define SDTKIT_TOOL_CHECK_DECLARED_H

struct check;
struct group;

/* Compares the sites with the declaration, which the group must have. */
void check_declaration(struct check *check, const struct group *group);

/* Checks that sites have notes for the provider's alias, if it has one. */
void check_alias(struct check *check, const struct group *group);

/*
 * Compares the description with the sites and, if there is one, with the
 * declaration.
 */
void check_description(struct check *check, const struct group *group);

#endif /* SDTKIT_TOOL_CHECK_DECLARED_H */
