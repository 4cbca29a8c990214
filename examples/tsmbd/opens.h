/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that clients had open before the tracing began. */
#ifndef TSMBD_OPENS_H
#define TSMBD_OPENS_H

#include <sys/types.h>

/*
 * How many files and directories clients have open in a process of smbd: what
 * it has open itself, and did not get from its parent, without what smbd
 * keeps open for itself. An open that only reads attributes has no descriptor
 * in some versions of smbd. Returns -errno if it cannot be read.
 *
 * What a parent has open may be known from two seconds ago.
 */
int opens_of_process(pid_t pid, pid_t parent);

#endif /* TSMBD_OPENS_H */
