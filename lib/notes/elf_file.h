/* SPDX-License-Identifier: BSD-2-Clause */
/* An ELF file: its note sections, and where its addresses lie in the file. */
#ifndef SDTKIT_NOTES_ELF_FILE_PRIV_H
#define SDTKIT_NOTES_ELF_FILE_PRIV_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/notes.h"

/* The sections that are looked for, by their names. */
enum sdtkit_section_kind {
	/* An object file has one of these for each COMDAT group. */
	SDTKIT_SECTION_PROBES,
	SDTKIT_SECTION_DESCRIPTIONS,
	/* If there are several of these, the first one counts. */
	SDTKIT_SECTION_BASE,
	SDTKIT_SECTION_BUILD_ID,
	SDTKIT_SECTION_DEBUG_LINK,
	SDTKIT_SECTION_SEMAPHORES,
	SDTKIT_SECTION_KINDS,
};

struct sdtkit_section {
	enum sdtkit_section_kind kind;
	size_t index;
};

struct sdtkit_elf {
	/* libelf's, of the file or of a member of an archive. */
	Elf *elf;
	uint64_t size;
	struct sdtkit_notes_info info;
	/* Address of .stapsdt.base where info.has_base. */
	uint64_t base;
	/* PT_LOAD and PT_NOTE. */
	struct sdtkit_segment *segments;
	size_t segment_count;
	size_t section_count;
	/* The sections that are looked for, in the order of the file. */
	struct sdtkit_section *sections;
	size_t found_count;
	size_t capacity;
	size_t found[SDTKIT_SECTION_KINDS];
};

/* The bytes of a section, which stay until the close. */
struct sdtkit_bytes {
	const unsigned char *data;
	size_t size;
	/* Their address in memory, if they are loaded. */
	uint64_t address;
};

/*
 * Checks the tables of an ELF file of this size and takes the handle over; it
 * is to be closed on success only.
 */
int sdtkit_elf_open(struct sdtkit_elf *elf, Elf *handle, uint64_t size);

/*
 * Goes to the next section of this kind that has contents, from *position on,
 * which is 0 in the beginning: 1 and the bytes, 0 at the end, or -errno.
 */
int sdtkit_elf_next(const struct sdtkit_elf *elf,
		    enum sdtkit_section_kind kind, size_t *position,
		    struct sdtkit_bytes *bytes);

/*
 * The bytes of a segment in the file, which stay until the close: 1 and the
 * bytes, or -errno.
 */
int sdtkit_elf_segment(const struct sdtkit_elf *elf,
		       const struct sdtkit_segment *segment,
		       struct sdtkit_bytes *bytes);

/* Corrects an address of a note whose base was recorded as note_base. */
uint64_t sdtkit_elf_adjust(const struct sdtkit_elf *elf, uint64_t note_base,
			   uint64_t address);

/*
 * The file offset of an address that is in a segment with one of these flags.
 */
uint64_t sdtkit_elf_offset(const struct sdtkit_elf *elf, uint64_t address,
			   uint32_t flags);

void sdtkit_elf_close(struct sdtkit_elf *elf);

#endif /* SDTKIT_NOTES_ELF_FILE_PRIV_H */
