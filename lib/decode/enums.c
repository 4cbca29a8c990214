/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of .note.sdtkit -> struct sdtkit_enum.
 *
 * The note of an enum (docs/format.md), behind the header of any note, whose
 * owner is "sdtkit" and whose type is 4:
 *
 *	"smb2" "smb2_command" "2"
 *		provider, name of the enum, number of the rows that follow
 *	"enum smb2_command" ""
 *	"uint16_t" "opcode"
 *		type and name of the arguments that show it; "" is any name
 *	"0" "NEGOTIATE" "5" "CREATE"
 *		value and name of each enumerator
 *
 * Invariants of what is in the index:
 * 1. every enum and enumerator has a name;
 * 2. a value is a number of 64 bits with a sign, which has one spelling.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "enums.h"
#include "fail.h"

/* Reads "-5"; no zeros before it, no sign before a 0. */
static bool read_value(const char *text, int64_t *value)
{
	bool negative = text[0] == '-';
	const char *at = text + negative;
	uint64_t limit = (uint64_t)INT64_MAX + negative, number = 0;

	if (at[0] == '\0' || (at[0] == '0' && (negative || at[1] != '\0')))
		return false;
	for (; *at != '\0'; at++) {
		uint64_t digit = (uint64_t)(*at - '0');

		if (*at < '0' || *at > '9' || number > (limit - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	*value = (int64_t)(negative ? -number : number);
	return true;
}

static int read_enumerator(const char **at, struct sdtkit_enumerator *one)
{
	const char *value = sdtkit_indexed_take(at);

	one->name = sdtkit_indexed_take(at);
	if (one->name[0] == '\0')
		return sdtkit_fail(EBADMSG, "enumerator has no name");
	if (!read_value(value, &one->value))
		return sdtkit_fail(EBADMSG, "value of an enumerator is not a "
				   "number of 64 bits");
	return 0;
}

/* pairs are the rows, each of which becomes an entry, and the enumerators. */
int sdtkit_enum_add(struct sdtkit_index *enums, struct sdtkit_indexed *entry,
		    size_t pairs)
{
	struct sdtkit_made_enum *made = entry->made;
	const char *at = entry->rest, *row;
	size_t before = enums->count, count, i;
	int64_t rows;
	int ret = 0;

	if (entry->name[0] == '\0')
		return sdtkit_fail(EBADMSG, "enum has no name");
	if (!read_value(sdtkit_indexed_take(&at), &rows) || rows < 1 ||
	    (uint64_t)rows > pairs)
		return sdtkit_fail(EBADMSG, "number of types is not between 1 "
				   "and that of the pairs of strings behind it");
	count = pairs - (size_t)rows;
	if (count > SDTKIT_ENUM_SIZE_MAX)
		return sdtkit_fail(E2BIG, "more than %d enumerators in an enum",
				   SDTKIT_ENUM_SIZE_MAX);
	entry->title = entry->name;
	row = at;
	for (i = 0; i < 2 * (size_t)rows; i++)
		sdtkit_indexed_take(&at);
	entry->rest = at;
	for (i = 0; ret == 0 && i < count; i++)
		ret = read_enumerator(&at, &made->enumerators[i]);
	made->names = (struct sdtkit_enum) { entry->title, count,
					     made->enumerators };
	for (; ret == 0 && rows > 0; rows--) {
		entry->name = sdtkit_indexed_take(&row);
		entry->argument = sdtkit_indexed_take(&row);
		ret = sdtkit_index_append(enums, entry);
	}
	if (ret < 0)
		enums->count = before;
	return ret;
}

const struct sdtkit_enum *sdtkit_enum_find(const struct sdtkit_index *enums,
					   const char *provider,
					   const char *type, const char *name)
{
	const struct sdtkit_indexed *entry = NULL;
	const char *dot = strrchr(name, '.');

	if (dot != NULL)
		name = dot + 1;
	/* The name of an argument says more about it than its type. */
	if (name[0] != '\0')
		entry = sdtkit_index_find(enums, provider, type, name);
	if (entry == NULL)
		entry = sdtkit_index_find(enums, provider, type, "");
	return entry == NULL || entry->differs ? NULL : entry->made;
}
