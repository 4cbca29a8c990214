/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See record_value.h.  An argument of `probe done(info_t *req)`, whose record
 * has 24 bytes:
 *
 *	req		0x7ffc24957800
 *	0  u8  mid	4d 00 00 00 00 00 00 00		UNSIGNED 77
 *	8  z   user	b0 a2 f0 c1 d0 55 00 00		STRING "bob"
 *	16 a8  share	64 61 74 61 00 00 00 00		STRING "data", inline
 *
 * Invariant: of the program's memory, only the record as a whole is read, and
 * strings; the kernel does it, so that an address may be anything.
 */
#include <stdlib.h>
#include <string.h>

#include "record_value.h"
#include "safe_read.h"

static void set_member(const struct sdtkit_layout_member *member,
			 struct sdtkit_tap_member *to)
{
	to->offset = member->offset;
	to->size = member->size;
	memcpy(to->counts, member->counts, sizeof(to->counts));
	to->is_inline = member->wire[0] == 'a';
	/* The form of an array is that of an element. */
	if (!to->is_inline)
		to->form = sdtkit_tap_form(member->wire, NULL);
}

struct sdtkit_tap_record *
sdtkit_tap_new_record(const struct sdtkit_layout *layout)
{
	struct sdtkit_tap_record *record;
	size_t i;

	record = calloc(1, sizeof(*record) + layout->member_count *
			sizeof(record->members[0]));
	if (record == NULL)
		return NULL;
	record->size = layout->size;
	record->count = layout->member_count;
	for (i = 0; i < layout->member_count; i++)
		set_member(&layout->members[i], &record->members[i]);
	return record;
}

static void make_array(const struct sdtkit_tap_member *member,
		       const char *bytes, struct sdtkit_tap_value *value)
{
	value->kind = SDTKIT_TAP_ARRAY;
	value->size = member->form.size;
	value->is_signed = member->form.kind == SDTKIT_TAP_SIGNED;
	memcpy(value->counts, member->counts, sizeof(value->counts));
	value->text = bytes;
	value->length = member->size;
}

static void make_member(const struct sdtkit_tap_member *member,
			uint64_t address, char *bytes, pid_t pid,
			struct sdtkit_tap_value *value,
			struct sdtkit_tap_space *space)
{
	bytes += member->offset;
	*value = (struct sdtkit_tap_value) { .bits = address + member->offset };
	if (member->size == 0)
		sdtkit_tap_make_none("its description has an unknown wire "
				     "type", value);
	else if (member->is_inline)
		sdtkit_tap_make_text(bytes, member->size, space->limit, value);
	else if (member->counts[0] > 0)
		make_array(member, bytes, value);
	else
		sdtkit_tap_make(sdtkit_tap_load(bytes, member->size),
				member->form, pid, value, space);
}

void sdtkit_tap_copy_record(const struct sdtkit_tap_record *record, pid_t pid,
			    struct sdtkit_tap_value *value,
			    struct sdtkit_tap_space *space)
{
	char *bytes = space->bytes;
	size_t count = record->count, i;

	if (value->bits == 0)
		return;
	if (record->size > space->bytes_left) {
		value->why = "the records before it took the space";
		return;
	}
	if (!sdtkit_tap_safe_read(pid, (uintptr_t)value->bits, bytes,
				  record->size)) {
		value->why = "there is no memory at that address";
		return;
	}
	space->bytes += record->size;
	space->bytes_left -= record->size;
	value->cut = count > space->members_left;
	if (value->cut)
		count = space->members_left;
	value->members = space->members;
	value->member_count = count;
	space->members += count;
	space->members_left -= count;
	for (i = 0; i < count; i++)
		make_member(&record->members[i], value->bits, bytes, pid,
			    &space->members[i - count], space);
}
