/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a site and its semaphore are, in memory and in the file, if at all. */
#include <elf.h>

#include "../cmocka_all.h"
#include "image_open.h"
#include "sdtkit/notes.h"

/* prelink has moved the library after its notes were written, up or down. */
TEST(test_where__prelinked)
{
	static const struct {
		unsigned int bits;
		uint64_t base;
		int64_t moved;
	} files[] = {
		{ 64, IMAGE_BASE, 0 },
		{ 64, IMAGE_BASE - 0x400, 0x400 },
		{ 64, IMAGE_BASE + 0x400, -0x400 },
		{ 32, IMAGE_BASE - 0x400, 0x400 },
		{ 32, IMAGE_BASE + 0x400, -0x400 },
		/* The sum exceeds 32 bits and wraps. */
		{ 32, 0xfffff000, IMAGE_BASE - 0xfffff000LL },
		/* The note has no base, so there is nothing to compare with. */
		{ 64, 0, 0 },
	};
	size_t i;

	for (i = 0; i < ROWS(files); i++) {
		struct image image = {
			.bits = files[i].bits,
			.machine = EM_X86_64,
			.type = ET_DYN,
		};
		uint64_t moved = (uint64_t)files[i].moved;
		struct image_note note = image_note_end;
		const struct sdtkit_site *site;
		struct sdtkit_notes *notes;

		image_begin(&image);
		note.base = files[i].base;
		note.location = IMAGE_TEXT_BIAS + image.text + 4 - moved;
		note.semaphore = IMAGE_DATA_BIAS + image.probes + 2 - moved;
		image_add_note(&image, &note);
		image_end(&image);
		notes = image_open(&image);
		site = image_next_site(notes);
		image_check_addresses(&image, site);
		sdtkit_notes_close(notes);
		image_free(&image);
	}
}

/*
 * A probe without a semaphore keeps 0 as its address, also when the file was
 * moved.
 */
TEST(test_where__no_semaphore)
{
	struct image image = {
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
	};
	struct image_note note = image_note_end;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;

	image_begin(&image);
	note.base = IMAGE_BASE + 0x400;
	note.semaphore = 0;
	image_add_note(&image, &note);
	image_end(&image);
	notes = image_open(&image);
	site = image_next_site(notes);
	assert_int_equal(site->semaphore, 0);
	assert_int_equal(site->semaphore_offset, SDTKIT_NO_OFFSET);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/*
 * An offset is given only if the file has it: of sites in code, of semaphores
 * in writable data.
 */
TEST(test_where__offsets_that_do_not_exist)
{
	static const uint64_t locations[] = {
		0, 0x100, IMAGE_DATA_BIAS + 0x200, UINT64_MAX,
	};
	struct image image = {
		.bits = 64, .machine = EM_X86_64, .type = ET_EXEC,
	};
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	size_t i;

	image_begin(&image);
	for (i = 0; i < ROWS(locations); i++) {
		struct image_note note = image_note_end;

		note.location = locations[i];
		note.semaphore = IMAGE_TEXT_BIAS + image.text;
		image_add_note(&image, &note);
	}
	image_end(&image);
	notes = image_open(&image);
	for (i = 0; i < ROWS(locations); i++) {
		site = image_next_site(notes);
		assert_int_equal(site->address, locations[i]);
		assert_int_equal(site->offset, SDTKIT_NO_OFFSET);
		assert_int_equal(site->semaphore, IMAGE_TEXT_BIAS + image.text);
		assert_int_equal(site->semaphore_offset, SDTKIT_NO_OFFSET);
	}
	sdtkit_notes_close(notes);
	image_free(&image);
}

TEST(test_where__segment_beyond_the_end)
{
	struct image image = { 0 };
	struct sdtkit_notes *notes;

	image_make_program(&image);
	image_put(&image, image_segment_field(&image, 0, p_offset),
		  image.size - 4, 8);
	notes = image_open(&image);
	assert_int_equal(image_next_site(notes)->offset, SDTKIT_NO_OFFSET);
	sdtkit_notes_close(notes);
	image_free(&image);
}
