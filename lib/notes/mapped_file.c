/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See mapped_file.h.  A file is opened through its mapping,
 *
 *	/proc/PID/map_files/START-END	the very file; mostly takes root
 *
 * and if that is not permitted by one of the other two paths below:
 *
 *	/proc/PID/root/PATH		by its name; it may be another file now
 *	/proc/PID/exe			of the program
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "mapped_file.h"
#include "sdtkit/notes.h"

/* Checks what it is before it opens it: the path may be that of a device. */
static int open_at(int directory, const char *path,
		   struct sdtkit_source *source)
{
	struct stat st;
	int fd, ret;

	if (fstatat(directory, path, &st, 0) < 0)
		return sdtkit_fail(errno, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return sdtkit_fail(EINVAL, "not a regular file");
	fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOCTTY |
		    O_NONBLOCK);
	if (fd < 0)
		return sdtkit_fail(errno, "%s", strerror(errno));
	ret = sdtkit_source_dup(source, fd);
	close(fd);
	return ret;
}

enum {
	/* "map_files/START-END" */
	MAPPED_PATH = sizeof("map_files/-") + 2 * 16,
};

static void write_mapped(const struct sdtkit_map *map,
			 char path[static MAPPED_PATH])
{
	snprintf(path, MAPPED_PATH, "map_files/%" PRIx64 "-%" PRIx64,
		 map->object.start, map->first_end);
}

/* Whether the mapping is of the program, as /proc/PID/exe names it. */
static bool is_program(int process, const struct sdtkit_map *map)
{
	size_t length = strlen(map->object.path);
	const char *mark = map->object.deleted ? " (deleted)" : "";
	char path[PATH_MAX + sizeof(" (deleted)")];
	ssize_t size;

	size = readlinkat(process, "exe", path, sizeof(path) - 1);
	if (size < 0)
		return false;
	path[size] = '\0';
	return strncmp(path, map->object.path, length) == 0 &&
	       strcmp(path + length, mark) == 0;
}

/*
 * Whether the path leads to a file, and to that one.  If it is not known, a
 * file that was removed or replaced has no name.
 */
static bool leads_to(int process, const char *path, const struct stat *file,
		     const struct sdtkit_map *map)
{
	struct stat st;

	if (fstatat(process, path, &st, 0) < 0)
		return false;
	if (file == NULL)
		return !map->object.deleted;
	return st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

int sdtkit_mapped_file_path(int process, const struct sdtkit_map *map,
			    char *path, size_t size, bool *by_name)
{
	char mapped[MAPPED_PATH];
	struct stat st;
	int error, named_error;

	write_mapped(map, mapped);
	error = fstatat(process, mapped, &st, 0) < 0 ? errno : 0;
	if ((size_t)snprintf(path, size, "root%s", map->object.path) >= size ||
	    size < sizeof(mapped))
		return sdtkit_fail(ENAMETOOLONG, "%s", strerror(ENAMETOOLONG));
	*by_name = leads_to(process, path, error == 0 ? &st : NULL, map);
	named_error = errno;
	if (*by_name)
		return 0;
	if (is_program(process, map))
		strcpy(path, "exe");
	else if (error == 0)
		strcpy(path, mapped);
	else if (map->object.deleted)
		return sdtkit_fail(error, "was deleted or replaced while it "
				   "was mapped, and cannot be opened: %s",
				   geteuid() != 0 ? "try as root" :
				   strerror(error));
	else
		return sdtkit_fail(named_error, "%s", strerror(named_error));
	return 0;
}

/* A process that ends has no files any more, some time before it is gone. */
static bool has_ended(int process)
{
	char byte;

	return readlinkat(process, "exe", &byte, sizeof(byte)) < 0 &&
	       (errno == ENOENT || errno == ESRCH);
}

int sdtkit_mapped_file_open(int process, const struct sdtkit_map *map,
			    bool *by_name, struct sdtkit_source *source)
{
	char path[PATH_MAX + sizeof("root")];
	int ret;

	*by_name = true;
	if (process < 0)
		return open_at(AT_FDCWD, map->object.path, source);
	write_mapped(map, path);
	ret = open_at(process, path, source);
	*by_name = ret < 0;
	if (ret == 0 || ret == -EINVAL)
		return ret;
	ret = sdtkit_mapped_file_path(process, map, path, sizeof(path),
				      by_name);
	*by_name = true;
	if (ret == 0)
		ret = open_at(process, path, source);
	return ret == -ENOENT && has_ended(process) ?
	       sdtkit_fail(ESRCH, "no such process") : ret;
}

/*
 * Finds the segment that the first mapping shows.  A segment is mapped from the
 * beginning of the page that it begins in, and the size of pages varies.
 */
static const struct sdtkit_segment *
find_segment(const struct sdtkit_map *map, const struct sdtkit_elf *elf)
{
	static const uint64_t pages[] = { 4 << 10, 16 << 10, 64 << 10 };
	const struct sdtkit_segment *segment;
	size_t i, j;

	for (j = 0; j < sizeof(pages) / sizeof(pages[0]); j++) {
		for (i = 0; i < elf->segment_count; i++) {
			segment = &elf->segments[i];
			if (segment->type == PT_LOAD &&
			    (segment->offset & -pages[j]) == map->offset)
				return segment;
		}
	}
	/*
	 * The mapping may be a part of a segment that was protected in parts.
	 */
	for (i = 0; i < elf->segment_count; i++) {
		segment = &elf->segments[i];
		if (segment->type == PT_LOAD &&
		    map->offset >= segment->offset &&
		    map->offset - segment->offset < segment->size)
			return segment;
	}
	return NULL;
}

int sdtkit_mapped_file_bias(const struct sdtkit_map *map,
			    const struct sdtkit_elf *elf, uint64_t *bias)
{
	const struct sdtkit_segment *segment = find_segment(map, elf);

	if (segment == NULL)
		return sdtkit_fail(ESTALE, "its mapping does not match its "
				   "program headers");
	*bias = map->object.start - map->offset -
		(segment->address - segment->offset);
	if (elf->info.bits == 32)
		*bias = (uint32_t)*bias;
	return 0;
}
