/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules for a probe of a file and what is said of it elsewhere:
 * in the declaration, and in the description that the file itself carries.
 */
#ifndef SDTKIT_TOOL_CHECK_DECLARED_H
#define SDTKIT_TOOL_CHECK_DECLARED_H

struct check;
struct group;

/* The sites against the declaration, which the group must have. */
void check_declaration(struct check *check, const struct group *group);

/* The notes of the provider's alias, if it has one. */
void check_alias(struct check *check, const struct group *group);

/* The description against the sites and, if there is one, the declaration. */
void check_description(struct check *check, const struct group *group);

#endif /* SDTKIT_TOOL_CHECK_DECLARED_H */
