/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * /proc/PID/maps -> struct sdtkit_map.  The first three lines are one object,
 * because one of them is executable; the others are none:
 *
 *	5581e0a00000-5581e0a04000 r--p 00000000 08:01 4212   /usr/sbin/smbd
 *	5581e0a04000-5581e0a1c000 r-xp 00004000 08:01 4212   /usr/sbin/smbd
 *	5581e0a24000-5581e0a25000 rw-p 00023000 08:01 4212   /usr/sbin/smbd
 *	7f2b11c00000-7f2b11c21000 rw-p 00000000 00:00 0
 *	7ffd0f7c9000-7ffd0f7cb000 r-xp 00000000 00:00 0      [vdso]
 *
 * and what follows the path of a file that was removed, " (deleted)".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/grow.h"
#include "fail.h"
#include "maps.h"

/* Takes " (deleted)" off the end. */
static bool was_deleted(char *path)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(path);

	if (length < sizeof(mark) ||
	    strcmp(path + length - (sizeof(mark) - 1), mark) != 0)
		return false;
	path[length - (sizeof(mark) - 1)] = '\0';
	return true;
}

/* A library that was loaded twice begins again at its first page. */
static bool continues(const struct sdtkit_map *last,
		      const struct sdtkit_map *map)
{
	return last->object.device == map->object.device &&
	       last->object.deleted == map->object.deleted &&
	       last->object.inode == map->object.inode &&
	       last->last_offset <= map->offset &&
	       strcmp(last->object.path, map->object.path) == 0;
}

/* Adds an object, and takes its path over. */
static int add_object(struct sdtkit_maps *maps, const struct sdtkit_map *map)
{
	struct sdtkit_map *new;

	if (sdtkit_grow(&maps->map, maps->count, &maps->capacity,
			sizeof(*maps->map)) < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	new = &maps->map[maps->count++];
	*new = *map;
	new->first_end = map->object.end;
	new->last_offset = map->offset;
	return 0;
}

int sdtkit_maps_add(struct sdtkit_maps *maps, const struct sdtkit_map *map)
{
	struct sdtkit_map new = *map;
	struct sdtkit_map *last;
	char *path = strdup(map->object.path);
	int ret = 0;

	if (path == NULL)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	/* The mark of a mapping is off already; that of a core dump is not. */
	if (!new.object.deleted)
		new.object.deleted = was_deleted(path);
	new.object.path = path;
	last = maps->count > 0 ? &maps->map[maps->count - 1] : NULL;
	if (last == NULL || !continues(last, &new)) {
		ret = add_object(maps, &new);
		if (ret == 0)
			return 0;
	} else {
		last->object.end = new.object.end;
		last->last_offset = new.offset;
		last->executable |= new.executable;
	}
	free(path);
	return ret;
}

static void free_path(struct sdtkit_map *map)
{
	free((char *)(uintptr_t)map->object.path);
}

void sdtkit_maps_finish(struct sdtkit_maps *maps)
{
	size_t kept = 0, i;

	for (i = 0; i < maps->count; i++) {
		if (maps->map[i].executable)
			maps->map[kept++] = maps->map[i];
		else
			free_path(&maps->map[i]);
	}
	maps->count = kept;
}

/* False: this is not a line of a mapping. The path points into the line. */
static bool parse_line(char *line, struct sdtkit_mapping *mapping)
{
	unsigned int major_number, minor_number;
	char permissions[5];
	int path = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %"
		   SCNu64 " %n", &mapping->start, &mapping->end, permissions,
		   &mapping->offset, &major_number, &minor_number,
		   &mapping->inode, &path) != 7 || path == 0)
		return false;
	mapping->device = makedev(major_number, minor_number);
	mapping->executable = strchr(permissions, 'x') != NULL;
	mapping->path = line + path;
	mapping->deleted = was_deleted(line + path);
	return true;
}

/* Takes the descriptor over, which may be -1 with errno set. */
static int read_mappings(int fd, int (*each)(const struct sdtkit_mapping *,
					     void *), void *context)
{
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct sdtkit_mapping mapping;
	char *line = NULL;
	size_t capacity = 0;
	int ret = 0;

	if (file == NULL) {
		ret = sdtkit_fail(errno, "cannot read its mappings: %s",
				  strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	while (ret == 0 && getline(&line, &capacity, file) > 0) {
		if (parse_line(line, &mapping))
			ret = each(&mapping, context);
	}
	if (ret == 0 && ferror(file))
		ret = sdtkit_fail(errno, "cannot read its mappings: %s",
				  strerror(errno));
	free(line);
	fclose(file);
	return ret;
}

int sdtkit_mappings_read(pid_t pid,
			 int (*each)(const struct sdtkit_mapping *mapping,
				     void *context),
			 void *context)
{
	char path[sizeof("/proc/-2147483648/maps")];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return sdtkit_fail(ESRCH, "no such process");
	return read_mappings(fd, each, context);
}

/*
 * Not memory of the program itself, nor that of jumps (lib/attach/stub.c), nor
 * that of huge pages, to which programs copy their code.
 */
static bool is_file(const struct sdtkit_mapping *mapping)
{
	return mapping->path[0] == '/' &&
	       strcmp(mapping->path, "/memfd:sdtkit-tap") != 0 &&
	       strcmp(mapping->path, "/anon_hugepage") != 0;
}

static int add_code(struct sdtkit_maps *maps,
		    const struct sdtkit_mapping *mapping)
{
	struct sdtkit_map *last;

	if (sdtkit_grow(&maps->code, maps->code_count, &maps->code_capacity,
			sizeof(*maps->code)) < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	maps->code[maps->code_count++] = (struct sdtkit_code) {
		.start = mapping->start,
		.end = mapping->end,
		.device = mapping->device,
		.inode = mapping->inode,
	};
	/* An object of which all code was copied is executable in the copy. */
	last = maps->count > 0 ? &maps->map[maps->count - 1] : NULL;
	if (last != NULL && last->object.end == mapping->start)
		last->executable = true;
	return 0;
}

bool sdtkit_maps_is_foreign(const struct sdtkit_maps *maps,
			    const struct sdtkit_map *map, uint64_t start,
			    uint64_t end)
{
	size_t i;

	for (i = 0; i < maps->code_count; i++) {
		const struct sdtkit_code *code = &maps->code[i];

		if (code->start < end && code->end > start &&
		    (code->inode != map->object.inode ||
		     code->device != map->object.device))
			return true;
	}
	return false;
}

static int add_mapping(const struct sdtkit_mapping *mapping, void *context)
{
	struct sdtkit_map map = {
		.object = {
			.path = mapping->path,
			.deleted = mapping->deleted,
			.device = mapping->device,
			.inode = mapping->inode,
			.start = mapping->start,
			.end = mapping->end,
		},
		.offset = mapping->offset,
		.executable = mapping->executable,
	};
	int ret = mapping->executable ? add_code(context, mapping) : 0;

	return ret == 0 && is_file(mapping) ? sdtkit_maps_add(context, &map) :
					      ret;
}

int sdtkit_maps_read(struct sdtkit_maps *maps, int process)
{
	int ret = read_mappings(openat(process, "maps", O_RDONLY | O_CLOEXEC),
				add_mapping, maps);

	sdtkit_maps_finish(maps);
	return ret;
}

void sdtkit_maps_clear(struct sdtkit_maps *maps)
{
	size_t i;

	for (i = 0; i < maps->count; i++)
		free_path(&maps->map[i]);
	free(maps->map);
	free(maps->code);
	*maps = (struct sdtkit_maps) { .map = NULL };
}
