/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files with more of everything than any program has: they are read in linear
 * time up to a limit, and refused with a message beyond it, before memory is
 * allocated.
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "image_open.h"

/*
 * A huge section in a sparse file: its size is true, but it must not be read.
 */
TEST(test_limits__huge_section)
{
	struct image image = { 0 };
	char path[64];

	image_make_program(&image);
	image_put(&image, image_section_field(&image, SECTION_NOTES, sh_size),
		  1ULL << 32, 8);
	image_write(image.data, image.size, path);
	assert_int_equal(truncate(path, (off_t)1 << 33), 0);
	assert_int_equal(image_read_all(path), -EFBIG);
	assert_string_equal(sdtkit_notes_error(), "section .note.stapsdt has "
			    "4294967296 bytes, of which at most 268435456 are "
			    "read");
	unlink(path);
	image_free(&image);
}

/*
 * The headers could be in a sparse file, and libelf would allocate all of them.
 */
TEST(test_limits__many_sections)
{
	static const uint64_t counts[] = {
		(1 << 20) + 1, 1ULL << 60, UINT64_MAX,
	};
	size_t i;

	for (i = 0; i < ROWS(counts) * 4; i++) {
		uint64_t count = counts[i / 4];
		struct image image = {
			.bits = i & 1 ? 32 : 64, .big_endian = i & 2,
		};
		char path[64];

		image_make_program(&image);
		image_put(&image, image_header_field(&image, e_shnum), 0, 2);
		image_put(&image, image_section_field(&image, 0, sh_size),
			  count, image.bits / 8);
		image_write(image.data, image.size, path);
		assert_int_equal(truncate(path, (off_t)1 << 33), 0);
		/* 1 << 60 becomes 0 in a field of 32 bits. */
		if ((uint32_t)count != 0 || image.bits == 64) {
			assert_int_equal(image_read_all(path), -EFBIG);
			assert_string_equal(sdtkit_notes_error(),
					    "more than 1048576 sections");
		}
		unlink(path);
		image_free(&image);
	}
}

TEST(test_limits__many_program_headers)
{
	static const uint16_t counts[] = { 2049, 0xfffe, 0xffff };
	size_t i;

	for (i = 0; i < ROWS(counts); i++) {
		struct image image = { 0 };
		char path[64];

		image_make_program(&image);
		image_put(&image, image_header_field(&image, e_phnum),
			  counts[i], 2);
		image_write(image.data, image.size, path);
		assert_int_equal(truncate(path, 1 << 23), 0);
		assert_int_equal(image_read_all(path), -EFBIG);
		assert_string_equal(sdtkit_notes_error(),
				    "more than 2048 program headers");
		unlink(path);
		image_free(&image);
	}
}

/* The time must be linear: with quadratic time this test would take long. */
TEST(test_limits__many_notes)
{
	struct image_note note = {
		.location = 0x1080, IMAGE_STRINGS("p\0n\0" "8@%rdi"),
	};
	static const unsigned char foreign[12];
	struct image image = {
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
	};
	char path[64];
	int i;

	image_begin(&image);
	for (i = 0; i < 20000; i++) {
		image_add_bytes(&image, foreign, sizeof(foreign));
		image_add_note(&image, &note);
		note.location++;
	}
	image_end(&image);
	image_write(image.data, image.size, path);
	assert_int_equal(image_read_all(path), 20000);
	unlink(path);
	image_free(&image);
}

TEST(test_limits__many_operands)
{
	static char strings[4 + 65 * 5] = "p\0n";
	struct image_note note = { .strings = strings };
	size_t count;

	for (count = 64; count <= 65; count++) {
		struct image image = {
			.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
		};
		char path[64];
		size_t i;

		for (i = 0; i < count; i++)
			memcpy(strings + 4 + i * 5, "8@$1 ", 5);
		strings[4 + count * 5 - 1] = '\0';
		note.length = 4 + count * 5;
		image_begin(&image);
		image_add_note(&image, &note);
		image_end(&image);
		image_write(image.data, image.size, path);
		assert_int_equal(image_read_all(path), count == 64 ? 1 : -E2BIG);
		unlink(path);
		image_free(&image);
	}
}
