/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit check: rules for the probes of a file that share a semaphore, and for
 * those that should (#pragma sdtkit group).
 */
#ifndef SDTKIT_TOOL_CHECK_SHARED_H
#define SDTKIT_TOOL_CHECK_SHARED_H

struct check;
struct object;

void check_shared(struct check *check, const struct object *object);

#endif /* SDTKIT_TOOL_CHECK_SHARED_H */
