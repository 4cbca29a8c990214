/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.c - finds the files with probes through the processes that run.
 *
 * Where the probes are differs: in Debian's smbd most are in libsmbd-base,
 * some in libsmbconf, in libsamba-cluster-support and in the program; in
 * later versions the libraries have other names. So all files that a process
 * has mapped are read. libsdtkit-notes opens the very files that are mapped,
 * whatever has happened to their names, in a container too. They remain open,
 * and are attached to as /proc/self/fd/N: the process that led to them may be
 * gone by then.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>
#include <sdtkit/notes.h>

#include "../base/grow.h"
#include "allowed.h"
#include "find.h"
#include "proc.h"
#include "seen.h"
#include "copied.h"

static char error[PATH_MAX + 512];

const char *find_error(void)
{
	return error;
}

__attribute__((format(printf, 2, 3)))
static int fail(int number, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, sizeof(error), format, args);
	va_end(args);
	return -number;
}

/* Returns the inode of the mount namespace of a process. */
static ino_t namespace_of(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	return stat(path, &st) == 0 ? st.st_ino : 0;
}

/* The very file that was read, which stays open when notes are closed. */
static int keep_open(const struct sdtkit_notes *notes)
{
	return fcntl(sdtkit_notes_fd(notes), F_DUPFD_CLOEXEC, 0);
}

bool find_is_same(const struct found_file *a, const struct found_file *b)
{
	if (a->stat.st_ino != b->stat.st_ino)
		return false;
	if (a->stat.st_dev == b->stat.st_dev)
		return true;
	return (a->overlay || b->overlay) &&
	       a->stat.st_size == b->stat.st_size &&
	       a->stat.st_mtim.tv_sec == b->stat.st_mtim.tv_sec &&
	       a->stat.st_mtim.tv_nsec == b->stat.st_mtim.tv_nsec;
}

int find_identify(struct found_file *file, int fd)
{
	struct statfs fs;

	if (fstat(fd, &file->stat) != 0 || fstatfs(fd, &fs) != 0)
		return -1;
	file->overlay = fs.f_type == OVERLAYFS_SUPER_MAGIC;
	return 0;
}

/*
 * Adds a file unless it is known already; takes over the descriptor. Returns
 * its number, or -1.
 */
static int add(struct found *found, const char *name, int fd, void *probes)
{
	struct found_file *file;
	int number = -1;
	int i;

	if (sdtkit_grow(&found->files, (size_t)found->num_files,
			&found->max_files, sizeof(*file)) < 0) {
		warnx("%s: not traced: %s", name, strerror(ENOMEM));
		goto out;
	}
	file = &found->files[found->num_files];
	*file = (struct found_file){ .probes = probes };
	if (find_identify(file, fd) != 0) {
		warn("%s: not traced", name);
		goto out;
	}
	for (i = 0; i < found->num_files; i++) {
		if (!find_is_same(&found->files[i], file))
			continue;
		number = i;
		goto out;
	}
	if (found->num_files == found->finder->max_files) {
		if (!found->told)
			warnx("%s is not traced: the limit is %d files with "
			      "probes", name, found->finder->max_files);
		found->told = true;
		goto out;
	}
	snprintf(file->name, sizeof(file->name), "%s", name);
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", fd);
	file->fd = fd;
	return found->num_files++;
out:
	found->finder->forget(probes);
	close(fd);
	return number;
}

/*
 * Returns whether an error says nothing about the file: the process has ended
 * while it was read, or this one has no descriptor or memory left.
 */
static bool is_passing(int ret)
{
	return ret == -ENOENT || ret == -ESRCH || ret == -EMFILE ||
	       ret == -ENFILE || ret == -ENOMEM;
}

enum look {
	LOOK_NONE,		/* it has no probes */
	LOOK_PROBES,
	LOOK_REFUSED,		/* it has probes, but cannot be kept open */
	LOOK_FAILED,		/* it could not be read */
};

/* Sets the number of a file that has probes. */
static enum look
look_at_object(struct found *found, struct sdtkit_process *process,
	       const struct sdtkit_object *object, int *file)
{
	const struct finder *finder = found->finder;
	struct sdtkit_notes *notes, *open;
	char buffer[PATH_MAX];
	const char *name;
	void *probes;
	int ret;
	int fd;

	*file = -1;
	ret = sdtkit_process_notes(process, &notes);
	if (ret < 0)
		return is_passing(ret) ? LOOK_FAILED : LOOK_NONE;
	found->objects++;
	/* the owner of the container has chosen the name */
	name = finder->name(object->path, buffer, sizeof(buffer));
	open = notes;
	probes = finder->read(&open, name);
	fd = probes != NULL ? keep_open(notes) : -1;
	sdtkit_notes_close(open);
	if (probes == NULL)
		return LOOK_NONE;
	if (fd >= 0) {
		*file = add(found, name, fd, probes);
		return *file >= 0 ? LOOK_PROBES : LOOK_REFUSED;
	}
	if (!found->told)
		warn("%s has probes, but the file cannot be kept open", name);
	found->told = true;
	finder->forget(probes);
	return LOOK_REFUSED;
}

/* Warns, once for a file, if a process executes a copy of its code. */
static void warn_if_copied(struct found_file *file,
			   struct sdtkit_process *process, pid_t pid)
{
	size_t copied;

	if (file->copied || sdtkit_process_copied(process, &copied) < 0 ||
	    copied == 0)
		return;
	file->copied = true;
	warnx(SDTKIT_COPIED_FORMAT, (int)pid, file->name, copied);
}

int find_process(struct found *found, pid_t pid)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	const struct seen *before;
	ino_t namespace;
	enum look look;
	int count = 0;
	int file;
	int ret;

	ret = sdtkit_process_open(pid, &process);
	if (ret < 0)
		return ret;
	namespace = namespace_of(pid);
	while ((ret = sdtkit_process_next(process, &object)) != 0) {
		if (ret == -ENOMEM)
			break;
		if (ret < 0)
			continue;
		before = seen_find(object, namespace);
		if (before != NULL) {
			count += before->probes;
			if (before->file >= 0)
				warn_if_copied(&found->files[before->file],
					       process, pid);
			continue;
		}
		look = look_at_object(found, process, object, &file);
		count += look == LOOK_PROBES || look == LOOK_REFUSED;
		if (look == LOOK_PROBES)
			warn_if_copied(&found->files[file], process, pid);
		/* the others are read again, in whatever process has them */
		if (look == LOOK_NONE || look == LOOK_PROBES)
			seen_add(object, namespace, look == LOOK_PROBES, file);
	}
	sdtkit_process_close(process);
	return count;
}

int find_mapped(pid_t pid, bool *mapped)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	int ret;

	ret = sdtkit_process_open(pid, &process);
	if (ret < 0)
		return ret;
	while ((ret = sdtkit_process_next(process, &object)) > 0)
		seen_mark(object, mapped);
	sdtkit_process_close(process);
	return ret;
}

void find_drop(struct found *found, int file)
{
	struct found_file *at = &found->files[file];

	close(at->fd);
	found->told = false;
	found->finder->forget(at->probes);
	seen_forget(file);
	found->num_files--;
	memmove(at, at + 1, (size_t)(found->num_files - file) * sizeof(*at));
}

void find_forget_others(void)
{
	seen_forget_others();
}

static int look_at_process(struct found *found, pid_t pid)
{
	int ret = find_process(found, pid);

	if (ret < 0)
		return ret;
	ret = sdtkit_grow(&found->pids, (size_t)found->processes,
			  &found->max_pids, sizeof(*found->pids));
	if (ret < 0)
		return ret;
	found->pids[found->processes++] = pid;
	return 0;
}

static bool is_zombie(pid_t pid)
{
	struct proc proc;

	return proc_read(pid, &proc) == 0 && proc_is_zombie(&proc);
}

/* Children that end meanwhile are not an error. */
static void look_at_children(struct found *found, pid_t pid)
{
	pid_t *children;
	int count;
	int i;

	count = proc_children(pid, &children);
	for (i = 0; i < count; i++) {
		if (!is_zombie(children[i]))
			look_at_process(found, children[i]);
	}
	free(children);
}

/* Processes that were not looked at, and why. */
struct missed {
	pid_t zombie;
	int denied;
};

static int look_by_name(struct found *found, const char *name,
			struct missed *missed)
{
	pid_t *pids;
	int count;
	int ret;
	int i;

	count = proc_all(&pids);
	for (i = 0; i < count; i++) {
		if (!proc_has_name(pids[i], name))
			continue;
		if (is_zombie(pids[i])) {
			missed->zombie = pids[i];
			continue;
		}
		ret = look_at_process(found, pids[i]);
		if (ret == -EACCES || ret == -EPERM)
			missed->denied++;
	}
	free(pids);
	if (count < 0)
		return fail(-count, "/proc: %s", strerror(-count));
	return 0;
}

int find_if_any(struct found *found, const char *name)
{
	struct missed missed = { 0 };

	return look_by_name(found, name, &missed);
}

static const char *advice(const struct found *found, char *text)
{
	allowed_advise(found->finder->command, text);
	return text;
}

int find_by_name(struct found *found, const char *name)
{
	struct missed missed = { 0 };
	char text[ALLOWED_TEXT];
	int ret = look_by_name(found, name, &missed);

	if (ret < 0 || found->processes > 0)
		return ret;
	if (missed.denied > 0)
		return fail(EACCES, "not permitted to read the mappings of %s: "
			    "%s", name, advice(found, text));
	if (missed.zombie != 0)
		return fail(ESRCH, "no running process is called %s: process "
			    "%d has ended and is a zombie", name,
			    (int)missed.zombie);
	return fail(ESRCH, "no process is called %s: give another name with "
		    "-n, or a file that has the probes%s", name,
		    found->finder->file_option);
}

int find_family(struct found *found, pid_t pid)
{
	char text[ALLOWED_TEXT];
	int ret;

	if (is_zombie(pid))
		return fail(ESRCH, "process %d has ended and is a zombie",
			    (int)pid);
	ret = look_at_process(found, pid);
	if (ret == -EACCES || ret == -EPERM)
		return fail(-ret, "process %d: %s: %s", (int)pid,
			    strerror(-ret), advice(found, text));
	if (ret < 0)
		return fail(-ret, "process %d: %s", (int)pid, strerror(-ret));
	look_at_children(found, pid);
	return 0;
}

/* Takes what sdtkit_notes_open() returned, and closes the notes. */
static int add_notes(struct found *found, const char *name,
		     struct sdtkit_notes *notes, int ret)
{
	struct sdtkit_notes *open = notes;
	void *probes;
	int fd;

	if (ret < 0)
		return fail(-ret, "%s: %s", name, sdtkit_notes_error());
	probes = found->finder->read(&open, name);
	fd = probes != NULL ? keep_open(notes) : -1;
	ret = errno;
	sdtkit_notes_close(open);
	if (probes == NULL)
		return fail(ENODATA, "%s has none of the probes that %s reads",
			    name, found->finder->command);
	if (fd < 0)
		return fail(ret, "%s: %s", name, strerror(ret));
	add(found, name, fd, probes);
	return 0;
}

int find_file(struct found *found, const char *path)
{
	struct sdtkit_notes *notes = NULL;
	int ret = sdtkit_notes_open(path, &notes);

	if (ret == -ENOENT && strchr(path, '/') == NULL)
		return fail(ENOENT, "%s: there is no such file; processes of "
			    "this name are -n %s", path, path);
	return add_notes(found, path, notes, ret);
}

int find_open(struct found *found, int fd, const char *name)
{
	struct sdtkit_notes *notes = NULL;
	int ret = sdtkit_notes_open_fd(fd, &notes);

	return add_notes(found, name, notes, ret);
}

int find_check(const struct found *found)
{
	char text[ALLOWED_TEXT];

	if (found->num_files > 0)
		return 0;
	if (found->objects == 0)
		return fail(EACCES, "cannot read any file that these processes "
			    "have mapped: %s", advice(found, text));
	return fail(ENODATA, "none of the %d files that these processes have "
		    "mapped has probes: build the server with them",
		    found->objects);
}
