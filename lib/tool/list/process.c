/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list -p PID, -n NAME, -a and core dumps: lists the objects that a process has
 * mapped, with the present values of their semaphores.
 *
 *	1234 smbd: /usr/sbin/smbd:
 *	SITES  SEMAPHORE  PROBE
 *	    1          1  smb2:request_start(uint64_t mid, uint16_t opcode)
 *
 * With -a, most objects are found many times, as every process has the C
 * library. Those without probes are remembered, and not read again.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/out.h"
#include "common/tool.h"
#include "lib/text/copied.h"
#include "list/listing.h"
#include "list/origin.h"
#include "list/process.h"
#include "sdtkit/notes.h"

/* Identifies a file that is known to have no probes. */
struct identity {
	uint64_t device;
	uint64_t inode;
};

/* A tree of tsearch(3). */
static void *without_probes;

static int compare_identities(const void *first, const void *second)
{
	const struct identity *a = first, *b = second;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->inode > b->inode) - (a->inode < b->inode);
}

static bool is_without_probes(const struct sdtkit_object *object)
{
	struct identity identity = { object->device, object->inode };

	return tfind(&identity, &without_probes, compare_identities) != NULL;
}

static void remember_without_probes(const struct sdtkit_object *object)
{
	struct identity *identity;

	/* A core dump does not have the numbers of its files. */
	if (object->inode == 0)
		return;
	identity = malloc(sizeof(*identity));
	if (identity == NULL)
		tool_no_memory();
	*identity = (struct identity) { object->device, object->inode };
	tsearch(identity, &without_probes, compare_identities);
}

/*
 * Tells of sites that tracers of files do not hit; of the many processes of a
 * server, of the first.
 */
static void warn_if_copied(const struct list_origin *origin,
			   const struct sdtkit_object *object)
{
	struct identity identity = { object->device, object->inode };
	static struct identity told;
	size_t copied;

	if (compare_identities(&identity, &told) == 0 ||
	    sdtkit_process_copied(origin->process, &copied) < 0 || copied == 0)
		return;
	told = identity;
	tool_complain(SDTKIT_COPIED_FORMAT, (int)origin->pid, object->path,
		      copied);
}

static void list_object(struct list *list, struct list_origin *origin,
			const struct sdtkit_object *object)
{
	char path[PATH_MAX + sizeof(" (deleted)")];
	struct sdtkit_notes *notes;
	int ret;

	if (is_without_probes(object))
		return;
	ret = sdtkit_process_notes(origin->process, &notes);
	if (ret == -ENOEXEC || ret == -EINVAL || ret == -ESRCH) {
		/*
		 * Processes also map device memory, fonts and code of their
		 * own.
		 */
		return;
	}
	if (ret < 0) {
		tool_complain("%s: %s", object->path, sdtkit_notes_error());
		list->trouble = true;
		return;
	}
	snprintf(path, sizeof(path), "%s%s", object->path,
		 object->deleted ? " (deleted)" : "");
	origin->path = path;
	if (list_sites(list, origin, notes) == 0)
		remember_without_probes(object);
	else
		warn_if_copied(origin, object);
}

static void list_objects(struct list *list, struct list_origin *origin)
{
	const struct sdtkit_object *object;
	int ret;

	while (!out_failed() &&
	       (ret = sdtkit_process_next(origin->process, &object)) != 0) {
		if (ret > 0) {
			list_object(list, origin, object);
			continue;
		}
		tool_complain("%d: %s", (int)origin->pid,
			      sdtkit_notes_error());
		list->trouble = true;
	}
}

/* Reads the name that ps shows: at most 15 bytes, which the process chooses. */
static void read_command(pid_t pid, char *command, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	command[0] = '\0';
	file = fopen(path, "re");
	if (file == NULL)
		return;
	if (fgets(command, (int)size, file) != NULL)
		command[strcspn(command, "\n")] = '\0';
	fclose(file);
}

/* Returns 0 or -errno, without a complaint. */
static int list_pid(struct list *list, pid_t pid)
{
	char command[32];
	struct list_origin origin = { .pid = pid, .command = command };
	int ret = sdtkit_process_open(pid, &origin.process);

	if (ret < 0)
		return ret;
	read_command(pid, command, sizeof(command));
	list_objects(list, &origin);
	sdtkit_process_close(origin.process);
	return 0;
}

/* If a pattern excluded all probes, patterns_complain() says so at the end. */
static void complain_none(const struct list *list, const char *name)
{
	if (list->quiet)
		return;
	if (list->traced_only)
		tool_complain("%s: no probe is traced", name);
	else if (!list->patterns.used)
		tool_complain("%s: no probes in anything that is mapped", name);
}

void list_process(struct list *list, pid_t pid)
{
	size_t before = list->listed;
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	list->headings = true;
	if (list_pid(list, pid) < 0) {
		tool_complain("%s: %s", text, sdtkit_notes_error());
		list->trouble = true;
	} else if (list->listed == before) {
		complain_none(list, text);
	}
}

static int is_pid(const struct dirent *entry)
{
	return isdigit((unsigned char)entry->d_name[0]);
}

void list_all_processes(struct list *list)
{
	struct dirent **entries;
	int count, hidden = 0, i, ret;

	count = scandir("/proc", &entries, is_pid, versionsort);
	if (count < 0) {
		tool_complain("/proc: %s", strerror(errno));
		list->trouble = true;
		return;
	}
	list->headings = true;
	for (i = 0; i < count; i++) {
		ret = list_pid(list, (pid_t)atoi(entries[i]->d_name));
		/* Processes come and go, so ignore -ESRCH. */
		if (ret == -EACCES || ret == -EPERM)
			hidden++;
		free(entries[i]);
	}
	free(entries);
	if (hidden > 0)
		tool_complain("%d process%s cannot be read%s", hidden,
			      hidden == 1 ? "" : "es", geteuid() != 0 ?
			      "; run sdtkit as root to list them" : "");
	if (list->listed == 0)
		complain_none(list, "all processes");
}

void list_core(struct list *list, const char *path)
{
	struct list_origin origin = { .command = path };
	size_t before = list->listed;

	if (sdtkit_process_open_core(path, &origin.process) < 0) {
		tool_complain("%s: %s", path, sdtkit_notes_error());
		list->trouble = true;
		return;
	}
	list->headings = true;
	list_objects(list, &origin);
	sdtkit_process_close(origin.process);
	if (list->listed == before)
		complain_none(list, path);
}
