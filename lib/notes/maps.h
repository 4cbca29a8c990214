/* SPDX-License-Identifier: BSD-2-Clause */
/* The objects of a process: files that it has mapped to execute them. */
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
	/* The first mapping of the object: its offset in the file, its end. */
	uint64_t offset;
	uint64_t first_end;
	/* The offset of the last mapping. */
	uint64_t last_offset;
	/* One of its mappings is executable, as far as a core dump tells. */
	bool executable;
};

/* An executable mapping, of a file or not. */
struct sdtkit_code {
	uint64_t start;
	uint64_t end;
	uint64_t device;
	uint64_t inode;
};

struct sdtkit_maps {
	struct sdtkit_map *map;
	size_t count;
	size_t capacity;
	/* By address; none in a core dump. */
	struct sdtkit_code *code;
	size_t code_count;
	size_t code_capacity;
};

/*
 * Reads the objects of a process; process is a descriptor of its directory in
 * /proc.  After a failure, the maps have to be cleared.
 */
int sdtkit_maps_read(struct sdtkit_maps *maps, int process);

/*
 * Reads the objects of a core dump; -ENODATA if it does not name them.  After a
 * failure, the maps have to be cleared.
 */
int sdtkit_maps_read_core(struct sdtkit_maps *maps,
			  const struct sdtkit_source *source,
			  const struct sdtkit_elf *core);

/*
 * Adds a mapping of [start, end).  It becomes a part of the object that was
 * added last if it is of the same file, else a new object.
 * sdtkit_maps_finish() drops objects that are not executable.  The path is
 * copied, without " (deleted)" at its end.
 */
int sdtkit_maps_add(struct sdtkit_maps *maps, const struct sdtkit_map *map);
void sdtkit_maps_finish(struct sdtkit_maps *maps);

/*
 * Whether an executable mapping in [start, end), which is a part of the object,
 * shows something else than its file: a copy in anonymous memory, mostly.
 */
bool sdtkit_maps_is_foreign(const struct sdtkit_maps *maps,
			    const struct sdtkit_map *map, uint64_t start,
			    uint64_t end);

void sdtkit_maps_clear(struct sdtkit_maps *maps);

#endif /* SDTKIT_NOTES_MAPS_PRIV_H */
