/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a file, read from a descriptor or from memory. */
#ifndef SDTKIT_NOTES_SOURCE_PRIV_H
#define SDTKIT_NOTES_SOURCE_PRIV_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

struct sdtkit_source {
	/* -1: it is in memory. */
	int fd;
	const unsigned char *memory;
	uint64_t size;
};

/* Three ways to open a source, which has to be closed on success only. */
int sdtkit_source_open(struct sdtkit_source *source, const char *path);
int sdtkit_source_dup(struct sdtkit_source *source, int fd);
void sdtkit_source_memory(struct sdtkit_source *source, const void *data,
			  size_t size);

/* libelf's handle of all of it: an ELF file or an archive, else -ENOEXEC. */
int sdtkit_source_elf(const struct sdtkit_source *source, Elf **elf);

/*
 * -EFBIG if at offset there is an ELF file that claims to have more sections
 * than any real one: libelf allocates memory for all of them when it opens it.
 */
int sdtkit_source_check_sections(const struct sdtkit_source *source,
				 uint64_t offset);

/* Reads size bytes at offset; -ENODATA if they are not all there. */
int sdtkit_source_read(const struct sdtkit_source *source, uint64_t offset,
		       void *to, size_t size);

void sdtkit_source_close(struct sdtkit_source *source);

#endif /* SDTKIT_NOTES_SOURCE_PRIV_H */
