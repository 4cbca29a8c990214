/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file of an object that is loaded into this process: the program, or a
 * shared library.  The file is needed because notes are not loaded.
 */
#ifndef SDTKIT_TAP_IMAGE_PRIV_H
#define SDTKIT_TAP_IMAGE_PRIV_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "note.h"

struct sdtkit_tap_image {
	/* From dl_iterate_phdr(); valid in its callback only. */
	const struct dl_phdr_info *info;
	/* For messages. */
	char *path;
	int fd;
	uint64_t size;
	/* What was read of the file: the following are parts of it. */
	struct sdtkit_tap_piece *pieces;
	const ElfW(Ehdr) *header;
	/* Address of .stapsdt.base in the file; 0: there is none. */
	uint64_t base;
	const ElfW(Shdr) *sections;
	size_t section_count;
	const char *names;
	size_t names_size;
};

/*
 * Opens the file of a loaded object and makes sure that it is that file.
 * Errors: those of open(2); -ENOEXEC (not ELF, or has no section
 * headers), -ESTALE (another file than the one that was loaded).
 */
int sdtkit_tap_image_open(const struct dl_phdr_info *info,
			  struct sdtkit_tap_image *image);

/*
 * Goes to the next section of this name, from *position on, 0 at first. What it
 * has is valid until the close.
 */
bool sdtkit_tap_image_next(struct sdtkit_tap_image *image,
			   const char *name, size_t *position,
			   struct sdtkit_note_reader *reader);

/* The address in memory of an address in a note. */
uintptr_t sdtkit_tap_image_address(const struct sdtkit_tap_image *image,
				   uint64_t base, uint64_t address);

/* The segment in memory that has [address, address + size), or NULL. */
const ElfW(Phdr) *sdtkit_tap_image_segment(const struct dl_phdr_info *info,
					   uintptr_t address, size_t size);

/* A checksum that tells objects of the same path apart. */
uint64_t sdtkit_tap_image_mark(const struct dl_phdr_info *info);

void sdtkit_tap_image_close(struct sdtkit_tap_image *image);

#endif /* SDTKIT_TAP_IMAGE_PRIV_H */
