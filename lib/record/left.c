/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Removes files that ended programs have left. A process that a signal ends
 * leaves its file, with what happened before; a server that is ended so each
 * time would fill the memory in the course of time.
 *
 *	/dev/shm/sdtkit-recorder-4711.1		left by an earlier smbd
 *	/dev/shm/sdtkit-recorder-4790.1		left by a later one
 *	smbd starts				the first goes, if one is kept
 *
 * Invariants:
 * 1. A file that a process has mapped is not removed, whatever PID namespace
 *    the process is in: the mapping keeps the lock of create.c.
 * 2. Only files are removed that this program made, as this user, under the
 *    name that they have: no dump, and none that somebody has renamed.
 * 3. A file that was kept on purpose, at a normal end, stays.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/grow.h"
#include "create.h"

struct left {
	char name[48];
	/* When its recorder was opened: CLOCK_REALTIME. */
	uint64_t start;
};

/* Whether the header is that of a file which was left under this name. */
static bool is_left(const struct sdtkit_record_file *file, const char *program,
		    const char *name)
{
	size_t length = strlen(SDTKIT_RECORD_FILE_NAME);
	unsigned int number;
	char end;
	int pid;

	return memcmp(file->magic, SDTKIT_RECORD_MAGIC, sizeof(file->magic))
	       == 0 &&
	       file->byte_order == SDTKIT_RECORD_BYTE_ORDER &&
	       file->version == SDTKIT_RECORD_VERSION &&
	       file->dump.time == 0 && atomic_load(&file->closed) == 0 &&
	       strncmp(file->program, program, sizeof(file->program)) == 0 &&
	       sscanf(name + length, "-%d.%u%c", &pid, &number, &end) == 2 &&
	       (uint32_t)pid == file->pid;
}

/* Sets *start if the file was left, and nobody has it. */
static bool look_at(int directory, const char *name, const char *program,
		    uint64_t *start)
{
	struct sdtkit_record_file *file = malloc(sizeof(*file));
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
			O_NOCTTY | O_CLOEXEC);
	struct stat status;
	bool ret;

	ret = file != NULL && fd >= 0 && fstat(fd, &status) == 0 &&
	      S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	      pread(fd, file, sizeof(*file), 0) == (ssize_t)sizeof(*file) &&
	      is_left(file, program, name) &&
	      flock(fd, LOCK_EX | LOCK_NB) == 0;
	if (ret)
		*start = file->start_realtime;
	if (fd >= 0)
		close(fd);
	free(file);
	return ret;
}

/* Returns how many there are; *left is to be freed. */
static size_t find_left(DIR *directory, const char *program, struct left **left)
{
	size_t count = 0, capacity = 0;
	struct dirent *entry;

	while ((entry = readdir(directory)) != NULL) {
		size_t length = strlen(entry->d_name);
		uint64_t start;

		if (strncmp(entry->d_name, SDTKIT_RECORD_FILE_NAME "-",
			    sizeof(SDTKIT_RECORD_FILE_NAME)) != 0 ||
		    length >= sizeof((*left)->name) ||
		    !look_at(dirfd(directory), entry->d_name, program, &start))
			continue;
		if (sdtkit_grow(left, count, &capacity, sizeof(**left)) < 0)
			break;
		memcpy((*left)[count].name, entry->d_name, length + 1);
		(*left)[count++].start = start;
	}
	return count;
}

static int compare(const void *one, const void *other)
{
	const struct left *a = one, *b = other;

	return a->start > b->start ? -1 : a->start < b->start;
}

void sdtkit_record_remove_left(const char *path, const char *program,
			       unsigned int kept)
{
	DIR *directory = opendir(path);
	struct left *left = NULL;
	size_t count, i;

	if (directory == NULL)
		return;
	count = find_left(directory, program, &left);
	if (count > 0)
		qsort(left, count, sizeof(*left), compare);
	for (i = kept; i < count; i++)
		unlinkat(dirfd(directory), left[i].name, 0);
	free(left);
	closedir(directory);
}
