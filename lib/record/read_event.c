/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An entry -> an event; see read_parts.h.  `start(uint64_t mid, char *name)`:
 *
 *	00 00 00 00 07 00 00 00 | time | 07 00 00 00 00 00 00 00	u8 7
 *	b0 a2 f0 c1 d0 55 00 00 | 05 00 00 00 61 2e 74 78 74 00 ..	z "a.txt"
 *
 * Invariant: what is taken lies within the entry; an entry that says otherwise
 * is damaged, and gives no event.
 */
#include <string.h>

#include "../attach/value.h"
#include "../decode/printable.h"
#include "read_parts.h"

static const char no_memory_there[] = "there is no memory at that address";

/* What was not read yet of an entry, and memory for members. */
struct rest {
	unsigned char *at;
	size_t size;
	struct sdtkit_tap_value *members;
	size_t members_left;
	/* Of texts that are in records themselves. */
	size_t string_limit;
};

/* Bytes with a length in front, and flags. */
struct bytes {
	unsigned char *at;
	size_t size;
	bool is_cut;
	bool has_failed;
};

static bool take_word(struct rest *rest, uint64_t *word)
{
	if (rest->size < sizeof(*word))
		return false;
	memcpy(word, rest->at, sizeof(*word));
	rest->at += sizeof(*word);
	rest->size -= sizeof(*word);
	return true;
}

/* extra is 1 if a NUL follows, which is part of the entry. */
static bool take_bytes(struct rest *rest, size_t extra, struct bytes *bytes)
{
	uint32_t head;
	size_t whole;

	if (rest->size < sizeof(uint64_t))
		return false;
	memcpy(&head, rest->at, sizeof(head));
	bytes->at = rest->at + sizeof(head);
	bytes->size = head & SDTKIT_RECORD_LENGTH;
	bytes->is_cut = (head & SDTKIT_RECORD_CUT) != 0;
	bytes->has_failed = (head & SDTKIT_RECORD_FAULT) != 0;
	whole = (sizeof(head) + bytes->size + extra + 7) / 8 * 8;
	if (whole > rest->size)
		return false;
	rest->at += whole;
	rest->size -= whole;
	return true;
}

static void make(uint64_t bits, const struct sdtkit_record_field *raw,
		 struct sdtkit_tap_value *value)
{
	*value = (struct sdtkit_tap_value) {
		.kind = (enum sdtkit_tap_kind)raw->kind,
		.size = raw->size,
		.bits = raw->size == 0 ? bits :
			sdtkit_tap_extend(bits, raw->size,
					  raw->kind == SDTKIT_TAP_SIGNED),
	};
	if (raw->kind == SDTKIT_TAP_FLOAT)
		value->number = sdtkit_tap_number(value->bits, raw->size);
	if (raw->kind == SDTKIT_TAP_UNREADABLE)
		value->why = "its description has an unknown wire type";
}

static void set_text(const struct bytes *bytes, struct sdtkit_tap_value *value)
{
	bytes->at[bytes->size] = '\0';
	value->text = (const char *)bytes->at;
	value->length = bytes->size;
	value->cut = bytes->is_cut;
}

static bool take_string(struct rest *rest, struct sdtkit_tap_value *value)
{
	struct bytes bytes;

	if (!take_bytes(rest, 1, &bytes))
		return false;
	if (value->bits == 0)
		return true;
	if (bytes.has_failed) {
		value->why = no_memory_there;
		return true;
	}
	set_text(&bytes, value);
	return true;
}

/* What is at the address is shown if it is a text, and not an empty one. */
static bool take_guess(struct rest *rest, struct sdtkit_tap_value *value)
{
	struct bytes bytes;

	if (!take_bytes(rest, 1, &bytes))
		return false;
	bytes.at[bytes.size] = '\0';
	if (value->bits == 0 || bytes.has_failed || bytes.size == 0 ||
	    !sdtkit_is_text((const char *)bytes.at, bytes.is_cut))
		return true;
	set_text(&bytes, value);
	return true;
}

static void make_array(const struct sdtkit_record_field *raw, const char *bytes,
		       struct sdtkit_tap_value *value)
{
	*value = (struct sdtkit_tap_value) {
		.kind = SDTKIT_TAP_ARRAY,
		.size = raw->size,
		.is_signed = raw->kind == SDTKIT_TAP_SIGNED,
		.counts = { raw->counts[0], raw->counts[1] },
		.text = bytes,
		.length = raw->bytes,
		.bits = value->bits,
	};
}

static bool make_member(const struct sdtkit_record_field *raw, uint64_t address,
			unsigned char *bytes, struct rest *rest,
			struct sdtkit_tap_value *value)
{
	bytes += raw->offset;
	*value = (struct sdtkit_tap_value) { .bits = address + raw->offset };
	if (raw->flags & SDTKIT_RECORD_IN_PLACE) {
		sdtkit_tap_make_text((char *)bytes, raw->bytes,
				     rest->string_limit, value);
	} else if (raw->bytes == 0 || raw->kind == SDTKIT_TAP_UNREADABLE) {
		value->kind = SDTKIT_TAP_UNREADABLE;
		value->why = "its description has an unknown wire type";
	} else if (raw->counts[0] > 0) {
		make_array(raw, (const char *)bytes, value);
	} else {
		make(sdtkit_tap_load(bytes, raw->size), raw, value);
		if (raw->kind == SDTKIT_TAP_STRING)
			return take_string(rest, value);
	}
	return true;
}

static bool take_record(const struct sdtkit_record_field *raw,
			const struct sdtkit_record_field *members,
			struct rest *rest, struct sdtkit_tap_value *value)
{
	size_t count = raw->member_count, i;
	struct sdtkit_tap_value *to = rest->members;
	struct sdtkit_tap_value unused;
	struct bytes bytes;

	if (!take_bytes(rest, 0, &bytes))
		return false;
	if (value->bits == 0)
		return true;
	if (bytes.has_failed) {
		value->why = no_memory_there;
		return true;
	}
	if (bytes.size != raw->record_size)
		return false;
	value->cut = count > rest->members_left;
	if (value->cut)
		count = rest->members_left;
	value->members = to;
	value->member_count = count;
	rest->members += count;
	rest->members_left -= count;
	for (i = 0; i < raw->member_count; i++) {
		if (!make_member(&members[i], value->bits, bytes.at, rest,
				 i < count ? &to[i] : &unused))
			return false;
	}
	return true;
}

bool sdtkit_record_read_event(const struct sdtkit_record_map *map,
			      const struct sdtkit_record_seen *seen,
			      struct sdtkit_record_entry *entry,
			      struct sdtkit_record_space *space)
{
	struct rest rest = {
		.at = (unsigned char *)(entry + 1),
		.size = (size_t)entry->words * 8 - sizeof(*entry),
		.members = space->members,
		.members_left = SDTKIT_TAP_MEMBERS_MAX,
		.string_limit = map->string_limit,
	};
	size_t first = 0, i;

	space->event.probe = &seen->probe;
	space->event.value_count = map->content == SDTKIT_RECORD_NAMES ? 0 :
				   seen->probe.field_count;
	for (i = 0; i < space->event.value_count; i++) {
		const struct sdtkit_record_field *raw = &seen->raw[i];
		struct sdtkit_tap_value *value = &space->event.values[i];
		uint64_t bits;

		if (!take_word(&rest, &bits))
			return false;
		make(bits, raw, value);
		if (entry->unreadable >> i & 1) {
			*value = (struct sdtkit_tap_value) {
				.kind = SDTKIT_TAP_UNREADABLE,
				.size = raw->size,
				.why = "the note has an operand that sdtkit "
				       "cannot read",
			};
		} else if (raw->flags & SDTKIT_RECORD_HAS_RECORD) {
			if (!take_record(raw, &seen->raw_members[first], &rest,
					 value))
				return false;
		} else if (raw->kind == SDTKIT_TAP_STRING) {
			if (!take_string(&rest, value))
				return false;
		} else if ((raw->flags & SDTKIT_RECORD_MAY_BE_TEXT) &&
			   map->content == SDTKIT_RECORD_GUESSES &&
			   !take_guess(&rest, value)) {
			return false;
		}
		first += raw->member_count;
	}
	return true;
}
