/* SPDX-License-Identifier: BSD-2-Clause */
/* Core dumps of any class and byte order, and damaged ones. */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "dump_image.h"
#include "image.h"
#include "sdtkit/notes.h"

static int open_dump(struct dump_image *dump, struct sdtkit_process **process)
{
	int ret;

	image_write(dump->image.data, dump->image.size, dump->path);
	ret = sdtkit_process_open_core(dump->path, process);
	unlink(dump->path);
	return ret;
}

/* Opens a dump and goes to its first object, which is the program. */
static const struct sdtkit_object *open_at_program(struct dump_image *dump,
					struct sdtkit_process **process)
{
	const struct sdtkit_object *object;

	if (open_dump(dump, process) < 0)
		fail_msg("%s", sdtkit_notes_error());
	assert_int_equal(sdtkit_process_next(*process, &object), 1);
	return object;
}

TEST(test_core__any_class_and_order)
{
	int i;

	for (i = 0; i < 4; i++) {
		const struct sdtkit_object *object;
		const struct sdtkit_site *site;
		struct sdtkit_process *process;
		struct sdtkit_notes *notes;
		struct dump_image dump;
		uint16_t value;

		dump_image_make(&dump, i & 1 ? 32 : 64, i & 2);
		object = open_at_program(&dump, &process);
		assert_string_equal(object->path, dump.program);
		assert_int_equal(object->start, DUMP_BIAS + 0x1000);
		assert_int_equal(object->end, DUMP_BIAS + 0x3000 + DUMP_PAGE);
		assert_int_equal(sdtkit_process_notes(process, &notes), 0);
		assert_int_equal(sdtkit_notes_info(notes)->bias, DUMP_BIAS);
		assert_int_equal(sdtkit_notes_next(notes, &site), 1);
		assert_int_equal(sdtkit_process_semaphore(process, notes, site,
							  &value), 0);
		assert_int_equal(value, DUMP_VALUE);
		sdtkit_notes_close(notes);
		/* The mapped data is not an object. */
		assert_int_equal(sdtkit_process_next(process, &object), 0);
		sdtkit_process_close(process);
		dump_image_free(&dump);
	}
}

/*
 * gdb leaves out segments that can be read from the file; such a one may be
 * code.
 */
TEST(test_core__segments_left_out)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct dump_image dump;

	dump_image_make(&dump, 64, false);
	image_put_segment(&dump.image, 1, &(struct image_segment) { 0 });
	image_put_segment(&dump.image, 3, &(struct image_segment) { 0 });
	object = open_at_program(&dump, &process);
	assert_string_equal(object->path, dump.program);
	assert_int_equal(sdtkit_process_next(process, &object), 1);
	assert_string_equal(object->path, "/data");
	assert_int_equal(sdtkit_process_notes(process, &notes), -ENOENT);
	assert_int_equal(sdtkit_process_next(process, &object), 0);
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

/* More mappings than e_phnum can count: the number is in section 0. */
TEST(test_core__many_segments)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct dump_image dump;

	dump_image_make(&dump, 64, false);
	image_put(&dump.image, image_header_field(&dump.image, e_phnum),
		  PN_XNUM, 2);
	image_put(&dump.image, image_header_field(&dump.image, e_shoff),
		  dump.image.section_headers, 8);
	image_put(&dump.image, image_header_field(&dump.image, e_shnum), 1, 2);
	image_put(&dump.image, image_section_field(&dump.image, 0, sh_info), 4,
		  4);
	object = open_at_program(&dump, &process);
	assert_string_equal(object->path, dump.program);
	assert_int_equal(sdtkit_process_next(process, &object), 0);
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

/* The mapping begins at another page than each of the program's segments. */
TEST(test_core__mapped_otherwise)
{
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct dump_image dump;

	dump_image_make(&dump, 64, false);
	image_put(&dump.image, dump.count + 4 * 8, 1, 8);
	image_put(&dump.image, dump.count + 7 * 8, 1, 8);
	open_at_program(&dump, &process);
	assert_int_equal(sdtkit_process_notes(process, &notes), -ESTALE);
	assert_string_equal(sdtkit_notes_error(), "its mapping does not match "
			    "its program headers");
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

TEST(test_core__semaphore_not_dumped)
{
	const struct sdtkit_site *site;
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct dump_image dump;
	uint16_t value = 77;

	dump_image_make(&dump, 64, false);
	image_put(&dump.image, image_segment_field(&dump.image, 2, p_filesz),
		  16, 8);
	open_at_program(&dump, &process);
	assert_int_equal(sdtkit_process_notes(process, &notes), 0);
	assert_int_equal(sdtkit_notes_next(notes, &site), 1);
	assert_int_equal(sdtkit_process_semaphore(process, notes, site, &value),
			 -ENODATA);
	assert_int_equal(value, 77);
	sdtkit_notes_close(notes);
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

/*
 * The path now has another file, which has nothing at the offset of the first
 * one's build ID.
 */
TEST(test_core__other_file)
{
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct dump_image dump;

	dump_image_make(&dump, 64, false);
	open_at_program(&dump, &process);
	assert_int_equal(truncate(dump.program, 0), 0);
	assert_int_equal(sdtkit_process_notes(process, &notes), -ENOEXEC);
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

/* The path was deleted, and now has another file or the same one again. */
TEST(test_core__deleted)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct dump_image dump;

	dump_image_make_named(&dump, 64, false, "%s (deleted)");
	object = open_at_program(&dump, &process);
	assert_string_equal(object->path, dump.program);
	assert_true(object->deleted);
	assert_int_equal(sdtkit_process_notes(process, &notes), 0);
	sdtkit_notes_close(notes);
	unlink(dump.program);
	assert_int_equal(sdtkit_process_notes(process, &notes), -ENOENT);
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

/*
 * The dump names a device, which must not be opened: that could have an effect.
 */
TEST(test_core__names_a_device)
{
	struct sdtkit_process *process;
	struct sdtkit_notes *notes;
	struct dump_image dump;

	dump_image_make_named(&dump, 64, false, "/dev/null");
	open_at_program(&dump, &process);
	assert_int_equal(sdtkit_process_notes(process, &notes), -EINVAL);
	assert_string_equal(sdtkit_notes_error(), "not a regular file");
	sdtkit_process_close(process);
	dump_image_free(&dump);
}

/* A field that is damaged. */
enum field { HEADER_TYPE, NOTE_SIZE, NOTE_TYPE, FILE_COUNT };

TEST(test_core__damaged)
{
#define NAMES "damaged: the note of the mapped files (NT_FILE) is not complete"
	static const struct {
		enum field field;
		uint64_t value;
		int error;
		const char *message;
	} cases[] = {
		{ HEADER_TYPE, ET_DYN, EINVAL, "not a core dump" },
		{ NOTE_SIZE, 0xffffffff, EBADMSG, "note at 0 of its notes: its "
		  "sizes reach beyond the section" },
		{ NOTE_TYPE, 1, ENODATA, "the core dump does not name the "
		  "files that were mapped: it has no note NT_FILE" },
		{ FILE_COUNT, 4, EBADMSG, NAMES },
		{ FILE_COUNT, 1 << 20, EBADMSG, NAMES },
		{ FILE_COUNT, UINT64_MAX / 24, EBADMSG, NAMES },
		{ FILE_COUNT, UINT64_MAX, EBADMSG, NAMES },
	};
#undef NAMES
	size_t i, at;

	for (i = 0; i < ROWS(cases); i++) {
		struct sdtkit_process *process = NULL;
		unsigned int size = 4;
		struct dump_image dump;

		dump_image_make(&dump, 64, false);
		at = dump.count - 12;
		if (cases[i].field == HEADER_TYPE) {
			at = offsetof(Elf64_Ehdr, e_type);
			size = 2;
		} else if (cases[i].field == NOTE_SIZE) {
			at = dump.note + 4;
		} else if (cases[i].field == FILE_COUNT) {
			at = dump.count;
			size = 8;
		}
		image_put(&dump.image, at, cases[i].value, size);
		assert_int_equal(open_dump(&dump, &process), -cases[i].error);
		assert_string_equal(sdtkit_notes_error(), cases[i].message);
		assert_null(process);
		dump_image_free(&dump);
	}
}

/* Each byte of the header and the notes is set to each of these in turn. */
TEST(test_core__every_byte)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0xff };
	struct sdtkit_process *process;
	const struct sdtkit_object *object;
	struct dump_image dump;
	size_t at, i;

	dump_image_make(&dump, 64, false);
	for (at = 0; at < dump.strings + 8; at++) {
		unsigned char old = dump.image.data[at];

		for (i = 0; i < ROWS(values); i++) {
			dump.image.data[at] = values[i];
			if (open_dump(&dump, &process) < 0)
				continue;
			while (sdtkit_process_next(process, &object) > 0)
				assert_non_null(object->path);
			sdtkit_process_close(process);
		}
		dump.image.data[at] = old;
	}
	dump_image_free(&dump);
}
