/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unused.c - files of an smbd that has been replaced, and has ended.
 *
 *	no name any more -> no process has it mapped, in two looks -> detached,
 *	and closed
 *
 * The file of an upgraded smbd keeps its probes as long as a client of it is
 * connected, which may be for weeks. But a service runs for longer than that,
 * and each file takes a place of a table, dozens of descriptors, and its room
 * on the disk.
 *
 * As long as the process that was found to have a file has it still, the others
 * are not read. Two looks are made because a process may have opened a file
 * that it is about to map.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "attach.h"
#include "probe_file.h"
#include "proc.h"
#include "unused.h"

enum { LOOKS = 2 };

static const unsigned long long INTERVAL_NS = 5000000000;
static const unsigned long long SHARE = 500;	/* 1/500 of a CPU */

static unsigned long long due;
static const char *name;		/* of an smbd */

static struct probe_file *file_of(const struct found *found, int i)
{
	return found->files[i].probes;
}

static bool is_removed(const struct found_file *file)
{
	struct stat st;

	return fstat(file->fd, &st) == 0 && st.st_nlink == 0;
}

/* A process that must not be read has led to no file, unless it is an smbd. */
static bool may_have_all(pid_t pid, int error)
{
	switch (error) {
	case 0:
	case -ENOENT:
	case -ESRCH:
		return false;
	case -EACCES:
	case -EPERM:
		return proc_has_name(pid, name);
	default:
		return true;
	}
}

/* Notes which files a process has. */
static void ask(const struct found *found, pid_t pid, bool *mapped)
{
	bool all;
	int i;

	memset(mapped, false, (size_t)found->num_files);
	all = may_have_all(pid, find_mapped(pid, mapped));
	for (i = 0; i < found->num_files; i++) {
		if (all || mapped[i])
			file_of(found, i)->user = pid;
	}
}

/* Returns how many files there are that are removed, and have no user. */
static int count_unused(const struct found *found)
{
	int count = 0;
	int i;

	for (i = 0; i < found->num_files; i++) {
		if (file_of(found, i)->removed && file_of(found, i)->user == 0)
			count++;
	}
	return count;
}

/* Asks those that had a file at the last look. */
static void ask_users(const struct found *found, bool *mapped)
{
	struct probe_file *file;
	pid_t pid;
	int i;

	for (i = 0; i < found->num_files; i++) {
		file = file_of(found, i);
		file->removed = is_removed(&found->files[i]);
		pid = file->user;
		if (!file->removed || pid == 0)
			continue;
		file->user = 0;
		ask(found, pid, mapped);
	}
}

/* Returns whether all were asked, as far as it matters. */
static bool ask_all(const struct found *found, bool *mapped)
{
	pid_t *pids;
	int count;
	int i;

	if (count_unused(found) == 0)
		return true;
	count = proc_all(&pids);
	for (i = 0; i < count && count_unused(found) > 0; i++)
		ask(found, pids[i], mapped);
	free(pids);
	return count >= 0;
}

static void look(const struct found *found)
{
	bool *mapped = memory_zeros((size_t)found->num_files, sizeof(*mapped));
	struct probe_file *file;
	bool all;
	int i;

	ask_users(found, mapped);
	all = ask_all(found, mapped);
	free(mapped);
	for (i = 0; i < found->num_files; i++) {
		file = file_of(found, i);
		if (all && file->removed && file->user == 0)
			file->unused++;
		else
			file->unused = 0;
	}
}

/* One at a time: events wait meanwhile. */
static void drop_one(struct found *found)
{
	int i;

	for (i = 0; i < found->num_files; i++) {
		if (file_of(found, i)->unused < LOOKS)
			continue;
		attach_end(&found->files[i]);
		find_drop(found, i);
		return;
	}
}

void unused_look(const struct options *options, struct found *found,
		 unsigned long long now)
{
	unsigned long long cost = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);

	name = options->name;
	if (now >= due) {
		look(found);
		cost = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cost;
		cost *= SHARE;
		due = now + (cost > INTERVAL_NS ? cost : INTERVAL_NS);
	}
	drop_one(found);
}
