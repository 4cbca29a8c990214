/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: all rules for a file and its probes. */
#ifndef SDTKIT_TOOL_CHECK_OBJECT_H
#define SDTKIT_TOOL_CHECK_OBJECT_H

struct check;
struct object;

void check_object(struct check *check, const struct object *object);

#endif /* SDTKIT_TOOL_CHECK_OBJECT_H */
