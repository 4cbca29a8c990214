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
 * 1. every member has a name;
 * 2. members follow each other without overlapping, and all of them lie within
 *    the record, which has no more than SDTKIT_LAYOUT_SIZE_MAX bytes.
 */
#include <errno.h>
#include <string.h>

#include "fail.h"
#include "layout.h"

enum {
	/* Bytes of an address, whatever the machine. */
	ADDRESS = 8,
	DIMENSIONS = 2,
};

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

static int read_member(const char **at, struct sdtkit_layout_member *member)
{
	const char *offset = sdtkit_indexed_take(at);

	member->wire = sdtkit_indexed_take(at);
	member->type = sdtkit_indexed_take(at);
	member->name = sdtkit_indexed_take(at);
	member->doc = sdtkit_indexed_take(at);
	if (!read_number(offset, &member->offset))
		return sdtkit_fail(EBADMSG, "offset of a member is not a "
				   "number up to 4096");
	if (!is_name(member->name))
		return sdtkit_fail(EBADMSG, "member has no name");
	read_wire(member);
	return 0;
}

int sdtkit_layout_add(struct sdtkit_index *layouts,
		      struct sdtkit_indexed *entry, size_t members)
{
	struct sdtkit_made_layout *made = entry->made;
	const char *at = entry->rest;
	uint32_t size, end = 0;
	size_t i;
	int ret;

	if (!read_number(sdtkit_indexed_take(&at), &size))
		return sdtkit_fail(EBADMSG, "size of a record is not a "
				   "number up to 4096");
	for (i = 0; i < members; i++) {
		struct sdtkit_layout_member *member = &made->members[i];

		ret = read_member(&at, member);
		if (ret < 0)
			return ret;
		if (member->offset < end)
			return sdtkit_fail(EBADMSG, "member overlaps the one "
					   "before it");
		end = member->offset + member->size;
		if (end > size)
			return sdtkit_fail(EBADMSG, "member lies outside the "
					   "record");
	}
	made->layout = (struct sdtkit_layout) { size, members, made->members };
	return sdtkit_index_append(layouts, entry);
}

const struct sdtkit_layout *
sdtkit_layout_find(const struct sdtkit_index *layouts, const char *provider,
		   const char *type)
{
	const struct sdtkit_indexed *entry =
		sdtkit_index_find(layouts, provider, type, "");

	return entry == NULL || entry->differs ? NULL : entry->made;
}
