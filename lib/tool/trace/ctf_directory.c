/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The directory of a trace:
 *
 *	metadata		the types, as text
 *	thread-4711-4715	the events of thread 4715 of process 4711
 *	threads-1		the events of several threads, if there are many
 *
 * A directory with any other file in it is not touched.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/tool.h"
#include "trace/ctf_directory.h"

/* It stays open, and locked, until this process ends. */
static int directory = -1;

static bool is_stream(const char *name)
{
	static const char *const beginnings[] = { "thread-", "threads-" };
	size_t i, length;

	for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		length = strlen(beginnings[i]);
		if (strncmp(name, beginnings[i], length) == 0 &&
		    strspn(name + length, "0123456789-") ==
		    strlen(name + length))
			return true;
	}
	return false;
}

/* "." and ".." are in every directory. */
static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Whether it has the metadata of a trace of ours. */
static bool is_signed(void)
{
	char text[sizeof(CTF_SIGNATURE) - 1];
	ssize_t size;
	int fd;

	fd = openat(directory, CTF_METADATA, O_RDONLY | O_NOFOLLOW |
		    O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	size = read(fd, text, sizeof(text));
	close(fd);
	return size == (ssize_t)sizeof(text) &&
	       memcmp(text, CTF_SIGNATURE, sizeof(text)) == 0;
}

/* The files of the directory, from the first on; NULL after an error. */
static DIR *list(void)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *files = fd >= 0 ? fdopendir(fd) : NULL;

	if (files == NULL && fd >= 0)
		close(fd);
	return files;
}

/* Whether it is empty, or has only what a trace of ours consists of. */
static bool may_be_used(const char *path)
{
	const struct dirent *file;
	char other[sizeof(file->d_name)] = "";
	bool is_empty = true;
	DIR *files = list();

	if (files == NULL) {
		tool_complain("%s: %s", path, strerror(errno));
		return false;
	}
	while ((file = readdir(files)) != NULL) {
		if (is_dots(file->d_name))
			continue;
		is_empty = false;
		if (strcmp(file->d_name, CTF_METADATA) != 0 &&
		    !is_stream(file->d_name))
			strcpy(other, file->d_name);
	}
	closedir(files);
	if (is_empty || (other[0] == '\0' && is_signed()))
		return true;
	tool_complain("%s: the directory has files that are not of a trace "
		      "of sdtkit%s%s; name an empty directory, or one that "
		      "does not exist", path, other[0] != '\0' ? ": " : "",
		      other);
	return false;
}

bool ctf_directory_open(const char *path)
{
	if (mkdir(path, 0777) < 0 && errno != EEXIST) {
		tool_complain("cannot make the directory %s: %s", path,
			      strerror(errno));
		return false;
	}
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0 && errno == ENOTDIR) {
		tool_complain("%s: this is %s: --ctf takes the directory that "
			      "the trace is written to, before COMMAND", path,
			      access(path, X_OK) == 0 ? "a program" :
			      "not a directory");
		return false;
	}
	if (directory < 0 || faccessat(directory, ".", W_OK | X_OK,
				       AT_EACCESS) < 0) {
		tool_complain("%s: %s", path, strerror(errno));
		return false;
	}
	/* Some file systems have no locks: then there is none. */
	if (flock(directory, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		tool_complain("%s: another sdtkit trace is writing to this "
			      "directory", path);
		return false;
	}
	return may_be_used(path);
}

int ctf_directory_empty(void)
{
	const struct dirent *file;
	DIR *files = list();
	int ret = 0;

	if (files == NULL)
		return -errno;
	/* What has come since the look above stays. */
	while (ret == 0 && (file = readdir(files)) != NULL) {
		if (is_stream(file->d_name) &&
		    unlinkat(directory, file->d_name, 0) < 0)
			ret = -errno;
	}
	closedir(files);
	if (ret == 0 && unlinkat(directory, CTF_METADATA, 0) < 0 &&
	    errno != ENOENT)
		ret = -errno;
	return ret;
}

int ctf_directory_file(const char *name)
{
	int fd = openat(directory, name, O_WRONLY | O_CREAT | O_APPEND |
			O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);

	return fd >= 0 ? fd : -errno;
}

static void take_back(int fd, size_t written)
{
	struct stat status;

	if (fstat(fd, &status) < 0 ||
	    ftruncate(fd, status.st_size - (off_t)written) < 0)
		tool_complain("a file of the trace ends with a part of a "
			      "packet: %s", strerror(errno));
}

int ctf_directory_append(int fd, const void *data, size_t size)
{
	size_t written = 0;

	while (written < size) {
		ssize_t more = write(fd, (const char *)data + written,
				     size - written);
		int error = errno;

		if (more < 0 && error == EINTR)
			continue;
		if (more < 0) {
			if (written > 0)
				take_back(fd, written);
			return -error;
		}
		written += (size_t)more;
	}
	return 0;
}
