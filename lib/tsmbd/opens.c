/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opens.c - files that clients had open before the tracing began.
 *
 * The descriptors of a process that serves a client, shortened:
 *
 *	3  -> /var/log/samba/log.smbd		as in its parent
 *	5  -> /run/samba/msg.lock/29256		smbd's own, one for each process
 *	7  -> /run/samba/names.tdb		smbd's own
 *	30 -> /srv/data/letter.odt		a client's
 *	31 -> socket:[415943]
 *
 * A file system that hangs must not stop tsmbd. So only the links and
 * /proc/PID/fdinfo are read, which the kernel has in memory; stat() would ask
 * the file system:
 *
 *	pos:	0
 *	flags:	0100000
 *	mnt_id:	27
 *	ino:	861
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "opens.h"
#include "proc.h"

/* A file by its fdinfo; the ID of the mount stands for the device. */
struct info {
	unsigned int flags;
	int mount;
	unsigned long long inode;
};

struct inherited {
	int fd;
	char *path;
};

/* The open files of the last parent: most processes have the same parent. */
static struct {
	pid_t pid;
	time_t read;
	struct inherited *list;
	size_t count;
} parents;

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns whether the name is that of a file or directory, not of a device. */
static bool is_file(const char *path)
{
	return *path == '/' && !begins(path, "/proc/") &&
	       !begins(path, "/sys/") && !begins(path, "/memfd:") &&
	       (!begins(path, "/dev/") || begins(path, "/dev/shm/"));
}

/* Returns whether it is a database, or the lock file of the process. */
static bool is_of_smbd(const char *path)
{
	static const char deleted[] = " (deleted)";
	const char *lock = strstr(path, "/msg.lock/");
	size_t length = strlen(path);

	if (lock != NULL) {
		lock += strlen("/msg.lock/");
		if (lock[strspn(lock, "0123456789")] == '\0')
			return true;
	}
	if (length > sizeof(deleted) &&
	    strcmp(path + length - (sizeof(deleted) - 1), deleted) == 0)
		length -= sizeof(deleted) - 1;
	return length > 4 && strncmp(path + length - 4, ".tdb", 4) == 0;
}

static bool read_info(pid_t pid, int fd, struct info *info)
{
	char path[64], line[128];
	FILE *file;
	int got = 0;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, fd);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	memset(info, 0, sizeof(*info));
	while (got < 3 && fgets(line, sizeof(line), file) != NULL)
		got += sscanf(line, "flags: %o", &info->flags) == 1 ||
		       sscanf(line, "mnt_id: %d", &info->mount) == 1 ||
		       sscanf(line, "ino: %llu", &info->inode) == 1;
	fclose(file);
	return got == 3;
}

/* Calls each() for each descriptor of a file or directory. */
static int for_each_file(pid_t pid, void *context,
			 void (*each)(void *context, int fd, const char *path))
{
	char path[PATH_MAX];
	struct dirent *entry;
	char name[32];
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)pid);
	dir = opendir(name);
	if (dir == NULL)
		return -errno;
	while ((entry = readdir(dir)) != NULL) {
		if (proc_link(dirfd(dir), entry->d_name, path,
			      sizeof(path)) > 0 &&
		    is_file(path) && !is_of_smbd(path))
			each(context, atoi(entry->d_name), path);
	}
	closedir(dir);
	return 0;
}

static void inherit(void *context, int fd, const char *path)
{
	struct inherited *one;

	parents.list = memory_grow(parents.list, parents.count,
				   sizeof(*parents.list));
	one = &parents.list[parents.count++];
	one->fd = fd;
	one->path = memory_of(strdup(path));
}

static void read_parent(pid_t parent)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (parents.pid == parent && parents.read >= now.tv_sec - 1)
		return;
	while (parents.count > 0)
		free(parents.list[--parents.count].path);
	parents.pid = parent;
	parents.read = now.tv_sec;
	for_each_file(parent, NULL, inherit);
}

struct search {
	pid_t pid;
	int count;
};

/* Most inherited files have the same number: look there first. */
static bool is_same_descriptor(int fd, const char *path)
{
	const struct inherited *one;

	for (one = parents.list; one < parents.list + parents.count; one++) {
		if (one->fd == fd)
			return strcmp(one->path, path) == 0;
	}
	return false;
}

/* Returns whether the parent has the same file open. */
static bool is_inherited(const char *path, const struct info *info)
{
	const struct inherited *one;
	struct info other;

	for (one = parents.list; one < parents.list + parents.count; one++) {
		if (strcmp(one->path, path) == 0 &&
		    read_info(parents.pid, one->fd, &other) &&
		    other.mount == info->mount && other.inode == info->inode)
			return true;
	}
	return false;
}

/* A file that is opened for appending only is a log of smbd. */
static void count(void *context, int fd, const char *path)
{
	struct search *search = context;
	struct info info;

	if (is_same_descriptor(fd, path) ||
	    !read_info(search->pid, fd, &info) ||
	    (info.flags & (O_ACCMODE | O_APPEND)) == (O_WRONLY | O_APPEND) ||
	    is_inherited(path, &info))
		return;
	search->count++;
}

int opens_of_process(pid_t pid, pid_t parent)
{
	struct search search = { .pid = pid };
	int ret;

	read_parent(parent);
	ret = for_each_file(pid, &search, count);
	return ret < 0 ? ret : search.count;
}
