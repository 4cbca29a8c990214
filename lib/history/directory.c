/* SPDX-License-Identifier: BSD-2-Clause */
/* directory.c - opens the directory of a history, and locks it. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/directory.h"

static const char lock_name[] = "lock";

/* Names of files and users are in it: nobody else may write or read them. */
static bool is_private(const char *path, int directory)
{
	struct stat st;

	if (fstat(directory, &st) != 0) {
		warn("history: %s", path);
		return false;
	}
	if (st.st_mode & S_IWOTH) {
		warnx("history: everybody can write to %s: use a directory "
		      "of its own", path);
		return false;
	}
	if (geteuid() != 0 && st.st_uid != geteuid() && st.st_uid != 0) {
		warnx("history: %s belongs to another user (%u): use a "
		      "directory that belongs to the user of tsmbd", path,
		      (unsigned int)st.st_uid);
		return false;
	}
	return true;
}

static int take_lock(const char *path, int directory)
{
	int lock = openat(directory, lock_name, O_RDWR | O_CREAT | O_CLOEXEC |
			  O_NOFOLLOW, 0640);

	if (lock < 0) {
		warn("history: cannot write to %s", path);
		return -1;
	}
	if (flock(lock, LOCK_EX | LOCK_NB) == 0)
		return lock;
	if (errno == EWOULDBLOCK)
		warnx("history: another tsmbd writes to %s: end it, or use "
		      "another directory", path);
	else
		warn("history: cannot lock %s", path);
	close(lock);
	return -1;
}

int directory_lock(const char *path, int *lock)
{
	int directory;

	if (mkdir(path, 0750) != 0 && errno != EEXIST) {
		warn("history: cannot create %s", path);
		return -1;
	}
	directory = directory_open(path);
	if (directory < 0)
		return -1;
	*lock = is_private(path, directory) ? take_lock(path, directory) : -1;
	if (*lock >= 0)
		return directory;
	close(directory);
	return -1;
}

int directory_open(const char *path)
{
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0)
		warn("history: cannot open %s", path);
	return directory;
}
