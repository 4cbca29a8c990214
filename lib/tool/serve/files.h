/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that processes have mapped, each read once. */
#ifndef SDTKIT_TOOL_SERVE_FILES_H
#define SDTKIT_TOOL_SERVE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/uprobe/find.h"
#include "serve/carries.h"
#include "serve/processes.h"

struct discover_section;
struct file_set;
struct known_file;

/* A file with spans. */
struct file {
	struct found_file at;		/* without probes */
	uint64_t fitting;		/* numbers of descriptions, as bits */
	struct file_set *set;		/* that it belongs to, or NULL */
	const struct discover_section *section;	/* which names it, or NULL */
	/* Of the process that has mapped it first. */
	char program[PROCESSES_NAME];
	uint64_t device;
	uint64_t inode;			/* of what it executes */
	bool shared;			/* other programs have mapped it */
	bool mapped;			/* now */
	bool settled;			/* by a process that has started up */
};

/*
 * Whether it may be an ordinary user's, who can make many: only half of the
 * places are for such files.
 */
static inline bool file_is_users(const struct file *file)
{
	return file->section == NULL && file->at.stat.st_uid != 0;
}

/* The name of the group that a file is for. */
const char *file_group(const struct file *file);

struct files {
	struct file *file[PROCESSES_FILES];	/* NULL: no file */
	const struct carries *carries;
	struct once *once;
	/* All that were read, with spans or without. */
	struct known_file *known;
	size_t num_known;
	size_t capacity;
};

/*
 * Returns the number of the file that a path leads to, which was opened before
 * or is opened now; -ENODATA if it has nothing of interest, or another -errno.
 * The name is that which the file has for others.
 */
int files_find(struct files *files, const char *path, const char *name,
	       uint64_t now);

/* Closes a file. */
void files_drop(struct files *files, int number);

/* Forgets files without spans that nobody has asked for in three minutes. */
void files_sweep(struct files *files, uint64_t now);

void files_free(struct files *files);

#endif /* SDTKIT_TOOL_SERVE_FILES_H */
