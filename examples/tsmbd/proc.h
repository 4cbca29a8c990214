/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What /proc tells of a process. Nothing here touches a file that the process
 * has open: a file system that does not answer cannot stop tsmbd.
 */
#ifndef TSMBD_PROC_H
#define TSMBD_PROC_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct proc {
	char state;			/* as in proc(5), /proc/PID/stat */
	pid_t parent;
};

/* Returns -ENOENT or -ESRCH if there is no such process. */
int proc_read(pid_t pid, struct proc *proc);

/* A zombie: its number is in use until its parent has asked how it ended. */
bool proc_is_zombie(const struct proc *proc);

/* How many children its main thread has, and a new array of them; or 0. */
int proc_children(pid_t pid, pid_t **children);

/* It is called that, or its program is. */
bool proc_has_name(pid_t pid, const char *name);

/*
 * The path of its program, with " (deleted)" behind it if the file is not
 * there any more. Empty if that cannot be read.
 */
void proc_program(pid_t pid, char path[PATH_MAX]);

/*
 * What one of the symbolic links below /proc/PID says, which is not followed:
 * "socket:[81234]". Returns its length or -errno.
 */
int proc_link(int directory, const char *name, char *text, size_t size);

#endif /* TSMBD_PROC_H */
