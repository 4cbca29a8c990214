/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes.c - /proc -> struct process.
 *
 * Of a process that was there before, a scan costs one statx(): of
 * /proc/PID/exe, which does not read its path. An upgraded program that
 * executes itself again has the same path, but another inode.
 *
 * A program maps its libraries in its first seconds, and plugins at any time.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/escape.h"
#include "common/tool.h"
#include "lib/uprobe/proc.h"
#include "serve/processes.h"

static const uint64_t second = 1000000000;

enum {
	YOUNG = 30,		/* seconds */
	OFTEN = 60,		/* likewise: how often others are looked at */
	COST = 200,		/* at most one part in so many of the time */
};

static int compare_pids(const void *first, const void *second_one)
{
	const struct process *a = first, *b = second_one;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

void processes_clear(struct process *process)
{
	free(process->program);
	free(process->container);
	process->program = NULL;
	process->container = NULL;
	memset(process->files, 0, sizeof(process->files));
}

/* Takes over what is known of a process, which is another one after that. */
static struct process take(const struct processes *known, pid_t pid,
			   uint64_t directory)
{
	const struct process key = { .pid = pid, .directory = directory };
	struct process *found = NULL, taken;

	if (known->count > 0)
		found = bsearch(&key, known->process, known->count,
				sizeof(key), compare_pids);
	if (found == NULL || found->directory != directory)
		return key;
	taken = *found;
	found->program = NULL;
	found->container = NULL;
	return taken;
}

int processes_list(struct processes *processes)
{
	struct processes now = { .count = 0 };
	size_t capacity = 0;
	struct dirent *entry;
	DIR *dir = opendir("/proc");

	if (dir == NULL)
		return -errno;
	while ((entry = readdir(dir)) != NULL) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		if (pid <= 0)
			continue;
		TOOL_GROW(now.process, now.count, capacity);
		now.process[now.count++] = take(processes, pid,
						entry->d_ino);
	}
	closedir(dir);
	if (now.count > 0)
		qsort(now.process, now.count, sizeof(*now.process), compare_pids);
	processes_free(processes);
	*processes = now;
	return 0;
}

void processes_free(struct processes *processes)
{
	size_t i;

	for (i = 0; i < processes->count; i++)
		processes_clear(&processes->process[i]);
	free(processes->process);
	*processes = (struct processes){ .count = 0 };
}

/* A kernel thread executes nothing: no file has that number. */
static bool executes_another(struct process *process)
{
	struct statx st = { .stx_ino = 0 };
	uint64_t device;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)process->pid);
	statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO, &st);
	device = makedev(st.stx_dev_major, st.stx_dev_minor);
	if (st.stx_ino == process->inode && device == process->device)
		return false;
	process->inode = st.stx_ino;
	process->device = device;
	return true;
}

bool processes_is_due(struct process *process, uint64_t now)
{
	bool is_new = process->inode == 0;

	if (executes_another(process)) {
		process->next = 0;
		process->began = is_new ? 0 : now;
	}
	if (now < process->next)
		return false;
	if (process->inode != 0)
		return true;
	process->next = UINT64_MAX;
	processes_clear(process);
	return false;
}

static uint64_t began_at(pid_t pid)
{
	struct proc proc;

	return proc_read(pid, &proc) < 0 ? 0 :
	       proc.start * (second / (uint64_t)sysconf(_SC_CLK_TCK));
}

void processes_looked(struct process *process, uint64_t now, uint64_t took)
{
	uint64_t wait = 0;

	if (process->began == 0)
		process->began = began_at(process->pid);
	/* Not all of those that were there in the beginning at once. */
	if (now > process->began + YOUNG * second)
		wait = (OFTEN - (uint64_t)process->pid % 16) * second;
	if (wait < COST * took)
		wait = COST * took;
	process->next = now + wait;
}

void processes_program(pid_t pid, char name[PROCESSES_NAME])
{
	static const char mark[] = " (deleted)";
	char path[PATH_MAX];
	const char *base;
	size_t length;

	proc_program(pid, path);
	length = strlen(path);
	if (length >= sizeof(mark) &&
	    strcmp(path + length - (sizeof(mark) - 1), mark) == 0)
		path[length - (sizeof(mark) - 1)] = '\0';
	base = strrchr(path, '/');
	escape_into(name, PROCESSES_NAME, base != NULL ? base + 1 : path,
		    ESCAPE_PATH);
}
