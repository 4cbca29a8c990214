/* SPDX-License-Identifier: BSD-2-Clause */
/* The file that a mapping of a process shows, and its bias. */
#ifndef SDTKIT_NOTES_MAPPED_FILE_PRIV_H
#define SDTKIT_NOTES_MAPPED_FILE_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "elf_file.h"
#include "maps.h"
#include "source.h"

/*
 * Opens the file of a mapping.  process is a descriptor of /proc/PID, or less
 * than 0 for a core dump.  Sets *by_name if the file may be another one than
 * the one that was mapped, because only its name was known.
 */
int sdtkit_mapped_file_open(int process, const struct sdtkit_map *map,
			    bool *by_name, struct sdtkit_source *source);

/*
 * Writes a path below the directory of a process that leads to the file of a
 * mapping, see sdtkit_process_path().
 */
int sdtkit_mapped_file_path(int process, const struct sdtkit_map *map,
			    char *path, size_t size, bool *by_name);

/* Computes the bias of a file from its mapping. */
int sdtkit_mapped_file_bias(const struct sdtkit_map *map,
			    const struct sdtkit_elf *elf, uint64_t *bias);

#endif /* SDTKIT_NOTES_MAPPED_FILE_PRIV_H */
