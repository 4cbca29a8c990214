/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens if somebody truncates a file while it is read; see read_parts.h.
 *
 *	ftruncate(fd, 0)	by another process
 *	a load from the map	raises SIGBUS
 *	on_bus()		puts zeros in the place of the whole map
 *	the reader		goes on with the zeros, and returns -EIO
 *
 * A program that has a handler of SIGBUS keeps it, and is ended by that signal
 * if it does not handle it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

#include "read_parts.h"

/* The files that this thread reads. */
static _Thread_local struct sdtkit_record_map *maps;

/* Behind the handler the load is executed again. */
static void on_bus(int number, siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	struct sdtkit_record_map *map;

	for (map = maps; map != NULL; map = map->next) {
		if (address - (uintptr_t)map->file >= map->size)
			continue;
		map->is_truncated = true;
		if (mmap(map->file, map->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
			 MAP_NORESERVE, -1, 0) == map->file)
			return;
	}
	signal(number, SIG_DFL);
}

void sdtkit_record_watch(struct sdtkit_record_map *map)
{
	const struct sigaction action = {
		.sa_sigaction = on_bus,
		.sa_flags = SA_SIGINFO,
	};
	struct sigaction before;

	map->next = maps;
	maps = map;
	if (sigaction(SIGBUS, NULL, &before) == 0 &&
	    before.sa_handler == SIG_DFL)
		sigaction(SIGBUS, &action, NULL);
}

void sdtkit_record_unwatch(struct sdtkit_record_map *map)
{
	struct sdtkit_record_map **at = &maps;

	while (*at != NULL && *at != map)
		at = &(*at)->next;
	if (*at != NULL)
		*at = map->next;
}

int sdtkit_record_check(const struct sdtkit_record_map *map)
{
	return map->is_truncated ?
	       sdtkit_record_fail(EIO, "the file was truncated while it was "
				  "read") : 0;
}
