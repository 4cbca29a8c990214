/* SPDX-License-Identifier: BSD-2-Clause */
/* The processes of the host, and when each has to be looked at again. */
#ifndef SDTKIT_TOOL_SERVE_PROCESSES_H
#define SDTKIT_TOOL_SERVE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct container;

enum { PROCESSES_FILES = 256, PROCESSES_NAME = 256 };

struct process {
	pid_t pid;
	/* The inode of /proc/PID: the next process of that number has another. */
	uint64_t directory;
	/* What it executes. */
	uint64_t device;
	uint64_t inode;
	/* Nanoseconds of CLOCK_BOOTTIME. */
	uint64_t began;			/* to execute it */
	uint64_t next;			/* look */
	/* What the last look has found: the program and the files it maps. */
	char *program;			/* NULL if it maps none */
	uint64_t files[PROCESSES_FILES / 64];
	struct container *container;	/* that it is in, or NULL */
};

/* By process ID. */
struct processes {
	struct process *process;
	size_t count;
};

/* Reads which processes there are. Returns 0 or -errno. */
int processes_list(struct processes *processes);

/*
 * Whether a process has to be looked at: it is new, or young, or executes
 * another file, or was not looked at for long.
 */
bool processes_is_due(struct process *process, uint64_t now);

/* After a look that took that long: plans the next one. */
void processes_looked(struct process *process, uint64_t now, uint64_t took);

/*
 * Sets the name of what it executes: the last part of the path, with what is
 * not printable escaped. Empty if it cannot be read.
 */
void processes_program(pid_t pid, char name[PROCESSES_NAME]);

/* Forgets what the last look has found. */
void processes_clear(struct process *process);

void processes_free(struct processes *processes);

static inline bool processes_maps(const struct process *process, size_t file)
{
	return process->files[file / 64] >> file % 64 & 1;
}

#endif /* SDTKIT_TOOL_SERVE_PROCESSES_H */
