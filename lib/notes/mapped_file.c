/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See mapped_file.h.  Of these paths, the first that can be opened is taken:
 *
 *	/proc/PID/map_files/START-END	the very file; mostly takes root
 *	/proc/PID/exe			of the program, if it was deleted
 *	/proc/PID/root/PATH		by its name; it may be another file now
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

/* Opens the very file that is mapped, which mostly takes root. */
static int open_mapped(int process, const struct sdtkit_map *map,
		       struct sdtkit_source *source)
{
	char path[sizeof("map_files/-") + 2 * 16];

	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64,
		 map->object.start, map->first_end);
	return open_at(process, path, source);
}

static int open_named(int process, const struct sdtkit_map *map,
		      struct sdtkit_source *source)
{
	char *path;
	int ret;

	if (asprintf(&path, "root%s", map->object.path) < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	ret = open_at(process, path, source);
	free(path);
	return ret;
}

/*
 * Opens the file of the program through /proc/PID/exe, as its owner may even if
 * it was deleted.  Returns -ENOENT if the object is not the program.
 */
static int open_program(int process, const struct sdtkit_map *map,
			struct sdtkit_source *source)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(map->object.path);
	char path[PATH_MAX + sizeof(mark)];
	ssize_t size;

	size = readlinkat(process, "exe", path, sizeof(path) - 1);
	if (size < 0)
		return -errno;
	path[size] = '\0';
	if (strncmp(path, map->object.path, length) != 0 ||
	    strcmp(path + length, mark) != 0)
		return -ENOENT;
	return open_at(process, "exe", source);
}

int sdtkit_mapped_file_open(int process, const struct sdtkit_map *map,
			    bool *by_name, struct sdtkit_source *source)
{
	int ret;

	*by_name = true;
	if (process < 0)
		return open_at(AT_FDCWD, map->object.path, source);
	ret = open_mapped(process, map, source);
	*by_name = ret < 0;
	if (ret == 0 || ret == -EINVAL)
		return ret;
	if (map->object.deleted && open_program(process, map, source) == 0)
		return 0;
	if (map->object.deleted)
		return sdtkit_fail(-ret, "was deleted or replaced while it was "
				   "mapped, and cannot be opened: %s",
				   geteuid() != 0 ? "try as root" :
				   strerror(-ret));
	return open_named(process, map, source);
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
