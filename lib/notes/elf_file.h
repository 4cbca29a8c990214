/* SPDX-License-Identifier: BSD-2-Clause */
/* An ELF file: its note sections, and where its addresses lie in the file. */
#ifndef SDTKIT_NOTES_ELF_FILE_PRIV_H
#define SDTKIT_NOTES_ELF_FILE_PRIV_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/notes.h"

/* What of a segment is in the file. */
struct sdtkit_segment {
	uint64_t address;
	uint64_t offset;
	uint64_t size;
	uint32_t flags;
};

struct sdtkit_elf {
	int fd;
	uint64_t size;
	Elf *elf;
	struct sdtkit_notes_info info;
	/* Address of .stapsdt.base where info.has_base. */
	uint64_t base;
	struct sdtkit_segment *segments;
	size_t segment_count;
	/* Where the walk over the sections is. */
	size_t section;
	size_t section_count;
	size_t section_names;
};

/* Opens and checks; *elf is to be closed on success only. */
int sdtkit_elf_open(struct sdtkit_elf *elf, const char *path);

/*
 * Goes to the next section .note.stapsdt that has contents: 1 and the bytes,
 * which stay until the close, 0 at the end, or -errno.
 */
int sdtkit_elf_next_notes(struct sdtkit_elf *elf, const unsigned char **data,
			  size_t *size);

/* Corrects an address of a note whose base was recorded as note_base. */
uint64_t sdtkit_elf_adjust(const struct sdtkit_elf *elf, uint64_t note_base,
			   uint64_t address);

/* Where an address is in the file, in a segment with (one of) these flags. */
uint64_t sdtkit_elf_offset(const struct sdtkit_elf *elf, uint64_t address,
			   uint32_t flags);

void sdtkit_elf_close(struct sdtkit_elf *elf);

#endif /* SDTKIT_NOTES_ELF_FILE_PRIV_H */
