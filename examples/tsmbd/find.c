/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.c - finds the files with probes through the processes that run.
 *
 * Where the probes are differs: in Debian's smbd most are in libsmbd-base,
 * some in libsmbconf, in libsamba-cluster-support and in the program; in
 * later versions the libraries have other names. So all files that an smbd
 * has mapped are read. libsdtkit-notes opens the very files that are mapped,
 * whatever has happened to their names, in a container too. They remain open,
 * and are attached to as /proc/self/fd/N: the process that led to them may be
 * gone by then.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>
#include <sdtkit/notes.h>

#include "find.h"
#include "proc.h"
#include "text.h"

/* Objects that were read already: most processes share them. */
enum { MAX_SEEN = 16384 };

/*
 * Device and inode from /proc/PID/maps. They do not identify a file: btrfs
 * shows one device for all subvolumes there, containers have paths of their
 * own.
 */
static struct seen {
	uint64_t device;
	uint64_t inode;
	ino_t namespace;
	char *path;
	bool probes;
} seen[MAX_SEEN];
static int num_seen;

static struct seen *find_seen(const struct sdtkit_object *object,
			      ino_t namespace)
{
	struct seen *s;

	for (s = seen; s < seen + num_seen; s++) {
		if (s->inode == object->inode &&
		    s->device == object->device &&
		    s->namespace == namespace &&
		    strcmp(s->path, object->path) == 0)
			return s;
	}
	return NULL;
}

/* Objects that do not fit are read again for each process. */
static void see(const struct sdtkit_object *object, ino_t namespace,
		bool probes)
{
	struct seen *s = &seen[num_seen];

	if (num_seen == MAX_SEEN)
		return;
	s->probes = probes;
	s->device = object->device;
	s->inode = object->inode;
	s->namespace = namespace;
	s->path = strdup(object->path);
	if (s->path == NULL)
		err(1, NULL);
	num_seen++;
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

/*
 * A file in a layer that several containers share is a different file in each
 * overlay, but the same one for uprobes: it must not be attached to twice.
 */
static bool is_same(const struct probe_file *a, const struct probe_file *b)
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

/* Returns whether the file has probes of the table. */
static bool read_probes(struct sdtkit_notes *notes, struct probe_file *file)
{
	const struct sdtkit_site *site;
	bool any = false;
	int ret;
	int i;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret < 0) {
			if (ret == -ENOMEM)
				errx(1, "%s", sdtkit_notes_error());
			continue;
		}
		i = probe_find(site->provider, site->probe);
		if (i < 0)
			continue;
		file->has[i] = true;
		sites_add(&file->sites, notes, site, i);
		any = true;
	}
	return any;
}

/* Adds a file unless it is known already; takes over the descriptor. */
static void add(struct found *found, const char *name, int fd,
		const struct probe_file *read)
{
	struct probe_file *file;
	struct statfs fs;
	int i;

	found->files = reallocarray(found->files,
				    (size_t)found->num_files + 1,
				    sizeof(*found->files));
	if (found->files == NULL)
		err(1, NULL);
	file = &found->files[found->num_files];
	*file = *read;
	if (fstat(fd, &file->stat) != 0 || fstatfs(fd, &fs) != 0) {
		warn("%s: not traced", name);
		goto out;
	}
	file->overlay = fs.f_type == OVERLAYFS_SUPER_MAGIC;
	for (i = 0; i < found->num_files; i++) {
		if (is_same(&found->files[i], file))
			goto out;
	}
	if (found->num_files == TSMBD_MAX_FILES) {
		warnx("%s is not traced: the limit is %d files with probes",
		      name, TSMBD_MAX_FILES);
		goto out;
	}
	snprintf(file->name, sizeof(file->name), "%s", name);
	snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", fd);
	found->num_files++;
	return;
out:
	sites_free(&file->sites);
	close(fd);
}

/* Returns whether it has probes. */
static bool look_at_object(struct found *found, struct sdtkit_process *process,
			   const struct sdtkit_object *object)
{
	struct probe_file file = { .path = "" };
	struct sdtkit_notes *notes;
	char name[PATH_MAX];
	bool any;
	int fd;

	if (sdtkit_process_notes(process, &notes) < 0)
		return false;
	found->objects++;
	any = read_probes(notes, &file);
	fd = any ? keep_open(notes) : -1;
	sdtkit_notes_close(notes);
	if (!any)
		return false;
	/* the owner of the container has chosen the name */
	text_word(object->path, name, sizeof(name));
	if (fd >= 0)
		add(found, name, fd, &file);
	else
		warn("%s has probes, but the file cannot be kept open", name);
	if (fd < 0)
		sites_free(&file.sites);
	return true;
}

int find_process(struct found *found, pid_t pid)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	const struct seen *before;
	ino_t namespace;
	int count = 0;
	bool probes;
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
		before = find_seen(object, namespace);
		if (before != NULL) {
			count += before->probes;
			continue;
		}
		probes = look_at_object(found, process, object);
		see(object, namespace, probes);
		count += probes;
	}
	sdtkit_process_close(process);
	return count;
}

static int look_at_process(struct found *found, pid_t pid)
{
	int ret = find_process(found, pid);

	if (ret < 0)
		return ret;
	found->pids = reallocarray(found->pids, (size_t)found->processes + 1,
				   sizeof(*found->pids));
	if (found->pids == NULL)
		err(1, NULL);
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

static void look_at_all(struct found *found, const char *name)
{
	struct dirent *entry;
	pid_t zombie = 0;
	int denied = 0;
	pid_t pid;
	DIR *dir;
	int ret;

	dir = opendir("/proc");
	if (dir == NULL)
		err(1, "/proc");
	while ((entry = readdir(dir)) != NULL) {
		pid = (pid_t)atoi(entry->d_name);
		if (pid == 0 || !proc_has_name(pid, name))
			continue;
		if (is_zombie(pid)) {
			zombie = pid;
			continue;
		}
		ret = look_at_process(found, pid);
		if (ret == -EACCES || ret == -EPERM)
			denied++;
	}
	closedir(dir);
	if (found->processes == 0 && denied > 0)
		errx(1, "not permitted to read the mappings of %s: run tsmbd "
		     "as root", name);
	if (found->processes == 0 && zombie != 0)
		errx(1, "no running process is called %s: process %d has ended "
		     "and is a zombie", name, (int)zombie);
	if (found->processes == 0)
		errx(1, "no process is called %s: give another name with -n, "
		     "or a file that has the probes with -f", name);
}

static void look_at_family(struct found *found, pid_t pid)
{
	int ret;

	if (is_zombie(pid))
		errx(1, "process %d has ended and is a zombie", (int)pid);
	ret = look_at_process(found, pid);
	if (ret < 0)
		errx(1, "process %d: %s%s", (int)pid, strerror(-ret),
		     ret == -EACCES && geteuid() != 0 ?
		     ": run tsmbd as root" : "");
	look_at_children(found, pid);
}

static void look_at_file(struct found *found, const char *path)
{
	struct probe_file file = { .path = "" };
	struct sdtkit_notes *notes;
	int fd;

	if (sdtkit_notes_open(path, &notes) < 0)
		errx(1, "%s: %s", path, sdtkit_notes_error());
	if (!read_probes(notes, &file))
		errx(1, "%s has none of the probes that tsmbd reads", path);
	fd = keep_open(notes);
	sdtkit_notes_close(notes);
	if (fd < 0)
		err(1, "%s", path);
	add(found, path, fd, &file);
}

/* Exits with a message if probes are missing that the report needs. */
static void check_required(const struct found *found)
{
	int missing = 0;
	int i;
	int j;

	for (i = 0; i < TSMBD_NUM_PROBES; i++) {
		for (j = 0; j < found->num_files; j++) {
			if (found->files[j].has[i])
				break;
		}
		if (j < found->num_files ||
		    !(tsmbd_probes[i].flags & PROBE_REQUIRED))
			continue;
		warnx("probe %s:%s was not found", tsmbd_probes[i].provider,
		      tsmbd_probes[i].name);
		missing++;
	}
	if (missing > 0)
		errx(1, "the report needs probes that this build does not "
		     "have");
}

void find_files(const struct options *options, struct found *found)
{
	int i;

	memset(found, 0, sizeof(*found));
	for (i = 0; i < options->num_files; i++)
		look_at_file(found, options->files[i]);
	if (options->num_files == 0 && options->pid != 0)
		look_at_family(found, options->pid);
	else if (options->num_files == 0)
		look_at_all(found, options->name);
	if (found->objects == 0 && options->num_files == 0)
		errx(1, "cannot read any file that these processes have "
		     "mapped: run tsmbd as root");
	if (found->num_files == 0)
		errx(1, "none of the %d files that these processes have "
		     "mapped has probes: build the server with them",
		     found->objects);
	check_required(found);
}
