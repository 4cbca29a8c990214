/* SPDX-License-Identifier: BSD-2-Clause */
/* The files whose probes a script may name, see objects.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bt/objects.h"
#include "common/tool.h"
#include "lib/text/copied.h"
#include "probes/interface.h"
#include "probes/no_probes.h"
#include "probes/probegen.h"
#include "probes/read.h"
#include "sdtkit/notes.h"

bool objects_add_description(struct objects *objects, const char *path)
{
	static const struct probegen_flags no_flags;
	struct interface *added;

	TOOL_GROW(objects->description, objects->description_count,
		  objects->description_capacity);
	added = &objects->description[objects->description_count];
	if (!interface_open_description(added, path, "description", &no_flags))
		return false;
	objects->description_count++;
	return true;
}

/* Gives a site the names of a description, if it has none of its own. */
static void describe(const struct objects *objects, struct sites *sites,
		     struct sdtkit_site *site)
{
	const struct interface_probe *found =
		interface_find_any(objects->description,
				   objects->description_count, site->provider,
				   site->probe);
	struct sdtkit_description *made;

	if (site->description != NULL || found == NULL ||
	    found->count != site->operand_count)
		return;
	made = obstack_alloc(&sites->arena, sizeof(*made));
	*made = (struct sdtkit_description) {
		.provider = found->provider, .probe = found->probe,
		.summary = "", .argument_count = found->count,
		.arguments = found->arguments,
	};
	site->description = made;
}

static struct object *add(struct objects *objects, char *path,
			  struct sdtkit_notes *notes)
{
	struct object *object = tool_zeros(1, sizeof(*object));
	size_t i;

	if (path == NULL)
		tool_no_memory();
	object->path = path;
	sites_read(&object->sites, path, notes, NULL, NULL, SITES_OPERANDS);
	for (i = 0; i < object->sites.count; i++)
		describe(objects, &object->sites, &object->sites.site[i].note);
	sites_sort(&object->sites, false);
	sites_complain(&object->sites);
	TOOL_GROW(objects->object, objects->count, objects->capacity);
	objects->object[objects->count++] = object;
	return object;
}

/*
 * The path of a file as the process sees it, which is there in other mount
 * namespaces too. With -p, bpftrace 0.27 attaches twice to any other absolute
 * path.
 */
static char *path_in_process(pid_t pid, const char *path)
{
	return tool_format("/proc/%d/root%s", (int)pid, path);
}

/* Whether that is the same file. If it is not known, errno is EACCES. */
static bool is_same_file(const char *path, const char *other)
{
	struct stat a, b;

	if (stat(path, &a) < 0 || stat(other, &b) < 0)
		return false;
	errno = 0;
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/*
 * bpftrace searches $PATH for a name without a slash. Sets *is_elsewhere if the
 * process that is traced does not have the file by that name.
 */
static char *path_for_bpftrace(const struct objects *objects, const char *path,
			       bool *is_elsewhere)
{
	char absolute[PATH_MAX], *copy;

	if (objects->pid != 0 && realpath(path, absolute) != NULL) {
		copy = path_in_process(objects->pid, absolute);
		if (is_same_file(path, copy))
			return copy;
		*is_elsewhere = errno != EACCES;
		free(copy);
	}
	return tool_format("%s%s", strchr(path, '/') == NULL ? "./" : "", path);
}

static struct object *open_file(struct objects *objects, const char *path)
{
	struct sdtkit_notes *notes;
	const struct sdtkit_notes_info *info;
	bool is_elsewhere = false;
	struct object *object;
	char *name;

	if (sdtkit_notes_open(path, &notes) < 0) {
		tool_complain("%s: %s", path, sdtkit_notes_error());
		return NULL;
	}
	info = sdtkit_notes_info(notes);
	if (info->core || info->archive || info->relocatable) {
		tool_complain("%s: nothing that runs: use a program or a "
			      "shared library", path);
		sdtkit_notes_close(notes);
		return NULL;
	}
	name = path_for_bpftrace(objects, path, &is_elsewhere);
	object = add(objects, name, notes);
	object->is_elsewhere = is_elsewhere;
	return object;
}

bool objects_add_file(struct objects *objects, const char *path)
{
	struct object *object = open_file(objects, path);
	char *why;

	objects->any_given = true;
	if (object == NULL)
		return false;
	object->is_candidate = true;
	if (object->sites.total > 0)
		return true;
	why = no_probes_reason(object->sites.notes, path, "sdtkit bt -e SCRIPT",
			       false);
	tool_complain("%s: no probes: %s", path, why);
	free(why);
	return false;
}

bool objects_add_named(struct objects *objects, const char *path)
{
	struct object *object;
	size_t i;

	for (i = 0; i < objects->count; i++) {
		const char *named = objects->object[i]->named;

		if (named != NULL && strcmp(named, path) == 0)
			return true;
	}
	object = open_file(objects, path);
	if (object != NULL)
		object->named = path;
	return object != NULL;
}

/*
 * Warns if the user names a file that the process has mapped an older version
 * of: it has no hits.
 */
static void warn_if_replaced(const struct objects *objects,
			     const struct sdtkit_object *mapped)
{
	char *name = path_in_process(objects->pid, mapped->path);
	size_t i;

	for (i = 0; i < objects->count; i++) {
		if (objects->object[i]->is_mapped ||
		    strcmp(objects->object[i]->path, name) != 0)
			continue;
		tool_complain("%s: process %d runs an older file of this name, "
			      "which was replaced: leave out the file to trace "
			      "that one", mapped->path, (int)objects->pid);
		break;
	}
	free(name);
}

static void warn_if_copied(const struct objects *objects,
			   struct sdtkit_process *process, const char *path)
{
	size_t copied;

	if (sdtkit_process_copied(process, &copied) == 0 && copied > 0)
		tool_complain(SDTKIT_COPIED_FORMAT, (int)objects->pid, path,
			      copied);
}

static void add_mapped(struct objects *objects,
		       struct sdtkit_process *process,
		       const struct sdtkit_object *mapped)
{
	char path[PATH_MAX + 64];
	struct sdtkit_notes *notes;
	struct object *object;
	bool by_name;
	int ret = sdtkit_process_notes(process, &notes);

	/* Processes map device memory, fonts and code of their own, too. */
	if (ret == -ENOEXEC || ret == -EINVAL || ret == -ESRCH)
		return;
	if (ret == 0)
		ret = sdtkit_process_path(process, path, sizeof(path),
					  &by_name);
	if (ret < 0) {
		tool_complain("%s: %s", mapped->path, sdtkit_notes_error());
		return;
	}
	object = add(objects, strdup(path), notes);
	object->is_mapped = true;
	object->is_elsewhere = !by_name;
	object->is_candidate = !objects->any_given;
	if (object->sites.total == 0)
		return;
	if (mapped->deleted && !object->is_candidate)
		warn_if_replaced(objects, mapped);
	warn_if_copied(objects, process, mapped->path);
}

bool objects_add_process(struct objects *objects)
{
	const struct sdtkit_object *mapped;
	struct sdtkit_process *process;
	int ret;

	ret = sdtkit_process_open(objects->pid, &process);
	/* bpftrace may be allowed more, and the files are known already. */
	if (ret < 0 && ret != -ESRCH && objects->any_given)
		return true;
	if (ret < 0) {
		tool_complain("%d: %s", (int)objects->pid,
			      sdtkit_notes_error());
		return false;
	}
	while ((ret = sdtkit_process_next(process, &mapped)) != 0) {
		if (ret > 0)
			add_mapped(objects, process, mapped);
		else
			tool_complain("%d: %s", (int)objects->pid,
				      sdtkit_notes_error());
	}
	sdtkit_process_close(process);
	objects->any_given = true;
	return true;
}

void objects_free(struct objects *objects)
{
	size_t i;

	for (i = 0; i < objects->count; i++) {
		sites_free(&objects->object[i]->sites);
		free(objects->object[i]->path);
		free(objects->object[i]);
	}
	free(objects->object);
	while (objects->description_count > 0)
		interface_close(&objects->description[
			--objects->description_count]);
	free(objects->description);
}
