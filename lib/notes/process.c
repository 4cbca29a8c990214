/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes and core dumps, of sdtkit/notes.h.
 *
 *	/proc/PID/maps --maps--> objects --> file --> struct sdtkit_notes
 *	a core dump   ---core--^   /proc/PID/map_files/START-END, else
 *	                           /proc/PID/exe or /proc/PID/root/PATH
 *	/proc/PID/mem, or the dump --memory--> semaphores, build-ids
 *
 * Invariants:
 * 1. all of /proc/PID is reached from one descriptor, so that another process
 *    that gets the number later is never taken for this one;
 * 2. a file that was found by its name is used only if its build-id is not
 *    another than the one in memory.
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

#include "build_id.h"
#include "fail.h"
#include "handle.h"
#include "maps.h"
#include "memory.h"
#include "sdtkit/notes.h"

struct sdtkit_process {
	/* /proc/PID; -1 for a core dump. */
	int directory;
	char root[sizeof("/proc/-2147483648/root")];
	/* The core dump, if it is one. */
	struct sdtkit_source source;
	struct sdtkit_elf core;
	struct sdtkit_memory memory;
	struct sdtkit_maps maps;
	/* How many were handed out; the last of them is the present one. */
	size_t position;
};

static struct sdtkit_process *new_process(void)
{
	struct sdtkit_process *process = calloc(1, sizeof(*process));

	if (process == NULL) {
		sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	process->directory = -1;
	process->source.fd = -1;
	process->memory.fd = -EBADF;
	return process;
}

static int open_directory(struct sdtkit_process *process, pid_t pid)
{
	snprintf(process->root, sizeof(process->root), "/proc/%d", (int)pid);
	process->directory = open(process->root, O_RDONLY | O_DIRECTORY |
				  O_CLOEXEC);
	if (process->directory < 0 && errno == ENOENT)
		return sdtkit_fail(ESRCH, "no such process");
	if (process->directory < 0)
		return sdtkit_fail(errno, "%s", strerror(errno));
	strcat(process->root, "/root");
	return 0;
}

int sdtkit_process_open(pid_t pid, struct sdtkit_process **process)
{
	struct sdtkit_process *p = new_process();
	int ret;

	if (p == NULL)
		return -ENOMEM;
	ret = open_directory(p, pid);
	if (ret < 0)
		goto fail;
	ret = sdtkit_maps_read(&p->maps, p->directory);
	if (ret < 0)
		goto fail;
	/* Reading the memory takes more rights than reading the mappings. */
	p->memory.fd = openat(p->directory, "mem", O_RDONLY | O_CLOEXEC);
	if (p->memory.fd < 0)
		p->memory.fd = -errno;
	*process = p;
	return 0;
fail:
	sdtkit_process_close(p);
	return ret;
}

static int open_core(struct sdtkit_process *process)
{
	Elf *handle;
	int ret;

	ret = sdtkit_source_elf(&process->source, &handle);
	if (ret < 0)
		return ret;
	if (elf_kind(handle) != ELF_K_ELF) {
		elf_end(handle);
		return sdtkit_fail(EINVAL, "not a core dump");
	}
	ret = sdtkit_elf_open(&process->core, handle, process->source.size);
	if (ret < 0)
		return ret;
	if (!process->core.info.core)
		return sdtkit_fail(EINVAL, "not a core dump");
	process->memory.source = &process->source;
	process->memory.core = &process->core;
	return sdtkit_maps_read_core(&process->maps, &process->source,
				     &process->core);
}

int sdtkit_process_begin_core(const struct sdtkit_source *source,
			      struct sdtkit_process **process)
{
	struct sdtkit_process *p = new_process();
	struct sdtkit_source s = *source;
	int ret;

	if (p == NULL) {
		sdtkit_source_close(&s);
		return -ENOMEM;
	}
	p->source = s;
	ret = open_core(p);
	if (ret < 0)
		sdtkit_process_close(p);
	else
		*process = p;
	return ret;
}

int sdtkit_process_open_core(const char *path, struct sdtkit_process **process)
{
	struct sdtkit_source source;
	int ret = sdtkit_source_open(&source, path);

	return ret < 0 ? ret : sdtkit_process_begin_core(&source, process);
}

int sdtkit_process_next(struct sdtkit_process *process,
			const struct sdtkit_object **object)
{
	if (process->position == process->maps.count)
		return 0;
	process->memory.block_size = 0;
	*object = &process->maps.map[process->position++].object;
	return 1;
}

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
static int open_mapped(const struct sdtkit_process *process,
		       const struct sdtkit_map *map,
		       struct sdtkit_source *source)
{
	char path[sizeof("map_files/-") + 2 * 16];

	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64,
		 map->object.start, map->first_end);
	return open_at(process->directory, path, source);
}

static int open_named(const struct sdtkit_process *process,
		      const struct sdtkit_map *map,
		      struct sdtkit_source *source)
{
	char *path;
	int ret;

	if (asprintf(&path, "root%s", map->object.path) < 0)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	ret = open_at(process->directory, path, source);
	free(path);
	return ret;
}

/*
 * Opens the file of the program through /proc/PID/exe, as its owner may even if
 * it was deleted.  Returns -ENOENT if the object is not the program.
 */
static int open_program(const struct sdtkit_process *process,
			const struct sdtkit_map *map,
			struct sdtkit_source *source)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(map->object.path);
	char path[PATH_MAX + sizeof(mark)];
	ssize_t size;

	size = readlinkat(process->directory, "exe", path, sizeof(path) - 1);
	if (size < 0)
		return -errno;
	path[size] = '\0';
	if (strncmp(path, map->object.path, length) != 0 ||
	    strcmp(path + length, mark) != 0)
		return -ENOENT;
	return open_at(process->directory, "exe", source);
}

static int open_object(const struct sdtkit_process *process,
		       const struct sdtkit_map *map, bool *by_name,
		       struct sdtkit_source *source)
{
	int ret;

	*by_name = true;
	if (process->directory < 0)
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

/* Computes the bias. */
static int find_bias(const struct sdtkit_map *map,
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

static uint64_t present_address(const struct sdtkit_notes_info *info,
				uint64_t address)
{
	address += info->bias;
	return info->bits == 32 ? (uint32_t)address : address;
}

/* If the memory cannot be read, the file is taken by its name. */
static int check_build_id(struct sdtkit_process *process,
			  const struct sdtkit_notes *notes)
{
	unsigned char present[SDTKIT_BUILD_ID_MAX];
	struct sdtkit_bytes id;

	if (sdtkit_build_id(sdtkit_notes_elf(notes), &id) <= 0 ||
	    sdtkit_memory_read(&process->memory,
			       present_address(sdtkit_notes_info(notes),
					       id.address),
			       present, id.size) < 0 ||
	    memcmp(present, id.data, id.size) == 0)
		return 0;
	return sdtkit_fail(ESTALE, "not the file that was mapped: its build "
			   "ID differs");
}

/* Finds the bias of the file, and checks that it is the one that is mapped. */
static int set_bias(struct sdtkit_process *process,
		    const struct sdtkit_map *map, struct sdtkit_notes *notes,
		    bool by_name)
{
	const struct sdtkit_elf *elf = sdtkit_notes_elf(notes);
	uint64_t bias = 0;
	int ret;

	if (elf == NULL)
		return sdtkit_fail(ENOEXEC, "an archive (ar), which has no "
				   "addresses");
	ret = find_bias(map, elf, &bias);
	if (ret < 0)
		return ret;
	sdtkit_notes_set_bias(notes, bias);
	return by_name ? check_build_id(process, notes) : 0;
}

int sdtkit_process_notes(struct sdtkit_process *process,
			 struct sdtkit_notes **notes)
{
	struct sdtkit_origin origin = { .root = process->root };
	const struct sdtkit_map *map;
	struct sdtkit_source source;
	struct sdtkit_notes *n;
	bool by_name;
	int ret;

	if (process->position == 0)
		return sdtkit_fail(EINVAL, "no object has been read yet: call "
				   "sdtkit_process_next() first");
	map = &process->maps.map[process->position - 1];
	origin.path = map->object.path;
	ret = open_object(process, map, &by_name, &source);
	if (ret < 0)
		return ret;
	ret = sdtkit_notes_begin(&source, &origin, &n);
	if (ret < 0)
		return ret;
	ret = set_bias(process, map, n, by_name);
	if (ret < 0)
		sdtkit_notes_close(n);
	else
		*notes = n;
	return ret;
}

int sdtkit_process_semaphore(struct sdtkit_process *process,
			     const struct sdtkit_notes *notes,
			     const struct sdtkit_site *site, uint16_t *value)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);
	unsigned char bytes[2];
	int ret;

	if (site->semaphore == 0)
		return sdtkit_fail(ENOENT, "the probe has no semaphore");
	ret = sdtkit_memory_read(&process->memory,
				 present_address(info, site->semaphore),
				 bytes, sizeof(bytes));
	if (ret < 0)
		return ret;
	*value = info->big_endian ? (uint16_t)(bytes[0] << 8 | bytes[1]) :
				    (uint16_t)(bytes[1] << 8 | bytes[0]);
	return 0;
}

void sdtkit_process_close(struct sdtkit_process *process)
{
	if (process == NULL)
		return;
	sdtkit_maps_clear(&process->maps);
	if (process->memory.fd >= 0)
		close(process->memory.fd);
	sdtkit_elf_close(&process->core);
	sdtkit_source_close(&process->source);
	if (process->directory >= 0)
		close(process->directory);
	free(process);
}
