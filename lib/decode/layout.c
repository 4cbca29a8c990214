/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of .note.sdtkit -> struct sdtkit_layout.
 *
 * The note of a record (docs/format.md), behind the header of any note, whose
 * owner is "sdtkit" and whose type is 2:
 *
 *	"smb2" "info_t *" "32"
 *		provider, type of the arguments that point to it, its bytes
 *	"0" "u8" "uint64_t" "mid" "MessageId"
 *	"8" "a16" "char[16]" "peer.name" ""
 *		offset, wire, type, name and comment of each member
 *
 * Invariants of what is in the index:
 * 1. it consists of whole strings, in fives, and every member has a name;
 * 2. members follow each other without overlapping, and all of them lie within
 *    the record, which has no more than SDTKIT_LAYOUT_SIZE_MAX bytes.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "layout.h"

enum {
	/* Bytes of an address, whatever the machine. */
	ADDRESS = 8,
	DIMENSIONS = 2,
};

static int damaged(const struct sdtkit_note_reader *reader,
		   const struct sdtkit_raw_note *raw, const char *what)
{
	return sdtkit_fail(EBADMSG, "note at %#zx of %s: %s", raw->start,
			   reader->section, what);
}

/*
 * Reads the digits of a number that a record can have, and moves the text
 * behind them.  A number has one spelling, so that no reader of a wire type
 * takes the zero of "u08" for its size.
 */
static bool take_number(const char **text, uint32_t *number)
{
	const char *at = *text;
	uint32_t value = 0;

	if (at[0] == '0' && at[1] >= '0' && at[1] <= '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++) {
		value = value * 10 + (uint32_t)(*at - '0');
		if (value > SDTKIT_LAYOUT_SIZE_MAX)
			return false;
	}
	if (at == *text)
		return false;
	*text = at;
	*number = value;
	return true;
}

static bool read_number(const char *text, uint32_t *number)
{
	return take_number(&text, number) && *text == '\0';
}

/* "*2*3" behind the wire type of an element; false: it is something else. */
static bool read_counts(const char *at, struct sdtkit_layout_member *member)
{
	uint32_t size = member->element;
	size_t i;

	for (i = 0; *at == '*' && i < DIMENSIONS; i++) {
		at++;
		if (!take_number(&at, &member->counts[i]) ||
		    member->counts[i] == 0)
			return false;
		/* Both are at most 4096: the product fits. */
		size *= member->counts[i];
		if (size > SDTKIT_LAYOUT_SIZE_MAX)
			return false;
	}
	member->size = size;
	return *at == '\0';
}

/* Sizes of what is known; those of other wire types stay 0. */
static void read_wire(struct sdtkit_layout_member *member)
{
	const char *at = member->wire;
	uint32_t number = ADDRESS;
	char letter = *at;

	if (letter == '\0')
		return;
	at++;
	if (strchr("usa", letter) != NULL && !take_number(&at, &number))
		return;
	if (strchr("pza", letter) != NULL) {
		member->size = *at == '\0' ? number : 0;
		member->element = letter == 'a' ? 1 : ADDRESS;
		return;
	}
	if (strchr("us", letter) == NULL || number > ADDRESS ||
	    number == 0 || (number & (number - 1)) != 0)
		return;
	member->element = number;
	if (!read_counts(at, member)) {
		member->size = 0;
		member->counts[0] = member->counts[1] = 0;
	}
}

/* A part between two dots has a letter at least. */
static bool is_name(const char *name)
{
	size_t length = strlen(name);

	return length > 0 && name[0] != '.' && name[length - 1] != '.' &&
	       strstr(name, "..") == NULL;
}

static int read_member(const struct sdtkit_note_reader *reader,
		       struct sdtkit_raw_note *raw,
		       struct sdtkit_layout_member *member)
{
	const char *offset = sdtkit_note_string(reader, raw);

	*member = (struct sdtkit_layout_member) { .offset = 0 };
	if (offset == NULL)
		return damaged(reader, raw, "member is not terminated");
	if (raw->at < raw->end)
		member->wire = sdtkit_note_string(reader, raw);
	if (member->wire != NULL && raw->at < raw->end)
		member->type = sdtkit_note_string(reader, raw);
	if (member->type != NULL && raw->at < raw->end)
		member->name = sdtkit_note_string(reader, raw);
	if (member->name != NULL && raw->at < raw->end)
		member->doc = sdtkit_note_string(reader, raw);
	if (member->doc == NULL)
		return damaged(reader, raw, "member is not complete");
	if (!read_number(offset, &member->offset))
		return damaged(reader, raw, "offset of a member is not a "
			       "number up to 4096");
	if (!is_name(member->name))
		return damaged(reader, raw, "member has no name");
	read_wire(member);
	return 0;
}

static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t more = *capacity == 0 ? 16 : *capacity * 2;

	if (count < *capacity)
		return array;
	array = reallocarray(array, more, size);
	if (array == NULL)
		sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	else
		*capacity = more;
	return array;
}

static int append_member(struct sdtkit_layouts *layouts,
			 const struct sdtkit_layout_member *member)
{
	struct sdtkit_layout_member *members;

	members = grow(layouts->members, layouts->member_count,
		       &layouts->member_capacity, sizeof(*members));
	if (members == NULL)
		return -ENOMEM;
	layouts->members = members;
	members[layouts->member_count++] = *member;
	return 0;
}

static int add_members(struct sdtkit_layouts *layouts,
		       const struct sdtkit_note_reader *reader,
		       struct sdtkit_raw_note raw, size_t size)
{
	struct sdtkit_layout_member member;
	size_t end = 0;
	int ret;

	while (raw.at < raw.end) {
		ret = read_member(reader, &raw, &member);
		if (ret < 0)
			return ret;
		if (member.offset < end)
			return damaged(reader, &raw, "member overlaps the "
				       "one before it");
		end = member.offset + member.size;
		if (end > size)
			return damaged(reader, &raw, "member lies outside "
				       "the record");
		if (layouts->member_count == SDTKIT_MEMBERS_MAX)
			return sdtkit_fail(E2BIG, "note at %#zx of %s: more "
					   "than %d members of records",
					   raw.start, reader->section,
					   SDTKIT_MEMBERS_MAX);
		ret = append_member(layouts, &member);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int add_layout(struct sdtkit_layouts *layouts,
		      const struct sdtkit_indexed_layout *entry)
{
	struct sdtkit_indexed_layout *indexed;

	indexed = grow(layouts->indexed, layouts->count, &layouts->capacity,
		       sizeof(*indexed));
	if (indexed == NULL)
		return -ENOMEM;
	layouts->indexed = indexed;
	indexed[layouts->count++] = *entry;
	return 0;
}

int sdtkit_layouts_add(struct sdtkit_layouts *layouts,
		       const struct sdtkit_note_reader *reader,
		       struct sdtkit_raw_note raw)
{
	struct sdtkit_indexed_layout entry = {
		.order = layouts->count,
		.first = layouts->member_count,
	};
	uint32_t bytes;
	int ret;

	if (layouts->count == SDTKIT_RECORDS_MAX)
		return sdtkit_fail(E2BIG, "note at %#zx of %s: more than %d "
				   "records", raw.start, reader->section,
				   SDTKIT_RECORDS_MAX);
	entry.provider = sdtkit_note_string(reader, &raw);
	if (entry.provider == NULL)
		return damaged(reader, &raw, "provider name is not terminated");
	entry.type = sdtkit_note_string(reader, &raw);
	if (entry.type == NULL)
		return damaged(reader, &raw, "type is not terminated");
	entry.rest = (const char *)reader->data + raw.at;
	entry.length = raw.end - raw.at;
	if (sdtkit_note_string(reader, &raw) == NULL ||
	    !read_number(entry.rest, &bytes))
		return damaged(reader, &raw, "size of a record is not a "
			       "number up to 4096");
	entry.size = bytes;
	ret = add_members(layouts, reader, raw, bytes);
	entry.count = layouts->member_count - entry.first;
	if (ret == 0)
		ret = add_layout(layouts, &entry);
	if (ret < 0)
		layouts->member_count = entry.first;
	return ret;
}

static int compare_names(const struct sdtkit_indexed_layout *entry,
			 const char *provider, const char *type)
{
	int ret = strcmp(entry->provider, provider);

	return ret != 0 ? ret : strcmp(entry->type, type);
}

static int compare(const void *first, const void *second)
{
	const struct sdtkit_indexed_layout *a = first, *b = second;
	int ret = compare_names(a, b->provider, b->type);

	return ret != 0 ? ret : (a->order > b->order) - (a->order < b->order);
}

static bool says_the_same(const struct sdtkit_indexed_layout *entry,
			  const struct sdtkit_indexed_layout *other)
{
	return !other->differs && other->length == entry->length &&
	       memcmp(other->rest, entry->rest, entry->length) == 0;
}

/* Leaves one entry per name: many arguments may ask for it. */
static void settle(struct sdtkit_layouts *layouts)
{
	struct sdtkit_indexed_layout *kept = layouts->indexed;
	size_t i;

	for (i = 1; i < layouts->count; i++) {
		struct sdtkit_indexed_layout *next = &layouts->indexed[i];

		if (compare_names(next, kept->provider, kept->type) != 0)
			*++kept = *next;
		else if (!says_the_same(kept, next))
			kept->differs = true;
	}
	layouts->count = (size_t)(kept - layouts->indexed) + 1;
}

void sdtkit_layouts_sort(struct sdtkit_layouts *layouts)
{
	if (layouts->count == 0)
		return;
	qsort(layouts->indexed, layouts->count, sizeof(layouts->indexed[0]),
	      compare);
	settle(layouts);
}

/* Only an integer, or an array of them, can have names. */
static void name_member(struct sdtkit_layout_member *member,
			const char *provider, const struct sdtkit_enums *enums)
{
	if (member->wire[0] == 'u' || member->wire[0] == 's')
		member->names = sdtkit_enums_find(enums, provider,
						  member->type, member->name);
}

void sdtkit_layouts_name(struct sdtkit_layouts *layouts,
			 const struct sdtkit_enums *enums)
{
	size_t i, j;

	for (i = 0; i < layouts->count; i++) {
		const struct sdtkit_indexed_layout *entry =
			&layouts->indexed[i];

		for (j = 0; j < entry->count; j++)
			name_member(&layouts->members[entry->first + j],
				    entry->provider, enums);
	}
}

bool sdtkit_layouts_find(const struct sdtkit_layouts *layouts,
			 const char *provider, const char *type,
			 struct sdtkit_layout *layout)
{
	const struct sdtkit_indexed_layout *entry;
	size_t low = 0, high = layouts->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&layouts->indexed[middle], provider,
				  type) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == layouts->count)
		return false;
	entry = &layouts->indexed[low];
	if (entry->differs || compare_names(entry, provider, type) != 0)
		return false;
	layout->size = entry->size;
	layout->member_count = entry->count;
	layout->members = layouts->members + entry->first;
	return true;
}

void sdtkit_layouts_clear(struct sdtkit_layouts *layouts)
{
	free(layouts->indexed);
	free(layouts->members);
	*layouts = (struct sdtkit_layouts) { .count = 0 };
}
