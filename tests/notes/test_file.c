/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole ELF files of all classes, byte orders and kinds, read with notes.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "image_open.h"
#include "sdtkit/notes.h"

TEST(test_file__any_class_order_and_machine)
{
	static const struct {
		unsigned int bits;
		bool big_endian;
		uint16_t machine;
		const char *name;
	} files[] = {
		{ 64, false, EM_X86_64, "x86-64" },
		{ 32, false, EM_X86_64, "x86-64" },
		{ 32, false, EM_386, "i386" },
		{ 64, false, EM_AARCH64, "aarch64" },
		{ 64, true, EM_AARCH64, "aarch64" },
		{ 64, true, EM_S390, NULL },
		{ 32, true, EM_PPC, NULL },
		{ 32, false, EM_ARM, NULL },
		{ 64, false, EM_NONE, NULL },
		{ 64, true, 0xfeed, NULL },
	};
	size_t i;

	for (i = 0; i < ROWS(files); i++) {
		struct image image = {
			.bits = files[i].bits,
			.big_endian = files[i].big_endian,
			.machine = files[i].machine,
		};
		const struct sdtkit_notes_info *info;
		const struct sdtkit_site *site;
		struct sdtkit_notes *notes;

		image_make_program(&image);
		notes = image_open(&image);
		info = sdtkit_notes_info(notes);
		assert_int_equal(info->bits, files[i].bits);
		assert_int_equal(info->big_endian, files[i].big_endian);
		if (files[i].name != NULL)
			assert_string_equal(info->machine_name, files[i].name);
		site = image_next_site(notes);
		assert_string_equal(site->provider, "smb2");
		assert_string_equal(site->probe, "end");
		assert_string_equal(site->arguments, "8@%rdi -4@$5");
		image_check_addresses(&image, site);
		assert_int_equal(site->operand_count, 2);
		assert_int_equal(site->operands[0].size, 8);
		assert_int_equal(site->operands[1].size, 4);
		assert_true(site->operands[1].is_signed);
		assert_int_equal(sdtkit_notes_next(notes, &site), 0);
		assert_int_equal(sdtkit_notes_next(notes, &site), 0);
		sdtkit_notes_close(notes);
		image_free(&image);
	}
}

TEST(test_file__relocatable)
{
	struct image image = { .type = ET_REL };
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;

	image_make_program(&image);
	notes = image_open(&image);
	assert_true(sdtkit_notes_info(notes)->relocatable);
	site = image_next_site(notes);
	assert_string_equal(site->arguments, "8@%rdi -4@$5");
	assert_int_equal(site->address, 0);
	assert_int_equal(site->offset, SDTKIT_NO_OFFSET);
	assert_int_equal(site->semaphore, 0);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/*
 * The debug file that objcopy --only-keep-debug makes has all addresses and no
 * contents.
 */
TEST(test_file__debug_only)
{
	struct image image = { 0 };
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;

	image_make_program(&image);
	image_put(&image, image_section_field(&image, SECTION_TEXT, sh_type),
		  SHT_NOBITS, 4);
	notes = image_open(&image);
	assert_true(sdtkit_notes_info(notes)->debug_only);
	site = image_next_site(notes);
	assert_int_equal(site->address, IMAGE_TEXT_BIAS + image.text + 4);
	assert_int_equal(site->offset, SDTKIT_NO_OFFSET);
	assert_int_equal(site->semaphore_offset, SDTKIT_NO_OFFSET);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/*
 * The section of notes has no contents, because they are in another file: that
 * is not damage.
 */
TEST(test_file__notes_without_contents)
{
	static const struct {
		size_t at;
		unsigned int size;
		uint64_t value;
	} ways[] = {
		{ offsetof(Elf64_Shdr, sh_type), 4, SHT_NOBITS },
		{ offsetof(Elf64_Shdr, sh_size), 8, 0 },
		{ offsetof(Elf64_Shdr, sh_name), 4, 0 },
	};
	const struct sdtkit_site *site;
	size_t i;

	for (i = 0; i < ROWS(ways); i++) {
		struct image image = { 0 };
		struct sdtkit_notes *notes;

		image_make_program(&image);
		image_put(&image, image.section_headers + ways[i].at +
			  SECTION_NOTES * sizeof(Elf64_Shdr), ways[i].value,
			  ways[i].size);
		notes = image_open(&image);
		assert_true(sdtkit_notes_info(notes)->has_base);
		assert_int_equal(sdtkit_notes_next(notes, &site), 0);
		sdtkit_notes_close(notes);
		image_free(&image);
	}
}

TEST(test_file__no_section_headers)
{
	struct image image = { 0 };
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;

	image_make_program(&image);
	image_put(&image, image_header_field(&image, e_shoff), 0, 8);
	image_put(&image, image_header_field(&image, e_shnum), 0, 2);
	image_put(&image, image_header_field(&image, e_shstrndx), 0, 2);
	notes = image_open(&image);
	assert_false(sdtkit_notes_info(notes)->has_sections);
	assert_int_equal(sdtkit_notes_next(notes, &site), 0);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/*
 * Object files have a section of notes for each group; here .probes serves as
 * the second one.
 */
TEST(test_file__several_note_sections)
{
	struct image image = {
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
	};
	struct image_note note = image_note_end;
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;
	const char *first;
	size_t begin, size;

	image_begin(&image);
	begin = image.size;
	image_add_note(&image, &note);
	size = image.size - begin;
	note.location++;
	image_add_note(&image, &note);
	image_end(&image);
#define FIELD(section, member) image_section_field(&image, section, member)
#define COPY(member, size) \
	memcpy(image.data + FIELD(SECTION_PROBES, member), \
	       image.data + FIELD(SECTION_NOTES, member), size)
	COPY(sh_name, 4);
	COPY(sh_type, 4);
	COPY(sh_flags, 8);
#undef COPY
	image_put(&image, FIELD(SECTION_NOTES, sh_size), size, 8);
	image_put(&image, FIELD(SECTION_PROBES, sh_offset), begin + size, 8);
	image_put(&image, FIELD(SECTION_PROBES, sh_size), size, 8);
#undef FIELD
	notes = image_open(&image);
	first = image_next_site(notes)->probe;
	site = image_next_site(notes);
	assert_string_equal(site->probe, "end");
	/* The strings of earlier sites stay valid. */
	assert_ptr_not_equal(first, site->probe);
	assert_string_equal(first, "end");
	assert_int_equal(sdtkit_notes_next(notes, &site), 0);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/* Files can be opened by descriptor, whatever its position, and from memory. */
TEST(test_file__other_ways_to_open)
{
	struct image image = { 0 };
	struct sdtkit_notes *notes;
	char path[64];
	int fd;

	image_make_program(&image);
	image_write(image.data, image.size, path);
	fd = open(path, O_RDONLY);
	assert_int_equal(lseek(fd, 17, SEEK_SET), 17);
	assert_int_equal(sdtkit_notes_open_fd(fd, &notes), 0);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 17);
	/* The library has duplicated the descriptor. */
	close(fd);
	unlink(path);
	assert_string_equal(image_next_site(notes)->probe, "end");
	sdtkit_notes_close(notes);
	assert_int_equal(sdtkit_notes_open_fd(-1, &notes), -EBADF);

	assert_int_equal(sdtkit_notes_open_memory(image.data, image.size,
						  &notes), 0);
	assert_int_equal(image_next_site(notes)->offset, image.text + 4);
	sdtkit_notes_close(notes);
	assert_int_equal(sdtkit_notes_open_memory("", 0, &notes), -ENOEXEC);
	image_free(&image);
}

TEST(test_file__core)
{
	struct image image = { .type = ET_CORE };
	struct sdtkit_notes *notes;

	image_make_program(&image);
	notes = image_open(&image);
	assert_true(sdtkit_notes_info(notes)->core);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/* Damage in one note does not hide others, and an error sets no results. */
TEST(test_file__goes_on_behind_damage)
{
	struct image image = {
		.bits = 64, .machine = EM_X86_64, .type = ET_DYN,
	};
	static const struct image_note damaged = {
		.strings = "smb2", .length = 4,
	};
	const struct sdtkit_site *site = NULL;
	struct sdtkit_notes *notes;

	image_begin(&image);
	image_add_note(&image, &damaged);
	image_add_note(&image, &image_note_end);
	image_end(&image);
	notes = image_open(&image);
	assert_int_equal(sdtkit_notes_next(notes, &site), -EBADMSG);
	assert_null(site);
	assert_string_equal(sdtkit_notes_error(), "note at 0 of .note.stapsdt: "
			    "provider name is not terminated");
	assert_string_equal(image_next_site(notes)->probe, "end");
	assert_int_equal(sdtkit_notes_next(notes, &site), 0);
	sdtkit_notes_close(notes);
	image_free(&image);
}

TEST(test_file__close_null)
{
	sdtkit_notes_close(NULL);
}
