/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * discover.c - processes -> files -> groups.
 *
 *	/proc -> struct process				processes.c
 *	/proc/4711/maps, map_files -> struct file	files.c, carries.c
 *	files that are mapped now -> struct group	groups.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/beside.h"
#include "common/escape.h"
#include "common/tool.h"
#include "lib/base/clock.h"
#include "probes/interface.h"
#include "sdtkit/notes.h"
#include "serve/carries.h"
#include "serve/containers.h"
#include "serve/discover.h"
#include "serve/files.h"
#include "serve/groups.h"
#include "serve/once.h"
#include "serve/processes.h"

/* A program that has just been started has not mapped all of its libraries. */
static const uint64_t start_up = 1000000000;	/* ns */
/* Of the processor, for one look; what is left is looked at the next time. */
static const uint64_t budget = 500000000;	/* ns */

struct discover {
	struct discover_options options;
	struct once once;
	struct carries carries;
	struct files files;
	struct processes processes;
	pid_t resume;			/* where the budget was spent */
	struct groups groups;
};

bool discover_manifests(char path[static PATH_MAX])
{
	return beside_path(SERVE_SPANS_BESIDE, path) ||
	       beside_path("spans", path);
}

struct discover *discover_new(const struct discover_options *options)
{
	struct discover *d = tool_zeros(1, sizeof(*d));
	const struct discover_section *section = options->section;
	size_t i;

	d->options = *options;
	d->once.say = options->say;
	d->carries.once = &d->once;
	d->files.carries = &d->carries;
	d->files.once = &d->once;
	d->groups.once = &d->once;
	d->groups.files = &d->files;
	d->groups.only = options->only;
	for (i = 0; i < options->count; i++) {
		if (section[i].describe == NULL ||
		    carries_add(&d->carries, section[i].describe))
			continue;
		discover_free(d);
		return NULL;
	}
	if (options->manifests != NULL)
		carries_add_all(&d->carries, options->manifests);
	return d;
}

struct process_look {
	struct discover *discover;
	struct process *process;
	uint64_t now;
	/* The file of the mapping before. */
	uint64_t device;
	uint64_t inode;
};

static void complain_of_rights(struct discover *d, int ret)
{
	if ((ret == -EPERM || ret == -EACCES) && !d->options.own)
		once_say(&d->once, "some programs are not found: to open what "
			 "processes have mapped takes CAP_SYS_PTRACE, "
			 "CAP_DAC_READ_SEARCH, and CAP_CHECKPOINT_RESTORE or "
			 "CAP_SYS_ADMIN");
}

static int look_at_mapping(const struct sdtkit_mapping *mapping, void *context)
{
	struct process_look *look = context;
	char path[PATH_MAX + 32], name[PATH_MAX];
	int file;

	if (!mapping->executable || mapping->path[0] != '/' ||
	    (mapping->device == look->device && mapping->inode == look->inode))
		return 0;
	look->device = mapping->device;
	look->inode = mapping->inode;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 (int)look->process->pid, mapping->start, mapping->end);
	escape_into(name, sizeof(name), mapping->path, ESCAPE_PATH);
	file = files_find(&look->discover->files, path, name, look->now);
	if (file == -EPERM && look->discover->options.own &&
	    !mapping->deleted) {
		snprintf(path, sizeof(path), "/proc/%d/root%s",
			 (int)look->process->pid, mapping->path);
		file = files_find(&look->discover->files, path, name,
				  look->now);
	}
	if (file >= 0)
		look->process->files[file / 64] |= (uint64_t)1 << file % 64;
	complain_of_rights(look->discover, file);
	return 0;
}

static bool maps_any(const struct process *process)
{
	size_t i;

	for (i = 0; i < PROCESSES_FILES / 64; i++) {
		if (process->files[i] != 0)
			return true;
	}
	return false;
}

static bool is_ignored(const struct discover *d, const char *program)
{
	const struct discover_section *section = d->options.section;
	size_t i;

	for (i = 0; i < d->options.count; i++) {
		if (section[i].ignored && section[i].file == NULL &&
		    strcmp(section[i].program, program) == 0)
			return true;
	}
	return false;
}

static void look_at_process(struct discover *d, struct process *process,
			    uint64_t now)
{
	struct process_look look = { d, process, now, 0, 0 };
	struct container container;
	char program[PROCESSES_NAME];

	processes_clear(process);
	complain_of_rights(d, sdtkit_mappings_read(process->pid,
						   look_at_mapping, &look));
	if (!maps_any(process))
		return;
	processes_program(process->pid, program);
	if (program[0] == '\0' || is_ignored(d, program)) {
		processes_clear(process);
		return;
	}
	process->program = tool_format("%s", program);
	if (containers_find(process->pid, &container)) {
		process->container = tool_zeros(1, sizeof(container));
		*process->container = container;
	}
}

/* Begins with the process at which the budget of the last look was spent. */
static void look_at_processes(struct discover *d, uint64_t now)
{
	uint64_t begin = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	struct processes *all = &d->processes;
	uint64_t before, after;
	size_t first = 0, i;

	while (first < all->count && all->process[first].pid < d->resume)
		first++;
	d->resume = 0;
	for (i = 0; i < all->count; i++) {
		struct process *p = &all->process[(first + i) % all->count];

		if (!processes_is_due(p, now))
			continue;
		before = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
		if (before - begin > budget) {
			d->resume = p->pid;
			return;
		}
		look_at_process(d, p, now);
		after = sdtkit_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
		processes_looked(p, now, after - before);
	}
}

static void look_at_section(struct discover *d,
			    const struct discover_section *section,
			    uint64_t now)
{
	int number = files_find(&d->files, section->file, section->file, now);
	struct file *file;

	if (number < 0) {
		once_say(&d->once, "%s: %s", section->file, number == -ENODATA ?
			 "has no spans, and no description fits it" :
			 strerror(-number));
		return;
	}
	file = d->files.file[number];
	file->section = section;
	file->mapped = true;
	file->settled = true;
}

static void mark_file(struct discover *d, struct file *file,
		      const struct process *process, uint64_t now)
{
	file->mapped = true;
	file->settled |= now > process->began + start_up;
	if (file->program[0] == '\0') {
		snprintf(file->program, sizeof(file->program), "%s",
			 process->program);
		file->device = process->device;
		file->inode = process->inode;
	}
	file->shared |= strcmp(file->program, process->program) != 0;
}

/* Calls for each file that a process has mapped. */
static void for_each_file(struct discover *d,
			  void (*each)(struct discover *d, struct file *file,
				       const struct process *process,
				       uint64_t now), uint64_t now)
{
	size_t i, file;

	for (i = 0; i < d->processes.count; i++) {
		const struct process *process = &d->processes.process[i];

		if (process->program == NULL)
			continue;
		for (file = 0; file < PROCESSES_FILES; file++) {
			if (processes_maps(process, file))
				each(d, d->files.file[file], process, now);
		}
	}
}

static void mark_files(struct discover *d, uint64_t now)
{
	size_t i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		if (d->files.file[i] == NULL)
			continue;
		d->files.file[i]->mapped = false;
		d->files.file[i]->settled = false;
	}
	for (i = 0; i < d->options.count; i++) {
		if (d->options.section[i].file != NULL)
			look_at_section(d, &d->options.section[i], now);
	}
	for_each_file(d, mark_file, now);
}

static void add_pid(struct discover *d, struct file *file,
		    const struct process *process, uint64_t now)
{
	groups_add_pid(&d->groups, file, process);
}

void discover_look(struct discover *d, uint64_t now)
{
	int ret;

	groups_forget_gone(&d->groups);
	ret = processes_list(&d->processes);
	if (ret < 0)
		once_say(&d->once, "/proc: %s", strerror(-ret));
	look_at_processes(d, now);
	mark_files(d, now);
	groups_end(&d->groups);
	groups_make(&d->groups);
	groups_clear_pids(&d->groups);
	for_each_file(d, add_pid, now);
	groups_end_idle(&d->groups);
	files_sweep(&d->files, now);
}

const struct discover_group *
discover_next(const struct discover *d, const struct discover_group *group)
{
	return groups_next(&d->groups, group);
}

int discover_found(const struct discover *d, const struct discover_group *group,
		   struct found *found)
{
	int ret = -ENODATA;
	size_t i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		const struct file *file = d->files.file[i];

		if (file != NULL && groups_has(group, file) &&
		    find_open(found, file->at.fd, file->at.name) == 0)
			ret = 0;
	}
	return ret;
}

const char *discover_description(const struct discover *d,
				 const struct discover_group *group,
				 size_t number)
{
	uint64_t fitting = 0;
	size_t i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		if (d->files.file[i] != NULL &&
		    groups_has(group, d->files.file[i]))
			fitting |= d->files.file[i]->fitting;
	}
	for (i = 0; i < d->carries.count; i++) {
		if (fitting >> i & 1 && number-- == 0)
			return d->carries.description[i].path;
	}
	return NULL;
}

void discover_free(struct discover *d)
{
	groups_end_all(&d->groups);
	groups_forget_gone(&d->groups);
	files_free(&d->files);
	processes_free(&d->processes);
	carries_free(&d->carries);
	free(d);
}
