/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that clients had open before the tracing began. */
#ifndef TSMBD_OPENS_H
#define TSMBD_OPENS_H

#include <sys/types.h>

/*
 * Returns how many files and directories clients have open in a process of
 * smbd, or -errno: the descriptors that it has not inherited, without those for
 * its own use. An open that only reads attributes has no descriptor in some
 * versions of smbd. The descriptors of the parent are cached for two seconds.
 */
int opens_of_process(pid_t pid, pid_t parent);

#endif /* TSMBD_OPENS_H */
