/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit check: rules for a file as a whole. */
#ifndef SDTKIT_TOOL_CHECK_FILE_H
#define SDTKIT_TOOL_CHECK_FILE_H

struct check;
struct object;

void check_file(struct check *check, const struct object *object);

#endif /* SDTKIT_TOOL_CHECK_FILE_H */
