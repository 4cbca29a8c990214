/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that a process has mapped to execute them. */
#ifndef SDTKIT_NOTES_MAPS_PRIV_H
#define SDTKIT_NOTES_MAPS_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "elf_file.h"
#include "sdtkit/notes.h"
#include "source.h"

struct sdtkit_map {
	/* path is the map's own. */
	struct sdtkit_object object;
	/*
	 * Of the first of the mappings that make up the object: where in the
	 * file it begins, and its end.
	 */
	uint64_t offset;
	uint64_t first_end;
	/* Where in the file the last one begins. */
	uint64_t last_offset;
	/* One of them is to be executed; of a dump: as far as it tells. */
	bool executable;
};

struct sdtkit_maps {
	struct sdtkit_map *map;
	size_t count;
	size_t room;
};

/* Of a process, whose directory in /proc this is.  On failure, clear it. */
int sdtkit_maps_read(struct sdtkit_maps *maps, int process);

/* Of a core dump; -ENODATA where it does not tell.  On failure, clear it. */
int sdtkit_maps_read_core(struct sdtkit_maps *maps,
			  const struct sdtkit_source *source,
			  const struct sdtkit_elf *core);

/*
 * Adds a mapping of [start, end), to the object that was added last if it is
 * one of its file.  Of all objects, those that are not executable are dropped
 * by sdtkit_maps_finish().  The path is copied, and what says at its end that
 * the file was deleted is taken off.
 */
int sdtkit_maps_add(struct sdtkit_maps *maps, const struct sdtkit_map *map);
void sdtkit_maps_finish(struct sdtkit_maps *maps);

void sdtkit_maps_clear(struct sdtkit_maps *maps);

#endif /* SDTKIT_NOTES_MAPS_PRIV_H */
