/* SPDX-License-Identifier: BSD-2-Clause */
/* The separate debug file of a program that has lost its notes. */
#ifndef SDTKIT_NOTES_DEBUG_FILE_PRIV_H
#define SDTKIT_NOTES_DEBUG_FILE_PRIV_H

#include "elf_file.h"
#include "handle.h"
#include "source.h"

struct sdtkit_debug_file {
	char *path;
	struct sdtkit_source source;
	struct sdtkit_elf elf;
};

/*
 * Looks for the one that belongs to elf and has notes: 1 and the file, 0 if
 * there is none, or -ENOMEM.
 */
int sdtkit_debug_file_find(const struct sdtkit_elf *elf,
			   const struct sdtkit_origin *origin,
			   struct sdtkit_debug_file *file);

void sdtkit_debug_file_close(struct sdtkit_debug_file *file);

#endif /* SDTKIT_NOTES_DEBUG_FILE_PRIV_H */
