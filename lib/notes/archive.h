/* SPDX-License-Identifier: BSD-2-Clause */
/* A static library, member by member. */
#ifndef SDTKIT_NOTES_ARCHIVE_PRIV_H
#define SDTKIT_NOTES_ARCHIVE_PRIV_H

#include <libelf.h>

#include "elf_file.h"
#include "source.h"

/* A member that is an ELF file; what was read of it stays until the close. */
struct sdtkit_member {
	struct sdtkit_elf elf;
	char *name;
	struct sdtkit_member *older;
};

struct sdtkit_archive {
	const struct sdtkit_source *source;
	Elf *elf;
	Elf_Cmd command;
	/* Behind the last member that was looked at. */
	int64_t position;
	struct sdtkit_member *newest;
};

/*
 * Takes libelf's handle over in any case; source must stay.  -EBADMSG if the
 * members do not follow each other to the end.
 */
int sdtkit_archive_open(struct sdtkit_archive *archive,
			const struct sdtkit_source *source, Elf *handle);

/*
 * Goes to the next member that is an ELF file and has notes: 1 and ->newest,
 * 0 at the end, or -errno, behind which it goes on if possible.
 */
int sdtkit_archive_next(struct sdtkit_archive *archive);

void sdtkit_archive_close(struct sdtkit_archive *archive);

#endif /* SDTKIT_NOTES_ARCHIVE_PRIV_H */
