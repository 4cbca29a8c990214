/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: rules for the names of an argument's values. */
#ifndef SDTKIT_TOOL_CHECK_VALUES_H
#define SDTKIT_TOOL_CHECK_VALUES_H

struct check;
struct sdtkit_enum;
struct subject;

/*
 * Compares the names of the values of an argument or a member, "opcode" or
 * "req.opcode", with those that are declared.  Either may be NULL.
 */
void check_values(struct check *check, const struct subject *subject,
		  const char *name, const struct sdtkit_enum *declared,
		  const struct sdtkit_enum *described);

#endif /* SDTKIT_TOOL_CHECK_VALUES_H */
