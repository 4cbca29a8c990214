/* SPDX-License-Identifier: BSD-2-Clause */
/* The program of a site whose argument is a record with strings. */
#define _GNU_SOURCE
#include "made.h"

#include <stdlib.h>

#include "catalogue.h"
#include "place.h"
#include "program.h"
#include "record_value.h"
#include "state.h"

enum {
	RING = 1 << 18,
	FILE_SIZE = 1 << 20,
	LIMIT = 7,
	MEMBERS = 300,
	POINTER = 5,
};

static struct {
	struct sdtkit_tap_probe_entry entry;
	struct sdtkit_tap_field members[MEMBERS];
} probe;

static struct sdtkit_tap_record *record;
static struct sdtkit_tap_hook *hook;

static int make_all(void **state)
{
	static struct sdtkit_register reg = {
		.number = POINTER, .size = sizeof(long), .full = "",
	};

	record = calloc(1, sizeof(*record) +
			   MEMBERS * sizeof(record->members[0]));
	hook = calloc(1, sizeof(*hook) + 1);
	if (record == NULL || hook == NULL)
		return -1;
	hook->entry = &probe.entry;
	hook->operand_count = 1;
	hook->operands[0].kind = SDTKIT_OPERAND_REGISTER;
	hook->operands[0].size = sizeof(long);
	hook->operands[0].reg = &reg;
	return 0;
}

static int free_all(void **state)
{
	free(record);
	free(hook);
	return 0;
}

static void make_entry(size_t count, size_t size)
{
	static const struct sdtkit_tap_field field = {
		.wire = "z", .type = "string", .name = "text", .operand = "",
	};
	size_t i;

	record->count = count;
	record->size = size;
	for (i = 0; i < count; i++)
		probe.members[i] = field;
	probe.entry = (struct sdtkit_tap_probe_entry) {
		.shown = {
			.provider = "rec", .probe = "record", .summary = "",
			.object = "/bin/x", .site_count = 1,
			.described = true, .field_count = 1,
			.fields = probe.entry.fields,
		},
		.fields = { {
			.wire = "p", .type = "thing *", .name = "thing",
			.operand = "8@%rdi", .members = probe.members,
			.member_count = count,
		} },
		.forms = { {
			.kind = SDTKIT_TAP_POINTER, .size = sizeof(long),
			.record = record,
		} },
	};
}

static void set_string(size_t i, uint32_t offset, uint32_t size)
{
	record->members[i] = (struct sdtkit_tap_member) {
		.form = { .kind = SDTKIT_TAP_STRING, .size = (uint8_t)size },
		.offset = offset,
		.size = size,
	};
}

/* Hits a site of the probe with this record, and returns the event. */
static const struct sdtkit_tap_event *event_of(const void *bytes)
{
	struct sdtkit_record_site *site = NULL;
	uint64_t registers[32] = { 0 };
	int id;

	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	made.output.file->texts_used = SDTKIT_RECORD_PAGE;
	id = sdtkit_record_describe(&made.output, &probe.entry);
	assert_int_equal(id, 1);
	if (sdtkit_record_program(hook, &made.writer, LIMIT, NULL, &site) < 0)
		fail_msg("%s", sdtkit_record_error());
	site->id = (uint16_t)id;
	registers[POINTER] = (uintptr_t)bytes;
	sdtkit_record_hit(site, registers, NULL);
	sdtkit_record_free_program(site);
	open_reader(0);
	return next_event();
}

/* Operands of each size, of which a recorder can read all but one of 16 bytes. */
MADE(test_sizes)
{
	static const unsigned int sizes[] = { 1, 2, 4, 8, 16 };
	struct sdtkit_record_site *site;
	size_t i;

	make_entry(0, 0);
	probe.entry.forms[0].record = NULL;
	make(RING, FILE_SIZE, SDTKIT_RECORD_OVERWRITE);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (sizes[i] == 8 && sizeof(long) < 8)
			continue;
		hook->operands[0].size = (uint8_t)sizes[i];
		assert_int_equal(sdtkit_record_program(hook, &made.writer,
						       LIMIT, NULL, &site), 0);
		assert_int_equal(site->unreadable, sizes[i] > 8);
		assert_int_equal(site->ops[0].unused,
				 sizes[i] > 8 ? 0 : 64 - 8 * sizes[i]);
		sdtkit_record_free_program(site);
	}
	hook->operands[0].size = sizeof(long);
}

/* A string whose member has not the size of an address. */
MADE(test_odd_size)
{
	static const char *const texts[] = { "bad", "good" };
	const uint64_t bytes[] = { (uintptr_t)texts[0], (uintptr_t)texts[1] };
	const struct sdtkit_tap_event *event;

	make_entry(2, sizeof(bytes));
	set_string(0, 0, sizeof(bytes[0]) / 2);
	set_string(1, sizeof(bytes[0]), sizeof(bytes[0]));
	event = event_of(bytes);
	assert_int_equal(event->values[0].member_count, 2);
	assert_non_null(event->values[0].members[0].why);
	assert_string_equal(event->values[0].members[1].text, "good");
}

MADE(test_many_strings)
{
	static const char *const texts[] = { "even", "odd" };
	static uint64_t bytes[MEMBERS];
	const struct sdtkit_tap_event *event;
	uint32_t i;

	make_entry(MEMBERS, sizeof(bytes));
	for (i = 0; i < MEMBERS; i++) {
		bytes[i] = (uintptr_t)texts[i % 2];
		set_string(i, i * (uint32_t)sizeof(bytes[0]),
			   sizeof(bytes[0]));
	}
	event = event_of(bytes);
	assert_int_equal(event->values[0].member_count, SDTKIT_TAP_MEMBERS_MAX);
	for (i = 0; i < SDTKIT_TAP_MEMBERS_MAX; i++)
		assert_string_equal(event->values[0].members[i].text,
				    texts[i % 2]);
}

int main(void)
{
	return tests_run(NULL, make_all, free_all);
}
