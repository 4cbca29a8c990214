/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that is not an ELF file, or is damaged, is refused with a message and
 * never read out of bounds. Build this with -Db_sanitize=address,undefined to
 * see all errors. argument, if given, is a real program, which is mutated as
 * well.
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "image_open.h"
#include "sdtkit/notes.h"

#define UNREADABLE "damaged or truncated: its ELF header is not valid"

static void make_program(struct image *image, unsigned int bits,
			 bool big_endian)
{
	static const struct image_note notes[] = {
		{ .location = 0x1080, .base = IMAGE_BASE, .semaphore = 0x3080,
		  IMAGE_STRINGS("smb2\0start\0" "8@%rdi -4@$5") },
		{ .location = 0x1084, .base = IMAGE_BASE,
		  IMAGE_STRINGS("smb2\0end\0" "8@(%rax,%rbx,8)") },
	};
	size_t i;

	*image = (struct image) {
		.bits = bits,
		.big_endian = big_endian,
		.machine = EM_X86_64,
		.type = ET_DYN,
	};
	image_begin(image);
	for (i = 0; i < ROWS(notes); i++)
		image_add_note(image, &notes[i]);
	image_end(image);
}

TEST(test_hostile__no_file)
{
	static const struct {
		const char *path;
		int error;
		const char *message;
	} cases[] = {
		{ "/nonexistent", ENOENT, "No such file or directory" },
		{ "", ENOENT, "No such file or directory" },
		{ "/", EISDIR, "Is a directory" },
		{ "/dev/null", EINVAL, "not a regular file" },
		{ "/dev/zero", EINVAL, "not a regular file" },
	};
	struct sdtkit_notes *notes = NULL;
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		assert_int_equal(sdtkit_notes_open(cases[i].path, &notes),
				 -cases[i].error);
		assert_null(notes);
		assert_string_equal(sdtkit_notes_error(), cases[i].message);
	}
}

/* A FIFO without a writer: open(2) without O_NONBLOCK would wait for ever. */
TEST(test_hostile__fifo)
{
	struct sdtkit_notes *notes;
	char path[64];

	image_write("", 0, path);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(sdtkit_notes_open(path, &notes), -EINVAL);
	unlink(path);
}

TEST(test_hostile__contents)
{
#define CONTENTS(literal) literal, sizeof(literal) - 1
	static const struct {
		const char *data;
		size_t size;
		int error;
		const char *message;
	} cases[] = {
		{ CONTENTS(""), ENOEXEC, "not an ELF file: it is empty" },
		{ CONTENTS("\x7f"), ENOEXEC, "not an ELF file" },
		{ CONTENTS("#!/bin/sh\n"), ENOEXEC, "not an ELF file" },
		{ CONTENTS("!<arch>"), ENOEXEC, "not an ELF file" },
		{ CONTENTS("!<thin>\n"), EOPNOTSUPP, "a thin archive, which "
		  "only names object files (ar t): read those instead" },
		{ CONTENTS("\x7f" "ELF"), EBADMSG,
		  UNREADABLE },
		{ CONTENTS("\x7f" "ELF\x02\x01\x01"), EBADMSG,
		  UNREADABLE },
		{ CONTENTS("\x7f" "ELF\x07\x01\x01\0\0\0\0\0\0\0\0\0"),
		  EBADMSG, UNREADABLE },
	};
#undef CONTENTS
	struct sdtkit_notes *notes;
	char path[64];
	size_t i;

	for (i = 0; i < ROWS(cases); i++) {
		image_write(cases[i].data, cases[i].size, path);
		assert_int_equal(sdtkit_notes_open(path, &notes),
				 -cases[i].error);
		assert_string_equal(sdtkit_notes_error(), cases[i].message);
		unlink(path);
	}
}

#define FIELD(member) \
	offsetof(Elf64_Ehdr, member), sizeof(((Elf64_Ehdr *)NULL)->member)
#define NOTES_FIELD(member) \
	FROM_SECTIONS + SECTION_NOTES * sizeof(Elf64_Shdr) + \
	offsetof(Elf64_Shdr, member), sizeof(((Elf64_Shdr *)NULL)->member)
#define NULL_FIELD(member) \
	FROM_SECTIONS + offsetof(Elf64_Shdr, member), \
	sizeof(((Elf64_Shdr *)NULL)->member)

enum {
	/* Added to an offset that counts from the section headers. */
	FROM_SECTIONS = 1 << 20,
};

static const struct {
	const char *message;
	struct {
		size_t at;
		unsigned int size;
		uint64_t value;
	} patches[3];
} damages[] = {
#define SECTIONS "damaged or truncated: section headers are missing"
	{ SECTIONS, { { FIELD(e_shoff), UINT64_MAX } } },
	{ SECTIONS, { { FIELD(e_shoff), UINT64_MAX - 63 } } },
	{ SECTIONS, { { FIELD(e_shoff), 1 << 20 } } },
	{ SECTIONS, { { FIELD(e_shnum), 0xfeff } } },
	{ SECTIONS, { { FIELD(e_shnum), SECTION_COUNT + 1 } } },
	{ SECTIONS, { { FIELD(e_shentsize), 0 } } },
	{ SECTIONS, { { FIELD(e_shentsize), 63 } } },
	{ SECTIONS, { { FIELD(e_shnum), 0 },
		      { NULL_FIELD(sh_size), 1 << 20 } } },
#undef SECTIONS
#define SEGMENTS "damaged or truncated: program headers are missing"
	{ SEGMENTS, { { FIELD(e_phoff), UINT64_MAX } } },
	{ SEGMENTS, { { FIELD(e_phnum), 2000 } } },
	{ SEGMENTS, { { FIELD(e_phentsize), 1 } } },
#undef SEGMENTS
#define NAMES "damaged: the names of its sections cannot be read"
	{ NAMES, { { FIELD(e_shstrndx), 0 } } },
	{ NAMES, { { FIELD(e_shstrndx), SECTION_TEXT } } },
	{ NAMES, { { FIELD(e_shstrndx), SECTION_COUNT } } },
	{ NAMES, { { FIELD(e_shstrndx), 0xffff },
		   { NULL_FIELD(sh_link), UINT32_MAX } } },
#undef NAMES
	{ "section .note.stapsdt has type 0x1 instead of SHT_NOTE",
	  { { NOTES_FIELD(sh_type), SHT_PROGBITS } } },
#define BEYOND "section .note.stapsdt reaches beyond the end of the file"
	{ BEYOND, { { NOTES_FIELD(sh_offset), 1 << 20 } } },
	{ BEYOND, { { NOTES_FIELD(sh_offset), UINT64_MAX } } },
	{ BEYOND, { { NOTES_FIELD(sh_size), 1 << 20 } } },
	{ BEYOND, { { NOTES_FIELD(sh_size), UINT64_MAX } } },
	{ BEYOND, { { NOTES_FIELD(sh_offset), 8 },
		    { NOTES_FIELD(sh_size), UINT64_MAX - 7 } } },
#undef BEYOND
	{ "note at 0 of .note.stapsdt: its header is truncated",
	  { { NOTES_FIELD(sh_size), 11 } } },
	{ "note at 0 of .note.stapsdt: its sizes reach beyond the section",
	  { { NOTES_FIELD(sh_size), 40 } } },
	/*
	 * The offset of the section is 0, so the ELF header is read as notes.
	 */
	{ "note at 0 of .note.stapsdt: its sizes reach beyond the section",
	  { { NOTES_FIELD(sh_offset), 0 } } },
};

TEST(test_hostile__headers)
{
	size_t i, j;

	for (i = 0; i < ROWS(damages); i++) {
		struct image image;
		char path[64];

		make_program(&image, 64, false);
		for (j = 0; damages[i].patches[j].size > 0; j++) {
			size_t at = damages[i].patches[j].at;

			if (at >= FROM_SECTIONS)
				at += image.section_headers - FROM_SECTIONS;
			image_put(&image, at, damages[i].patches[j].value,
				  damages[i].patches[j].size);
		}
		image_write(image.data, image.size, path);
		if (image_read_all(path) != -EBADMSG ||
		    strcmp(sdtkit_notes_error(), damages[i].message) != 0)
			fail_msg("row %zu: not refused with %s, but with %s",
				 i, damages[i].message, sdtkit_notes_error());
		unlink(path);
		image_free(&image);
	}
}

/* Sets each byte in turn to each of a few values, and then restores it. */
static void mutate(unsigned char *data, size_t size)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0xff };
	char path[64];
	size_t at, i;
	int fd;

	image_write(data, size, path);
	fd = open(path, O_WRONLY);
	for (at = 0; at < size; at++) {
		for (i = 0; i < ROWS(values); i++) {
			if (data[at] == values[i])
				continue;
			assert_int_equal(pwrite(fd, &values[i], 1, (off_t)at),
					 1);
			image_read_all(path);
		}
		assert_int_equal(pwrite(fd, &data[at], 1, (off_t)at), 1);
	}
	close(fd);
	unlink(path);
}

/*
 * Cuts the file off after each byte: it is refused, or all its parts are there.
 */
static void cut(const unsigned char *data, size_t size)
{
	char path[64];

	image_write(data, size, path);
	while (size-- > 0) {
		assert_int_equal(truncate(path, (off_t)size), 0);
		image_read_all(path);
	}
	unlink(path);
}

TEST(test_hostile__every_byte)
{
	int i;

	for (i = 0; i < 4; i++) {
		struct image image;

		make_program(&image, i & 1 ? 32 : 64, i & 2);
		mutate(image.data, image.size);
		cut(image.data, image.size);
		image_free(&image);
	}
}

TEST(test_hostile__every_byte_of_a_test_argument)
{
	unsigned char *data;
	struct stat st;
	FILE *file;

	file = fopen(test_argument, "rb");
	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	data = malloc((size_t)st.st_size);
	assert_int_equal(fread(data, 1, (size_t)st.st_size, file), st.st_size);
	fclose(file);
	assert_int_equal(image_read_all(test_argument), 4);
	mutate(data, (size_t)st.st_size);
	cut(data, (size_t)st.st_size);
	free(data);
}
