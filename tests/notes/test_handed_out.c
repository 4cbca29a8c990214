/* SPDX-License-Identifier: BSD-2-Clause */
/* What the library tells of files and processes besides their probes. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cmocka_all.h"
#include "image_open.h"
#include "sdtkit/notes.h"

static int find_code(const struct sdtkit_mapping *mapping, void *context)
{
	uint64_t here = (uint64_t)(uintptr_t)find_code;

	if (here < mapping->start || here >= mapping->end)
		return 0;
	*(struct sdtkit_mapping *)context = *mapping;
	return 17;
}

TEST(test_mappings__have_the_code)
{
	struct sdtkit_mapping mapping;
	struct stat st;

	assert_int_equal(stat("/proc/self/exe", &st), 0);
	assert_int_equal(sdtkit_mappings_read(getpid(), find_code, &mapping),
			 17);
	assert_true(mapping.executable);
	assert_false(mapping.deleted);
	assert_int_equal(mapping.inode, st.st_ino);
}

static int count(const struct sdtkit_mapping *mapping, void *context)
{
	size_t *counts = context;

	assert_true(mapping->start < mapping->end);
	assert_true(mapping->start >= counts[1]);
	counts[0]++;
	counts[1] = (size_t)mapping->end;
	return 0;
}

TEST(test_mappings__are_all_there_by_address)
{
	size_t counts[2] = { 0 };

	assert_int_equal(sdtkit_mappings_read(getpid(), count, counts), 0);
	/*
	 * There are mappings of the program, its libraries, the heap and the
	 * stack.
	 */
	assert_true(counts[0] > 4);
	assert_int_equal(sdtkit_mappings_read(0, count, counts), -ESRCH);
}

struct named {
	const char *path;
	size_t count;
};

static int count_named(const struct sdtkit_mapping *mapping, void *context)
{
	struct named *named = context;

	named->count += mapping->deleted &&
			strcmp(mapping->path, named->path) == 0;
	return 0;
}

static size_t count_objects(const char *path)
{
	const struct sdtkit_object *object;
	struct sdtkit_process *process;
	size_t count = 0;

	assert_int_equal(sdtkit_process_open(getpid(), &process), 0);
	while (sdtkit_process_next(process, &object) > 0)
		count += object->deleted && strcmp(object->path, path) == 0;
	sdtkit_process_close(process);
	return count;
}

/*
 * The kernel appends " (deleted)" once to the path of a removed file. What is
 * before that is the name, even if it ends in the same words.
 */
TEST(test_mappings__keep_a_name_that_looks_deleted)
{
	char path[64 + sizeof(" (deleted)")];
	struct named named = { .path = path };
	unsigned char page[4096] = { 0 };
	void *code;
	int fd;

	image_write(page, sizeof(page), path);
	unlink(path);
	strcat(path, " (deleted)");
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, page, sizeof(page)), sizeof(page));
	code = mmap(NULL, sizeof(page), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		    0);
	unlink(path);
	close(fd);
	if (code == MAP_FAILED)
		unavailable("files of the temporary directory cannot be code");
	assert_int_equal(sdtkit_mappings_read(getpid(), count_named, &named),
			 0);
	assert_int_equal(named.count, 1);
	assert_int_equal(count_objects(path), 1);
	munmap(code, sizeof(page));
}

TEST(test_file__hands_out_its_descriptor)
{
	struct sdtkit_notes *notes;
	struct stat of_name, of_descriptor;

	assert_int_equal(sdtkit_notes_open("/proc/self/exe", &notes), 0);
	assert_int_equal(stat("/proc/self/exe", &of_name), 0);
	assert_int_equal(fstat(sdtkit_notes_fd(notes), &of_descriptor), 0);
	assert_int_equal(of_name.st_ino, of_descriptor.st_ino);
	sdtkit_notes_close(notes);
}

/* All segments are at their addresses in the file plus one bias. */
TEST(test_file__hands_out_its_segments)
{
	const struct sdtkit_segment *segments;
	struct sdtkit_mapping code;
	struct sdtkit_notes *notes;
	size_t count, i, found = 0;

	sdtkit_mappings_read(getpid(), find_code, &code);
	assert_int_equal(sdtkit_notes_open("/proc/self/exe", &notes), 0);
	count = sdtkit_notes_segments(notes, &segments);
	for (i = 0; i < count; i++) {
		assert_true(segments[i].type == PT_LOAD ||
			    segments[i].type == PT_NOTE);
		assert_true(segments[i].size <= segments[i].memory_size);
		found += segments[i].type == PT_LOAD &&
			 (segments[i].flags & PF_X) != 0 &&
			 segments[i].offset / 4096 == code.offset / 4096;
	}
	assert_int_equal(found, 1);
	sdtkit_notes_close(notes);
}

/*
 * A file in memory has the two segments of image.h, no build ID and no
 * descriptor.
 */
TEST(test_memory__hands_out_what_it_has)
{
	struct image image = { 0 };
	const struct sdtkit_segment *segments;
	const unsigned char *id;
	struct sdtkit_notes *notes;

	image_make_program(&image);
	assert_int_equal(sdtkit_notes_open_memory(image.data, image.size,
						  &notes), 0);
	assert_int_equal(sdtkit_notes_segments(notes, &segments), 2);
	assert_true(segments[0].flags & PF_X);
	assert_true(segments[1].flags & PF_W);
	assert_int_equal(sdtkit_notes_build_id(notes, &id), 0);
	assert_int_equal(sdtkit_notes_fd(notes), -1);
	sdtkit_notes_close(notes);
	image_free(&image);
}

/*
 * Makes a program whose segment 1 is so many bytes of notes: one with the build
 * ID, then zeros. Returns the size of the build ID that is found.
 */
static size_t find_build_id(size_t size)
{
	static const unsigned char note[] = "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0abcd";
	struct image image = { 0 };
	struct image_segment segment = { .type = PT_NOTE, .size = size };
	const unsigned char *id;
	struct sdtkit_notes *notes;
	size_t found;

	image_make_program(&image);
	segment.offset = image.size;
	image_add_bytes(&image, note, sizeof(note) - 1);
	image_add_bytes(&image, NULL, size - (sizeof(note) - 1));
	image_put_segment(&image, 1, &segment);
	notes = image_open(&image);
	found = sdtkit_notes_build_id(notes, &id);
	if (found > 0)
		assert_memory_equal(id, "abcd", 4);
	sdtkit_notes_close(notes);
	image_free(&image);
	return found;
}

TEST(test_file__hands_out_the_build_id_of_a_segment)
{
	assert_int_equal(find_build_id(20), 4);
	assert_int_equal(find_build_id(1 << 20), 4);
	/*
	 * A file with so many notes is made to waste the time of readers: they
	 * are not searched.
	 */
	assert_int_equal(find_build_id((1 << 20) + 4), 0);
}
