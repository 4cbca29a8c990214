/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.c - from processes to the files that hold the probes.
 *
 * Where the probes are differs: in Debian's smbd most are in libsmbd-base,
 * some in libsmbconf, in libsamba-cluster-support and in the program; in
 * later versions the libraries have other names. So all files that an smbd
 * has mapped are read. A process in a container sees other files: they are
 * reached through /proc/PID/root; those that an upgrade has removed through
 * /proc/PID/map_files.
 */
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sdtkit/notes.h>

#include "find.h"

/* Files without probes that were read already: most processes share them. */
enum { MAX_SEEN = 4096 };

static struct seen {
	uint64_t device;
	uint64_t inode;
} seen[MAX_SEEN];
static int num_seen;

static bool see(const struct sdtkit_object *object)
{
	int i;

	for (i = 0; i < num_seen; i++) {
		if (seen[i].inode == object->inode &&
		    seen[i].device == object->device)
			return true;
	}
	if (num_seen < MAX_SEEN)
		seen[num_seen++] = (struct seen){ object->device,
						  object->inode };
	return false;
}

static bool is_file(const char *path, const struct sdtkit_object *object)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_ino == object->inode;
}

/* The mapped file itself, whatever has happened to its name. */
static bool find_mapped(pid_t pid, const struct sdtkit_object *object,
			char *path, size_t size)
{
	struct dirent *entry;
	char name[64];
	bool is = false;
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/map_files", (int)pid);
	dir = opendir(name);
	if (dir == NULL)
		return false;
	while (!is && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, size, "%s/%s", name, entry->d_name);
		is = is_file(path, object);
	}
	closedir(dir);
	return is;
}

static bool locate(pid_t pid, const struct sdtkit_object *object, char *path,
		   size_t size)
{
	snprintf(path, size, "%s", object->path);
	if (is_file(path, object))
		return true;
	snprintf(path, size, "/proc/%d/root%s", (int)pid, object->path);
	if (is_file(path, object))
		return true;
	return find_mapped(pid, object, path, size);
}

/* Returns whether there are any that tsmbd knows. */
static bool read_probes(struct sdtkit_notes *notes, bool *has)
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
		has[i] = true;
		any = true;
	}
	return any;
}

static struct probe_file *add(struct found *found)
{
	struct probe_file *files;

	files = reallocarray(found->files, (size_t)found->num_files + 1,
			     sizeof(*files));
	if (files == NULL)
		err(1, NULL);
	found->files = files;
	memset(&files[found->num_files], 0, sizeof(*files));
	return &files[found->num_files];
}

static void look_at_object(struct found *found, pid_t pid,
			   struct sdtkit_process *process,
			   const struct sdtkit_object *object)
{
	struct sdtkit_notes *notes;
	struct probe_file *file;

	if (see(object) || sdtkit_process_notes(process, &notes) < 0)
		return;
	found->objects++;
	file = add(found);
	if (read_probes(notes, file->has)) {
		snprintf(file->name, sizeof(file->name), "%s", object->path);
		if (locate(pid, object, file->path, sizeof(file->path)))
			found->num_files++;
		else
			warnx("%s: probes, but the file cannot be reached",
			      object->path);
	}
	sdtkit_notes_close(notes);
}

static int look_at_process(struct found *found, pid_t pid)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	int ret;

	ret = sdtkit_process_open(pid, &process);
	if (ret < 0)
		return ret;
	while ((ret = sdtkit_process_next(process, &object)) != 0) {
		if (ret > 0)
			look_at_object(found, pid, process, object);
		else if (ret == -ENOMEM)
			break;
	}
	found->processes++;
	sdtkit_process_close(process);
	return 0;
}

static void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");

	line[0] = '\0';
	if (file == NULL)
		return;
	if (fgets(line, (int)size, file) == NULL)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

/* smbd changes what it is called, its file keeps its name. */
static bool has_name(const char *pid, const char *name)
{
	char target[PATH_MAX];
	char path[64];
	char comm[64];
	char *base;
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	read_line(path, comm, sizeof(comm));
	if (strcmp(comm, name) == 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%.20s/exe", pid);
	got = readlink(path, target, sizeof(target) - 1);
	if (got < 0)
		return false;
	target[got] = '\0';
	base = strstr(target, " (deleted)");
	if (base != NULL)
		*base = '\0';
	base = strrchr(target, '/');
	return base != NULL && strcmp(base + 1, name) == 0;
}

static void look_at_all(struct found *found, const char *name)
{
	struct dirent *entry;
	int denied = 0;
	DIR *dir;
	int ret;

	dir = opendir("/proc");
	if (dir == NULL)
		err(1, "/proc");
	while ((entry = readdir(dir)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !has_name(entry->d_name, name))
			continue;
		ret = look_at_process(found, (pid_t)atoi(entry->d_name));
		if (ret == -EACCES || ret == -EPERM)
			denied++;
	}
	closedir(dir);
	if (found->processes == 0 && denied > 0)
		errx(1, "no right to look into %s: run it as root", name);
	if (found->processes == 0)
		errx(1, "no process is called %s; -n takes another name, "
		     "-f a file that holds the probes", name);
}

static void look_at_file(struct found *found, const char *path)
{
	struct probe_file *file = add(found);
	struct sdtkit_notes *notes;

	if (sdtkit_notes_open(path, &notes) < 0)
		errx(1, "%s: %s", path, sdtkit_notes_error());
	if (!read_probes(notes, file->has))
		errx(1, "%s: has none of the probes", path);
	sdtkit_notes_close(notes);
	if (realpath(path, file->path) == NULL)
		err(1, "%s", path);
	snprintf(file->name, sizeof(file->name), "%s", path);
	found->num_files++;
}

/* One report needs all of them: it is an error if only some are there. */
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
		if (j < found->num_files || !tsmbd_probes[i].required)
			continue;
		warnx("no probe %s:%s", tsmbd_probes[i].provider,
		      tsmbd_probes[i].name);
		missing++;
	}
	if (missing > 0)
		errx(1, "this build lacks probes that the report needs");
}

void find_files(const struct options *options, struct found *found)
{
	int ret;
	int i;

	memset(found, 0, sizeof(*found));
	for (i = 0; i < options->num_files; i++)
		look_at_file(found, options->files[i]);
	if (options->num_files == 0 && options->pid != 0) {
		ret = look_at_process(found, options->pid);
		if (ret < 0)
			errx(1, "process %d: %s", (int)options->pid,
			     strerror(-ret));
	} else if (options->num_files == 0) {
		look_at_all(found, options->name);
	}
	if (found->num_files == 0)
		errx(1, "no probes in the %d files that are mapped there: "
		     "was it built with static probes?", found->objects);
	check_required(found);
}
