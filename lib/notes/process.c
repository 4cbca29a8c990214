/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes and core dumps, of sdtkit/notes.h.
 *
 *	/proc/PID/maps --maps--> objects --mapped_file--> struct sdtkit_notes
 *	a core dump   ---core--^
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_id.h"
#include "fail.h"
#include "handle.h"
#include "mapped_file.h"
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
	ret = sdtkit_mapped_file_bias(map, elf, &bias);
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
	ret = sdtkit_mapped_file_open(process->directory, map, &by_name,
				      &source);
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

int sdtkit_process_path(struct sdtkit_process *process, char *path, size_t size,
			bool *by_name)
{
	/* process->root is "/proc/PID/root". */
	int length = (int)(strlen(process->root) - strlen("root"));

	if (process->position == 0 || process->directory < 0)
		return sdtkit_fail(EINVAL, "not an object of a process that "
				   "runs");
	if (size <= (size_t)length)
		return sdtkit_fail(ENAMETOOLONG, "%s", strerror(ENAMETOOLONG));
	memcpy(path, process->root, (size_t)length);
	return sdtkit_mapped_file_path(process->directory,
			&process->maps.map[process->position - 1],
			path + length, size - (size_t)length, by_name);
}

int sdtkit_process_copied(struct sdtkit_process *process, size_t *sites)
{
	const struct sdtkit_map *map;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	size_t count = 0;
	int ret;

	if (process->position == 0)
		return sdtkit_fail(EINVAL, "no object has been read yet: call "
				   "sdtkit_process_next() first");
	map = &process->maps.map[process->position - 1];
	*sites = 0;
	if (!sdtkit_maps_is_foreign(&process->maps, map, map->object.start,
				    map->object.end))
		return 0;
	ret = sdtkit_process_notes(process, &notes);
	if (ret < 0)
		return ret;
	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		uint64_t address;

		if (ret < 0)
			continue;
		address = present_address(sdtkit_notes_info(notes),
					  site->address);
		count += sdtkit_maps_is_foreign(&process->maps, map, address,
						address + 1);
	}
	sdtkit_notes_close(notes);
	*sites = count;
	return 0;
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
