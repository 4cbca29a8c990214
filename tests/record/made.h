/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recorder without a tap: sites and probes made by hand, in a file in memory.
 */
#ifndef SDTKIT_TESTS_RECORD_MADE_H
#define SDTKIT_TESTS_RECORD_MADE_H

#include "../cmocka_all.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "create.h"
#include "open_recorder.h"
#include "read.h"
#include "write.h"

/* That of the test. */
static struct {
	struct sdtkit_record_output output;
	struct sdtkit_record_writer writer;
	struct sdtkit_record_site_more more;
	struct sdtkit_record_site site;
} made;

/* Its reader, and what that has returned last. */
static struct sdtkit_record_reader *reader;
static struct sdtkit_record_item item;
static struct sdtkit_record_info info;

static inline void close_reader(void)
{
	sdtkit_record_close(reader);
	reader = NULL;
}

static inline int unmake(void **state)
{
	close_reader();
	if (made.output.file != NULL)
		sdtkit_record_release(&made.output);
	return 0;
}

/* A test that makes a recorder. */
#define MADE(name)	TEST_WITH(name, NULL, unmake)

/* "step" with a number and a string; texts as catalogue.c writes them. */
static inline void describe_step(struct sdtkit_record_file *file)
{
	static const struct sdtkit_record_probe probe = {
		.site_count = 1, .field_count = 2, .described = 1,
	};
	static const struct sdtkit_record_field number = {
		.kind = SDTKIT_TAP_UNSIGNED, .size = 8,
	}, string = {
		.kind = SDTKIT_TAP_STRING, .size = 8,
	};
	static const char names[] = "rec\0step\0Work begins\0/bin/x";
	static const char one[] = "u8\0uint64_t\0number\0008@%rdi";
	static const char other[] = "z\0string\0text\0008@%rsi";
	struct sdtkit_record_slot *slots = (void *)((char *)file +
						    file->slots_at);
	char *text = (char *)file + file->texts_at, *at = text;

	memcpy(at, &probe, sizeof(probe));
	at += sizeof(probe);
	memcpy(at, names, sizeof(names));
	at += sizeof(names);
	memcpy(at, &number, sizeof(number));
	at += sizeof(number);
	memcpy(at, one, sizeof(one));
	at += sizeof(one);
	memcpy(at, &string, sizeof(string));
	at += sizeof(string);
	memcpy(at, other, sizeof(other));
	at += sizeof(other);
	slots[0].at = 0;
	slots[0].size = (uint32_t)(at - text);
	slots[0].ready = 1;
	file->slots_used = 1;
}

static inline void make(uint32_t ring_size, uint64_t size,
			enum sdtkit_record_mode mode)
{
	const struct sdtkit_record_settings settings = {
		.ring_size = ring_size, .size = size, .mode = mode,
		.patience_ms = 5000,
	};
	static _Atomic uint64_t *generation;
	static uint32_t index;

	unmake(NULL);
	memset(&made, 0, sizeof(made));
	if (generation == NULL) {
		generation = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_int_equal(madvise(generation, 4096, MADV_WIPEONFORK), 0);
	}
	assert_int_equal(sdtkit_record_create(&settings, &made.output), 0);
	index = (index + 1) % SDTKIT_RECORD_WRITERS;
	generation[index] = 0;
	sdtkit_record_writer_init(&made.writer, &made.output, index,
				  &generation[index]);
	sdtkit_record_handle_faults(true);
	describe_step(made.output.file);
	/* rdi and rsi, by their numbers. */
	made.site = (struct sdtkit_record_site) {
		.writer = &made.writer,
		.index = (uint8_t)index,
		.more = &made.more,
		.most = 16 + 8 + 8 + 48,
		.string_limit = 31,
		.op_count = 2,
		.ops = { { .number = 5 },
			 { .number = 4, .kind = SDTKIT_RECORD_STRING_AT } },
	};
}

static inline void hit(uint64_t number, const char *text)
{
	uint64_t registers[32] = { 0 };

	registers[5] = number;
	registers[4] = (uintptr_t)text;
	sdtkit_record_hit(&made.site, registers, NULL);
}

static inline void open_reader(unsigned int flags)
{
	close_reader();
	if (sdtkit_record_open(made.output.descriptor.fd, flags, &reader) < 0)
		fail_msg("%s", sdtkit_record_error());
}

static inline const struct sdtkit_tap_event *next_event(void)
{
	assert_int_equal(sdtkit_record_next(reader, &item), 1);
	assert_non_null(item.event);
	return item.event;
}

/* Returns how many events there were. */
static inline uint64_t read_to_end(void)
{
	uint64_t count = 0;

	while (sdtkit_record_next(reader, &item) > 0)
		count += item.event != NULL;
	return count;
}

static inline void look_at_info(void)
{
	sdtkit_record_info(reader, &info);
}

#endif /* SDTKIT_TESTS_RECORD_MADE_H */
