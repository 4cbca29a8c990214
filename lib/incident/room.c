/* SPDX-License-Identifier: BSD-2-Clause */
/* room.c - creates and removes the directories of incidents, see room.h. */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "room.h"

/* Files that each program has; the first one is the mark of an incident. */
static const char *const files[] = {
	"incident.json", "report.txt", "report.json", "slow.txt", "slow.json",
	"heatmap.svg", "flame.svg",
};

static const struct report_program *program;
static char prefix[64];			/* ".tsmbd-incident-" */

/* "2026-11-23T10:15:02Z-", where 0 is any digit. */
static const char pattern[] = "0000-00-00T00:00:00Z-";

static bool has_name(const char *name)
{
	size_t i;

	for (i = 0; pattern[i] != '\0'; i++) {
		if (pattern[i] == '0' ? name[i] < '0' || name[i] > '9' :
		    name[i] != pattern[i])
			return false;
	}
	return true;
}

/* A picture is written beside its name first: "heatmap.svg.aX3y9Z". */
static bool is_file(const char *name, const char *file)
{
	size_t length = strlen(file);

	return strncmp(name, file, length) == 0 &&
	       (name[length] == '\0' || name[length] == '.');
}

static bool is_file_of_ours(const char *name)
{
	const struct report_file *file;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (is_file(name, files[i]))
			return true;
	}
	for (file = program->files; file->name != NULL; file++) {
		if (is_file(name, file->name))
			return true;
	}
	return false;
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Opens a directory that is not a symbolic link; its entries are at *list. */
static int open_directory(int parent, const char *name, DIR **list)
{
	int fd = openat(parent, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int copy;

	if (fd < 0)
		return -1;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	*list = copy < 0 ? NULL : fdopendir(copy);
	if (*list != NULL)
		return fd;
	if (copy >= 0)
		close(copy);
	close(fd);
	return -1;
}

/*
 * Adds up the room that the files of a directory take. Returns false if it has
 * something that is not ours.
 */
static bool measure(int parent, const char *name, unsigned long long *bytes)
{
	const struct dirent *entry;
	struct stat st;
	bool good = true;
	DIR *list;
	int fd = open_directory(parent, name, &list);

	*bytes = 0;
	if (fd < 0)
		return false;
	while (good && (entry = readdir(list)) != NULL) {
		if (is_dot(entry->d_name))
			continue;
		good = is_file_of_ours(entry->d_name) &&
		       fstatat(fd, entry->d_name, &st,
			       AT_SYMLINK_NOFOLLOW) == 0 &&
		       S_ISREG(st.st_mode);
		*bytes += good ? (unsigned long long)st.st_blocks * 512 : 0;
	}
	closedir(list);
	close(fd);
	return good;
}

/* Removes a directory whose files are all ours; the mark of an incident last. */
static void remove_directory(int parent, const char *name)
{
	const struct dirent *entry;
	unsigned long long bytes;
	DIR *list;
	int fd;

	if (!measure(parent, name, &bytes))
		return;
	fd = open_directory(parent, name, &list);
	if (fd < 0)
		return;
	while ((entry = readdir(list)) != NULL) {
		if (is_file_of_ours(entry->d_name) &&
		    strcmp(entry->d_name, files[0]) != 0)
			unlinkat(fd, entry->d_name, 0);
	}
	unlinkat(fd, files[0], 0);
	closedir(list);
	close(fd);
	unlinkat(parent, name, AT_REMOVEDIR);
}

static bool is_incident(int parent, const char *name,
			unsigned long long *bytes)
{
	char mark[PATH_MAX];
	struct stat st;

	if (!has_name(name) || !measure(parent, name, bytes))
		return false;
	snprintf(mark, sizeof(mark), "%s/%s", name, files[0]);
	return fstatat(parent, mark, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/*
 * Finds the incident with the least name, which is the oldest one, and adds up
 * the room that all take. oldest is "" if there is none.
 */
static unsigned long long find_oldest(int parent, char oldest[NAME_MAX + 1])
{
	unsigned long long bytes, sum = 0;
	const struct dirent *entry;
	DIR *list;
	int fd = open_directory(parent, ".", &list);

	oldest[0] = '\0';
	if (fd < 0)
		return 0;
	while ((entry = readdir(list)) != NULL) {
		if (!is_incident(parent, entry->d_name, &bytes))
			continue;
		sum += bytes;
		if (oldest[0] == '\0' || strcmp(entry->d_name, oldest) < 0)
			strcpy(oldest, entry->d_name);
	}
	closedir(list);
	close(fd);
	return sum;
}

/* Returns false if not even an empty directory would have room. */
static bool make_room(int parent, unsigned long long needed,
		      unsigned long long limit)
{
	char oldest[NAME_MAX + 1], last[NAME_MAX + 1] = "";

	if (needed > limit)
		return false;
	while (find_oldest(parent, oldest) + needed > limit) {
		/* it could not be removed */
		if (oldest[0] == '\0' || strcmp(oldest, last) == 0)
			return false;
		remove_directory(parent, oldest);
		strcpy(last, oldest);
	}
	return true;
}

/* What is being written is locked by the one who writes it. */
static void remove_remains(int parent)
{
	const struct dirent *entry;
	DIR *list, *inner;
	int fd = open_directory(parent, ".", &list);
	int old;

	if (fd < 0)
		return;
	while ((entry = readdir(list)) != NULL) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		old = open_directory(parent, entry->d_name, &inner);
		if (old < 0)
			continue;
		if (flock(old, LOCK_EX | LOCK_NB) == 0)
			remove_directory(parent, entry->d_name);
		closedir(inner);
		close(old);
	}
	closedir(list);
	close(fd);
}

static int locked = -1;			/* the directory that is written */

bool room_begin(const char *path, char directory[PATH_MAX])
{
	if (snprintf(directory, PATH_MAX, "%s/%sXXXXXX", path, prefix) >=
	    PATH_MAX - NAME_MAX) {
		errno = ENAMETOOLONG;
		warn("%s", path);
		return false;
	}
	if (mkdtemp(directory) == NULL) {
		warn("cannot save an incident in %s", path);
		return false;
	}
	locked = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (locked >= 0)
		flock(locked, LOCK_EX | LOCK_NB);
	chmod(directory, 0750);
	return true;
}

static void unlock(void)
{
	if (locked >= 0)
		close(locked);
	locked = -1;
}

void room_abandon(const char *directory)
{
	remove_directory(AT_FDCWD, directory);
	unlock();
}

/* Not every file system can refuse to replace a directory by itself. */
static int rename_new(int parent, const char *from, const char *to)
{
	int ret = renameat2(parent, from, parent, to, RENAME_NOREPLACE);

	if (ret == 0 || errno != EINVAL)
		return ret;
	if (faccessat(parent, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return -1;
	}
	return renameat(parent, from, parent, to);
}

/* An incident of the same second gets a number: "...-p99-CREATE-2". */
static int rename_to(int parent, const char *directory, const char *name,
		     char *last)
{
	const char *from = strrchr(directory, '/') + 1;
	int number;
	int ret = -1;

	for (number = 1; number < 100; number++) {
		if (number == 1)
			strcpy(last, name);
		else
			sprintf(last, "%s-%d", name, number);
		ret = rename_new(parent, from, last);
		if (ret == 0 || errno != EEXIST)
			return ret;
	}
	return ret;
}

bool room_commit(const char *path, const char *directory, const char *name,
		 unsigned long long limit, char final[PATH_MAX])
{
	const char *from = strrchr(directory, '/') + 1;
	unsigned long long needed;
	bool good = false;
	int parent;

	sprintf(final, "%s/", path);
	parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0 || !measure(parent, from, &needed))
		warn("cannot save an incident in %s", path);
	else if (!make_room(parent, needed, limit))
		warnx("an incident needs %llu KiB in %s: --save-size does not "
		      "allow that", (needed + 1023) / 1024, path);
	else if (rename_to(parent, directory, name, strchr(final, '\0')) != 0)
		warn("cannot save an incident in %s", path);
	else
		good = true;
	if (parent >= 0)
		close(parent);
	if (!good) {
		remove_directory(AT_FDCWD, directory);
		final[0] = '\0';
	}
	unlock();
	return good;
}

bool room_open(const struct report_program *of, const char *path)
{
	char directory[PATH_MAX];
	int parent;

	program = of;
	snprintf(prefix, sizeof(prefix), ".%s-incident-", program->name);
	if (mkdir(path, 0750) != 0 && errno != EEXIST) {
		warn("%s", path);
		return false;
	}
	parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0) {
		warn("%s", path);
		return false;
	}
	remove_remains(parent);
	close(parent);
	if (!room_begin(path, directory))
		return false;
	room_abandon(directory);
	return true;
}
