/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads what ldconfig(8) wrote, see dl-cache.h of glibc:
 *
 *	"glibc-ld.so.cache1.1"	number of entries, ... (48 bytes)
 *	an entry (24 bytes)	flags, offset of the name, of the path, ...
 *	"libz.so.1\0/lib/x86_64-linux-gnu/libz.so.1\0"
 *
 * Libraries for some processors only (glibc-hwcaps) are passed over: each has a
 * twin for all of them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probes/loader_cache.h"

static const char magic[] = "glibc-ld.so.cache1.1";

struct header {
	char magic[sizeof(magic) - 1];
	uint32_t count;
	uint32_t strings;	/* bytes, behind the entries */
	uint32_t unused[5];
};

struct entry {
	uint32_t flags;
	uint32_t name;
	uint32_t path;
	uint32_t os;
	uint64_t hwcap;
};

static struct {
	bool opened;
	const char *map;
	size_t end;
	size_t count;
} cache;

/* Sets where the strings end: with a NUL, so that all of them do. */
static bool is_sound(const char *map, size_t size)
{
	const struct header *header = (const void *)map;

	if (size <= sizeof(*header) ||
	    memcmp(header->magic, magic, sizeof(header->magic)) != 0)
		return false;
	cache.count = header->count;
	cache.end = sizeof(*header) + cache.count * sizeof(struct entry) +
		    header->strings;
	return cache.end <= size && map[cache.end - 1] == '\0';
}

static void open_cache(void)
{
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *map;

	cache.opened = true;
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		map = mmap(NULL, (size_t)status.st_size, PROT_READ,
			   MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED && is_sound(map, (size_t)status.st_size))
			cache.map = map;
	}
	close(fd);
}

const char *loader_cache_next(const char *name, size_t *at)
{
	const struct entry *entries;

	if (!cache.opened)
		open_cache();
	entries = (const void *)(cache.map + sizeof(struct header));
	while (cache.map != NULL && *at < cache.count) {
		const struct entry *entry = &entries[(*at)++];

		if (entry->name < cache.end && entry->path < cache.end &&
		    strcmp(cache.map + entry->name, name) == 0 &&
		    strstr(cache.map + entry->path, "/glibc-hwcaps/") == NULL)
			return cache.map + entry->path;
	}
	return NULL;
}
