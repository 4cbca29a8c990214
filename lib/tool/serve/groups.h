/* SPDX-License-Identifier: BSD-2-Clause */
/* Which files are traced together. */
#ifndef SDTKIT_TOOL_SERVE_GROUPS_H
#define SDTKIT_TOOL_SERVE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "serve/containers.h"

struct file;
struct files;
struct file_set;
struct group;
struct once;
struct process;

enum { DISCOVER_GROUPS = 64 };		/* the most that are traced at once */

/* What the configuration says of a program. */
struct discover_section {
	const char *program;		/* the name of its group */
	/*
	 * Path of a file to be traced whether a process has it or not; NULL for
	 * what processes of that name have mapped.
	 */
	const char *file;
	const char *describe;		/* a description for it, or NULL */
	bool ignored;			/* nothing of it is traced */
};

/*
 * The files that processes of one name have mapped, or one file that those of
 * several names have. A group never gets other files: those of an upgraded
 * program are a new group of the same name. Its files are open until it is
 * gone.
 *
 * Processes of different containers are different groups, also if they have the
 * same file, which is that of their image.
 */
struct discover_group {
	unsigned int id;		/* never used again */
	unsigned int place;		/* the same for the same labels */
	char program[256];		/* printable */
	struct container container;
	bool gone;			/* is forgotten in the next look */
	/*
	 * Outside of containers: the mount namespaces of those that have a file
	 * of the group, which are groups of their own.
	 */
	unsigned int *others;
	size_t num_others;
	const pid_t *pid;		/* of the processes that have a file */
	size_t num_pids;
	size_t num_files;
};

struct groups {
	struct group *group[DISCOVER_GROUPS];	/* NULL: none */
	struct file_set *sets;
	struct files *files;
	const struct texts *only;	/* names of sets; NULL or none: all */
	struct once *once;
	unsigned int last_id;
};

/* Forgets the groups that are gone, and closes their files. */
void groups_forget_gone(struct groups *groups);

/*
 * Ends groups of which no file is mapped any more, or that have a file which
 * belongs to another program now.
 */
void groups_end(struct groups *groups);

/* Ends all. */
void groups_end_all(struct groups *groups);

/*
 * Makes sets of the files that are in none, and closes those that are not
 * mapped any more.
 */
void groups_make(struct groups *groups);

/* Begins to list the processes of all groups. */
void groups_clear_pids(struct groups *groups);

/* Adds a process to the group of a file and a container; makes the group. */
void groups_add_pid(struct groups *groups, struct file *file,
		    const struct process *process);

/*
 * When all processes were added: ends groups that have none. One of a file that
 * the configuration names is there without processes.
 */
void groups_end_idle(struct groups *groups);

/* Whether a file belongs to a group. */
bool groups_has(const struct discover_group *group, const struct file *file);

/* The group behind that one, or the first behind NULL; NULL at the end. */
const struct discover_group *groups_next(const struct groups *groups,
					 const struct discover_group *group);

struct serve_place;

void groups_set_place(struct serve_place *at,
		      const struct discover_group *group);

#endif /* SDTKIT_TOOL_SERVE_GROUPS_H */
