/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads /proc/PID. Nothing here touches a file that the process has open, so a
 * file system that hangs cannot stop the command.
 */
#ifndef UPROBE_PROC_H
#define UPROBE_PROC_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct proc {
	char state;			/* as in proc(5), /proc/PID/stat */
	pid_t parent;
	int threads;			/* that have not been waited for */
	unsigned long long start;	/* ticks of _SC_CLK_TCK since the boot */
};

/* Returns -ENOENT or -ESRCH if there is no such process. */
int proc_read(pid_t pid, struct proc *proc);

/*
 * A zombie: its number is in use until its parent has asked how it ended. A
 * process whose main thread ended before others is not one: it goes on.
 */
bool proc_is_zombie(const struct proc *proc);

/* Whether it has ended: a zombie does nothing any more. */
bool proc_is_gone(pid_t pid);

/*
 * How many children its main thread has, and a new array of them; 0 if they
 * cannot be read, or -ENOMEM.
 */
int proc_children(pid_t pid, pid_t **children);

/* Likewise all processes; or -errno if there is no /proc. */
int proc_all(pid_t **pids);

/* Returns whether the process, or the file of its program, has that name. */
bool proc_has_name(pid_t pid, const char *name);

/*
 * Sets path to that of its program, followed by " (deleted)" if the file does
 * not exist any more; to "" if it cannot be read.
 */
void proc_program(pid_t pid, char path[PATH_MAX]);

/*
 * Reads a symbolic link below /proc/PID, such as "socket:[81234]", without
 * following it. Returns its length or -errno.
 */
int proc_link(int directory, const char *name, char *text, size_t size);

#endif /* UPROBE_PROC_H */
