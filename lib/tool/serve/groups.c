/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * groups.c - files -> sets of files -> groups.
 *
 *	postgres maps /usr/lib/postgresql/15/bin/postgres	postgres
 *	smbd maps /usr/sbin/smbd, libsmbd.so, libtevent.so	smbd
 *	winbindd maps libtevent.so				libtevent.so
 *
 * A set has the files that are in none when it is made, and gets no others. It
 * ends if another program maps one of its files, too: they get new sets then.
 *
 * A set is a group for each container, and one for what is in none. Containers
 * of the same image have the same files, and the kernel attaches to files. So
 * the hits of a container are those of its mount namespace, and those of the
 * host all others. If the containers with a file of the host change, another
 * group replaces that of the host.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/settings/table.h"
#include "serve/files.h"
#include "serve/groups.h"
#include "serve/once.h"
#include "serve/rows.h"

struct file_set {
	struct file_set *next;
	char program[sizeof(((struct discover_group *)NULL)->program)];
	/* Files of the same executable are added until all are in a set. */
	bool is_new;
	bool gone;
	bool is_named;			/* by the configuration */
	bool is_users;
	uint64_t device;
	uint64_t inode;
	size_t num_files;
};

struct group {
	struct discover_group shown;
	struct file_set *set;
	pid_t *pid;
	size_t max_pids;
};

/* The name of a set may be cut. */
static bool has_name(const struct file_set *set, const char *name)
{
	return strncmp(set->program, name, sizeof(set->program) - 1) == 0;
}

/* The file of that number that belongs to a set, or NULL. */
static struct file *file_of(const struct groups *groups,
			    const struct file_set *set, size_t number)
{
	struct file *file = groups->files->file[number];

	return file != NULL && file->set == set ? file : NULL;
}

/* The next group of a set, of any set for NULL, that is not gone; or NULL. */
static struct group *next_of(const struct groups *groups,
			     const struct file_set *set, size_t *number)
{
	struct group *group;

	while (*number < DISCOVER_GROUPS) {
		group = groups->group[(*number)++];
		if (group != NULL && !group->shown.gone &&
		    (set == NULL || group->set == set))
			return group;
	}
	return NULL;
}

static void end(struct group *group)
{
	group->shown.gone = true;
	group->shown.num_pids = 0;
}

static void end_set(struct groups *groups, struct file_set *set)
{
	struct group *group;
	size_t number = 0;

	set->gone = true;
	while ((group = next_of(groups, set, &number)) != NULL)
		end(group);
}

/* Ends a set if it has to end. */
static void check(struct groups *groups, struct file_set *set)
{
	bool is_mapped = false, is_same = true;
	struct file *file;
	size_t i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		file = file_of(groups, set, i);
		if (file == NULL)
			continue;
		is_mapped |= file->mapped;
		is_same &= has_name(set, file_group(file));
	}
	if (!is_mapped || !is_same)
		end_set(groups, set);
	for (i = 0; i < PROCESSES_FILES && !is_same; i++) {
		file = file_of(groups, set, i);
		if (file != NULL)
			file->set = NULL;
	}
}

void groups_end(struct groups *groups)
{
	struct file_set *set;

	for (set = groups->sets; set != NULL; set = set->next)
		check(groups, set);
}

void groups_end_all(struct groups *groups)
{
	struct file_set *set;

	for (set = groups->sets; set != NULL; set = set->next)
		end_set(groups, set);
}

static void forget_set(struct groups *groups, struct file_set *set)
{
	size_t i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		if (file_of(groups, set, i) != NULL)
			files_drop(groups->files, (int)i);
	}
	free(set);
}

void groups_forget_gone(struct groups *groups)
{
	struct file_set **at = &groups->sets, *set;
	struct group *group;
	size_t j;

	for (j = 0; j < DISCOVER_GROUPS; j++) {
		group = groups->group[j];
		if (group == NULL || !group->shown.gone)
			continue;
		free(group->shown.others);
		free(group->pid);
		free(group);
		groups->group[j] = NULL;
	}
	while ((set = *at) != NULL) {
		if (!set->gone) {
			at = &set->next;
			continue;
		}
		*at = set->next;
		forget_set(groups, set);
	}
}

static struct file_set *new_set(struct groups *groups, const struct file *file)
{
	struct file_set *set = tool_zeros(1, sizeof(*set));

	snprintf(set->program, sizeof(set->program), "%.255s", file_group(file));
	set->is_new = !file->shared;
	set->is_users = file_is_users(file);
	set->device = file->device;
	set->inode = file->inode;
	set->next = groups->sets;
	groups->sets = set;
	return set;
}

/*
 * The new set of the same executable, or one more. Any user can run another
 * program of that name.
 */
static struct file_set *set_for(struct groups *groups, const struct file *file)
{
	struct file_set *set = groups->sets;

	for (; set != NULL && !file->shared; set = set->next) {
		if (set->is_new && set->device == file->device &&
		    set->inode == file->inode && has_name(set, file_group(file)))
			return set;
	}
	return new_set(groups, file);
}

static bool is_wanted(const struct groups *groups, const char *name)
{
	int i, count = groups->only != NULL ? groups->only->count : 0;

	for (i = 0; i < count; i++) {
		if (strcmp(groups->only->items[i], name) == 0)
			return true;
	}
	return count == 0;
}

static void take_file(struct groups *groups, struct file *file)
{
	const struct discover_section *section = file->section;

	if (!file->settled || (section != NULL && section->ignored) ||
	    !is_wanted(groups, file_group(file)))
		return;
	file->set = set_for(groups, file);
	file->set->is_named |= section != NULL && section->file != NULL;
	file->set->num_files++;
}

void groups_make(struct groups *groups)
{
	struct file_set *set;
	struct file *file;
	size_t i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		file = groups->files->file[i];
		if (file == NULL || file->set != NULL)
			continue;
		if (file->mapped)
			take_file(groups, file);
		else
			files_drop(groups->files, (int)i);
	}
	for (set = groups->sets; set != NULL; set = set->next)
		set->is_new = false;
}

void groups_clear_pids(struct groups *groups)
{
	struct group *group;
	size_t number = 0;

	while ((group = next_of(groups, NULL, &number)) != NULL)
		group->shown.num_pids = 0;
}

static bool find_place(const struct groups *groups, const struct file_set *set,
		       const char *name, size_t *place)
{
	size_t most = set->is_users ? DISCOVER_GROUPS / 2 : DISCOVER_GROUPS;
	size_t users = 0, j;

	*place = DISCOVER_GROUPS;
	for (j = 0; j < DISCOVER_GROUPS; j++) {
		if (groups->group[j] == NULL)
			*place = j;
		else
			users += groups->group[j]->set->is_users;
	}
	if (*place < DISCOVER_GROUPS && users < most)
		return true;
	once_say(groups->once, "%s is not traced: the limit is %zu programs",
		 name, most);
	return false;
}

/* Returns the place of a group with the same labels, or a new place. */
static unsigned int place_id(const struct groups *groups,
			     const struct discover_group *group)
{
	const struct group *other;
	size_t j;

	for (j = 0; j < DISCOVER_GROUPS; j++) {
		other = groups->group[j];
		if (other != NULL &&
		    strncmp(other->shown.program, group->program,
			    SERVE_PROGRAM - 1) == 0 &&
		    containers_match(&other->shown.container, &group->container))
			return other->shown.place;
	}
	return group->id;
}

static struct group *new_group(struct groups *groups, struct file_set *set,
			       const struct container *container,
			       const char *name)
{
	struct group *group;
	size_t j;

	if (!find_place(groups, set, name, &j))
		return NULL;
	group = tool_zeros(1, sizeof(*group));
	group->shown.id = ++groups->last_id;
	memcpy(group->shown.program, set->program, sizeof(set->program));
	group->shown.num_files = set->num_files;
	group->shown.container = *container;
	group->shown.place = place_id(groups, &group->shown);
	group->set = set;
	groups->group[j] = group;
	return group;
}

/* The group of a set for a mount namespace, or NULL; 0: without a container. */
static struct group *group_of(const struct groups *groups,
			      const struct file_set *set, unsigned int mounts)
{
	struct group *group;
	size_t number = 0;

	while ((group = next_of(groups, set, &number)) != NULL) {
		if (group->shown.container.mounts == mounts)
			return group;
	}
	return NULL;
}

static const struct container host;

/*
 * The kernel gives the number of a mount namespace again. If the processes of
 * the group are gone, and the name is another one, so is the container.
 */
static bool is_of_another(const struct group *group,
			  const struct container *container)
{
	return group->shown.num_pids == 0 &&
	       !containers_match(&group->shown.container, container);
}

static void append_pid(struct group *group, pid_t pid)
{
	size_t *count = &group->shown.num_pids;

	if (*count > 0 && group->pid[*count - 1] == pid)
		return;
	TOOL_GROW(group->pid, *count, group->max_pids);
	group->pid[(*count)++] = pid;
	group->shown.pid = group->pid;
}

void groups_add_pid(struct groups *groups, struct file *file,
		    const struct process *process)
{
	const struct container *container = process->container != NULL ?
					    process->container : &host;
	struct group *group;

	if (file->set == NULL)
		return;
	group = group_of(groups, file->set, container->mounts);
	if (group != NULL && is_of_another(group, container)) {
		end(group);
		group = NULL;
	}
	if (group == NULL)
		group = new_group(groups, file->set, container, file->at.name);
	if (group != NULL)
		append_pid(group, process->pid);
}

/* Lists the mount namespaces of the containers of a set. */
static size_t list_others(const struct groups *groups,
			  const struct file_set *set, unsigned int *others)
{
	struct group *group;
	size_t number = 0, count = 0;

	while ((group = next_of(groups, set, &number)) != NULL) {
		if (group->shown.container.mounts != 0)
			others[count++] = group->shown.container.mounts;
	}
	return count;
}

/* Replaces the group of the host if it is about other containers now. */
static void separate(struct groups *groups, struct group *group)
{
	unsigned int others[DISCOVER_GROUPS];
	size_t count = list_others(groups, group->set, others);
	size_t size = count * sizeof(others[0]);
	struct discover_group *shown = &group->shown;
	bool is_new = shown->others == NULL;
	struct group *next = group;

	if (!is_new && shown->num_others == count &&
	    memcmp(shown->others, others, size) == 0)
		return;
	if (!is_new)
		next = new_group(groups, group->set, &host, shown->program);
	if (next == NULL)
		return;
	next->shown.others = tool_zeros(1, size + 1);
	next->shown.num_others = count;
	memcpy(next->shown.others, others, size);
	while (!is_new && shown->num_pids > 0)
		append_pid(next, group->pid[--shown->num_pids]);
	if (!is_new)
		end(group);
}

void groups_end_idle(struct groups *groups)
{
	struct file_set *set;
	struct group *group;
	size_t number = 0;

	while ((group = next_of(groups, NULL, &number)) != NULL) {
		if (group->shown.num_pids == 0 &&
		    (!group->set->is_named || group->shown.container.mounts))
			end(group);
	}
	for (set = groups->sets; set != NULL; set = set->next) {
		if (set->gone)
			continue;
		group = group_of(groups, set, 0);
		if (group == NULL && set->is_named)
			group = new_group(groups, set, &host, set->program);
		if (group != NULL)
			separate(groups, group);
	}
}

bool groups_has(const struct discover_group *group, const struct file *file)
{
	return file->set != NULL &&
	       file->set == ((const struct group *)group)->set;
}

/* By number, so that nobody sees that the place of a group is used again. */
const struct discover_group *groups_next(const struct groups *groups,
					 const struct discover_group *group)
{
	const struct discover_group *next = NULL, *shown;
	size_t j;

	for (j = 0; j < DISCOVER_GROUPS; j++) {
		if (groups->group[j] == NULL)
			continue;
		shown = &groups->group[j]->shown;
		if ((group == NULL || shown->id > group->id) &&
		    (next == NULL || shown->id < next->id))
			next = shown;
	}
	return next;
}

void groups_set_place(struct serve_place *at,
		      const struct discover_group *group)
{
	snprintf(at->program, sizeof(at->program), "%.*s", SERVE_PROGRAM - 1,
		 group->program);
	snprintf(at->container, sizeof(at->container), "%s",
		 group->container.name);
	snprintf(at->pod, sizeof(at->pod), "%s", group->container.pod);
}
