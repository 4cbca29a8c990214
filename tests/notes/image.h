/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes ELF files for the tests byte by byte, so that every class, byte order
 * and machine is available on every host, and every field can be damaged.
 *
 *	header
 *	program headers	LOAD R E at 0x1000 + offset, LOAD RW at 0x3000 + offset
 *	.text		IMAGE_TEXT_SIZE bytes
 *	.probes		IMAGE_PROBES_SIZE bytes
 *	.note.stapsdt	the notes that were added first
 *	.note.sdtkit	those that were added after image_descriptions()
 *	.shstrtab
 *	section headers	in this order, behind that of section 0
 */
#ifndef SDTKIT_TESTS_NOTES_IMAGE_H
#define SDTKIT_TESTS_NOTES_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	IMAGE_TEXT_BIAS = 0x1000,
	IMAGE_DATA_BIAS = 0x3000,
	IMAGE_TEXT_SIZE = 16,
	IMAGE_PROBES_SIZE = 8,
	IMAGE_BASE = 0x2004,
};

/* Indexes of the section headers. */
enum {
	SECTION_NULL,
	SECTION_TEXT,
	SECTION_BASE,
	SECTION_PROBES,
	SECTION_NOTES,
	SECTION_DESCRIPTIONS,
	SECTION_NAMES,
	SECTION_COUNT,
};

struct image {
	/* These are set before image_begin(). */
	unsigned int bits;
	bool big_endian;
	uint16_t machine;
	uint16_t type;

	unsigned char *data;
	size_t size;
	size_t capacity;
	/* File offsets. */
	size_t program_headers;
	size_t text;
	size_t probes;
	size_t notes;
	/* 0: there are no descriptions, and .note.sdtkit is empty. */
	size_t descriptions;
	size_t names;
	size_t section_headers;
};

struct image_note {
	uint64_t location;
	uint64_t base;
	uint64_t semaphore;
	/* The provider, the probe and the arguments, each with a NUL. */
	const char *strings;
	size_t length;
};

struct image_segment {
	uint32_t type;
	uint32_t flags;
	uint64_t address;
	size_t offset;
	/* In the file and in memory. */
	size_t size;
	size_t memory;
};

/* The strings of a note from a literal: IMAGE_STRINGS("p\0n\0" "8@%rdi") */
#define IMAGE_STRINGS(literal) .strings = (literal), .length = sizeof(literal)

/* Writes everything that comes before the notes. */
void image_begin(struct image *image);
void image_add_note(struct image *image, const struct image_note *note);
/* Ends the notes of sites: what is added from here on are description notes. */
void image_descriptions(struct image *image);
/* Adds a description note of version 1 with these strings, each with a NUL. */
void image_add_description(struct image *image, const char *strings,
			   size_t length);
void image_add_bytes(struct image *image, const void *bytes, size_t size);
/* Writes everything that comes after the notes. */
void image_end(struct image *image);
void image_free(struct image *image);

/* Adds a number of size bytes in the byte order of the file. */
void image_add_number(struct image *image, uint64_t value, unsigned int size);
void image_put(struct image *image, size_t at, uint64_t value,
	       unsigned int size);

void image_put_segment(struct image *image, size_t index,
		       const struct image_segment *segment);

/* Returns the file offset of a member of Elf64_Shdr or Elf32_Shdr. */
#define image_section_field(image, index, member) \
	((image)->section_headers + ((image)->bits == 64 ? \
	 (index) * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, member) : \
	 (index) * sizeof(Elf32_Shdr) + offsetof(Elf32_Shdr, member)))
#define image_segment_field(image, index, member) \
	((image)->program_headers + ((image)->bits == 64 ? \
	 (index) * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, member) : \
	 (index) * sizeof(Elf32_Phdr) + offsetof(Elf32_Phdr, member)))
#define image_header_field(image, member) \
	((image)->bits == 64 ? offsetof(Elf64_Ehdr, member) : \
	 offsetof(Elf32_Ehdr, member))

/* Writes size bytes to a new temporary file; path has space for 64. */
void image_write(const void *data, size_t size, char *path);

#endif /* SDTKIT_TESTS_NOTES_IMAGE_H */
