/* SPDX-License-Identifier: BSD-2-Clause */
/* The handle of sdtkit/notes.h, as the other parts of the library see it. */
#ifndef SDTKIT_NOTES_HANDLE_PRIV_H
#define SDTKIT_NOTES_HANDLE_PRIV_H

#include "elf_file.h"
#include "sdtkit/notes.h"
#include "source.h"

/* Where a file was found: its debug file is searched for from there. */
struct sdtkit_origin {
	/* "/proc/17/root" for a file that another process sees, else "". */
	const char *root;
	/* NULL if it is not known. */
	const char *path;
};

/* Opens a handle of the source, which it owns from now on, also if it fails. */
int sdtkit_notes_begin(const struct sdtkit_source *source,
		       const struct sdtkit_origin *origin,
		       struct sdtkit_notes **notes);

/* The file itself; NULL for an archive. */
const struct sdtkit_elf *sdtkit_notes_elf(const struct sdtkit_notes *notes);

void sdtkit_notes_set_bias(struct sdtkit_notes *notes, uint64_t bias);

/* sdtkit_process_open_core(), taking the source over in any case. */
int sdtkit_process_begin_core(const struct sdtkit_source *source,
			      struct sdtkit_process **process);

#endif /* SDTKIT_NOTES_HANDLE_PRIV_H */
