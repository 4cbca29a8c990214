/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.c - /proc/PID/map_files/START-END -> a file that was read once.
 *
 * The number of an inode is used again when its file is gone, so a file is
 * known by the time of its last change and by its size, too. statx() does not
 * ask a file system that is far away.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/tool.h"
#include "serve/files.h"

enum { MOST_KNOWN = 8192 };
static const uint64_t forgotten_after = 180000000000;	/* ns */

struct known_file {
	/* What it is known by. */
	struct file_identity {
		uint64_t device;
		uint64_t inode;
		uint64_t changed;	/* ns */
		uint64_t size;
	} identity;
	uint64_t asked;			/* when it was asked for last */
	int file;			/* or -ENODATA */
};

/* Returns 0 or -errno; -ENODATA for what is not a regular file. */
static int identify(int at, const char *path, int flags,
		    struct file_identity *identity)
{
	struct statx st;

	if (statx(at, path, flags | AT_STATX_DONT_SYNC, STATX_BASIC_STATS,
		  &st) < 0)
		return -errno;
	if (!S_ISREG(st.stx_mode))
		return -ENODATA;
	*identity = (struct file_identity){
		.device = makedev(st.stx_dev_major, st.stx_dev_minor),
		.inode = st.stx_ino,
		.changed = (uint64_t)st.stx_ctime.tv_sec * 1000000000 +
			   st.stx_ctime.tv_nsec,
		.size = st.stx_size,
	};
	return 0;
}

/* The place of a file among the known ones, which are sorted. */
static size_t place_of(const struct files *files,
		       const struct file_identity *identity)
{
	size_t low = 0, high = files->num_known, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (memcmp(&files->known[middle].identity, identity,
			   sizeof(*identity)) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct known_file *find_known(const struct files *files,
				     const struct file_identity *identity)
{
	size_t place = place_of(files, identity);

	if (place == files->num_known ||
	    memcmp(&files->known[place].identity, identity,
		   sizeof(*identity)) != 0)
		return NULL;
	return &files->known[place];
}

static void add_known(struct files *files, const struct known_file *known)
{
	size_t place = place_of(files, &known->identity);
	struct known_file *at;

	if (files->num_known == MOST_KNOWN)
		return;			/* it is read again */
	TOOL_GROW(files->known, files->num_known, files->capacity);
	at = &files->known[place];
	memmove(at + 1, at, (files->num_known++ - place) * sizeof(*at));
	*at = *known;
}

/* Forgets those that are of a file, or were asked for last before a time. */
static void forget_known(struct files *files, int file, uint64_t before)
{
	size_t kept = 0, i;

	for (i = 0; i < files->num_known; i++) {
		struct known_file *known = &files->known[i];

		if (known->file == file && known->asked < before)
			continue;
		files->known[kept++] = *known;
	}
	files->num_known = kept;
}

const char *file_group(const struct file *file)
{
	const char *base = strrchr(file->at.name, '/');

	if (file->section != NULL)
		return file->section->program;
	if (!file->shared)
		return file->program;
	return base != NULL ? base + 1 : file->at.name;
}

static int free_number(struct files *files, const struct file *file)
{
	int most = file_is_users(file) ? PROCESSES_FILES / 2 : PROCESSES_FILES;
	int users = 0, number = -ENFILE, i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		if (files->file[i] == NULL)
			number = i;
		else
			users += file_is_users(files->file[i]);
	}
	if (number >= 0 && users < most)
		return number;
	once_say(files->once, "%s is not traced: files with spans have a "
		 "limit of %d", file->at.name, most);
	return -ENFILE;
}

/* The number of the same file in another layer of a container, or -1. */
static int find_same(const struct files *files, const struct file *file)
{
	int i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		if (files->file[i] != NULL &&
		    find_is_same(&files->file[i]->at, &file->at))
			return i;
	}
	return -1;
}

/* Takes the file over if it is of interest. */
static int add_file(struct files *files, struct file *file)
{
	int number;

	if (find_identify(&file->at, file->at.fd) < 0)
		return -errno;
	number = find_same(files, file);
	if (number >= 0)
		return number;
	if (!carries_spans(files->carries, file->at.fd, file->at.name,
			   &file->fitting))
		return -ENODATA;
	number = free_number(files, file);
	if (number >= 0)
		files->file[number] = file;
	return number;
}

/* Takes the descriptor over. */
static int read_file(struct files *files, int fd, const char *name)
{
	struct file *file = tool_zeros(1, sizeof(*file));
	int number;

	file->at.fd = fd;
	snprintf(file->at.name, sizeof(file->at.name), "%s", name);
	snprintf(file->at.path, sizeof(file->at.path), "/proc/self/fd/%d", fd);
	number = add_file(files, file);
	if (number < 0 || files->file[number] != file) {
		close(fd);
		free(file);
	}
	return number;
}

/*
 * Opens what is there by now, which may be another one. It is looked at first:
 * to open a device can do something.
 */
static int open_regular(const char *path, struct file_identity *identity)
{
	int at = open(path, O_PATH | O_CLOEXEC);
	char again[40];
	int ret;

	if (at < 0)
		return -errno;
	ret = identify(at, "", AT_EMPTY_PATH, identity);
	snprintf(again, sizeof(again), "/proc/self/fd/%d", at);
	if (ret == 0)
		ret = open(again, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (ret == -1)
		ret = -errno;
	close(at);
	return ret;
}

int files_find(struct files *files, const char *path, const char *name,
	       uint64_t now)
{
	struct known_file new = { .asked = now }, *known;
	int ret = identify(AT_FDCWD, path, 0, &new.identity);
	int fd;

	if (ret < 0)
		return ret;
	known = find_known(files, &new.identity);
	if (known != NULL) {
		known->asked = now;
		return known->file;
	}
	fd = open_regular(path, &new.identity);
	if (fd < 0)
		return fd;
	new.file = read_file(files, fd, name);
	if ((new.file >= 0 || new.file == -ENODATA) &&
	    find_known(files, &new.identity) == NULL)
		add_known(files, &new);
	return new.file;
}

void files_drop(struct files *files, int number)
{
	forget_known(files, number, UINT64_MAX);
	close(files->file[number]->at.fd);
	free(files->file[number]);
	files->file[number] = NULL;
}

void files_sweep(struct files *files, uint64_t now)
{
	if (now > forgotten_after)
		forget_known(files, -ENODATA, now - forgotten_after);
}

void files_free(struct files *files)
{
	int i;

	for (i = 0; i < PROCESSES_FILES; i++) {
		if (files->file[i] != NULL)
			files_drop(files, i);
	}
	free(files->known);
}
