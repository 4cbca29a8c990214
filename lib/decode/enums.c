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
 * 1. it consists of whole strings, and every enum and enumerator has a name;
 * 2. a value is a number of 64 bits with a sign, which has one spelling.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "enums.h"
#include "fail.h"

static int damaged(const struct sdtkit_note_reader *reader,
		   const struct sdtkit_raw_note *raw, const char *what)
{
	return sdtkit_fail(EBADMSG, "note at %#zx of %s: %s", raw->start,
			   reader->section, what);
}

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

/* Returns the array with space for one more element, or NULL. */
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

static int too_many(const struct sdtkit_note_reader *reader,
		    const struct sdtkit_raw_note *raw, int limit,
		    const char *what)
{
	return sdtkit_fail(E2BIG, "note at %#zx of %s: more than %d %s",
			   raw->start, reader->section, limit, what);
}

static int add_user(struct sdtkit_enums *enums,
		    const struct sdtkit_note_reader *reader,
		    struct sdtkit_raw_note *raw,
		    const struct sdtkit_enum_user *like)
{
	struct sdtkit_enum_user *users, user = *like;

	if (enums->count == SDTKIT_ENUM_USERS_MAX)
		return too_many(reader, raw, SDTKIT_ENUM_USERS_MAX,
				"types with enumerators");
	user.type = sdtkit_note_string(reader, raw);
	if (user.type != NULL)
		user.name = sdtkit_note_string(reader, raw);
	if (user.name == NULL)
		return damaged(reader, raw, "type with enumerators is not "
			       "complete");
	users = grow(enums->users, enums->count, &enums->capacity,
		     sizeof(*users));
	if (users == NULL)
		return -ENOMEM;
	enums->users = users;
	user.order = enums->count;
	users[enums->count++] = user;
	return 0;
}

static int add_enumerator(struct sdtkit_enums *enums,
			  const struct sdtkit_note_reader *reader,
			  struct sdtkit_raw_note *raw)
{
	struct sdtkit_enumerator *all, one = { .name = NULL };
	const char *value = sdtkit_note_string(reader, raw);

	if (enums->enumerator_count == SDTKIT_ENUMERATORS_MAX)
		return too_many(reader, raw, SDTKIT_ENUMERATORS_MAX,
				"enumerators");
	if (value != NULL)
		one.name = sdtkit_note_string(reader, raw);
	if (one.name == NULL)
		return damaged(reader, raw, "enumerator is not complete");
	if (one.name[0] == '\0')
		return damaged(reader, raw, "enumerator has no name");
	if (!read_value(value, &one.value))
		return damaged(reader, raw, "value of an enumerator is not a "
			       "number of 64 bits");
	all = grow(enums->enumerators, enums->enumerator_count,
		   &enums->enumerator_capacity, sizeof(*all));
	if (all == NULL)
		return -ENOMEM;
	enums->enumerators = all;
	all[enums->enumerator_count++] = one;
	return 0;
}

/* Reads the strings before the rows, and how many rows there are. */
static int read_head(const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note *raw,
		     struct sdtkit_enum_user *user, size_t *rows)
{
	const char *count = NULL;
	int64_t number;

	user->provider = sdtkit_note_string(reader, raw);
	if (user->provider == NULL)
		return damaged(reader, raw, "provider name is not terminated");
	user->shown.name = sdtkit_note_string(reader, raw);
	if (user->shown.name == NULL || user->shown.name[0] == '\0')
		return damaged(reader, raw, "enum has no name");
	count = sdtkit_note_string(reader, raw);
	if (count == NULL || !read_value(count, &number) || number < 1 ||
	    number > SDTKIT_ENUM_USERS_MAX)
		return damaged(reader, raw, "number of types with enumerators "
			       "is not a number from 1");
	*rows = (size_t)number;
	return 0;
}

/* Gives the users behind this one what the note says behind them. */
static void set_rest(struct sdtkit_enums *enums, size_t first_user,
		     size_t first, const char *rest, const char *end)
{
	size_t i;

	for (i = first_user; i < enums->count; i++) {
		struct sdtkit_enum_user *user = &enums->users[i];

		user->rest = rest;
		user->length = (size_t)(end - rest);
		user->first = first;
		user->shown.enumerator_count = enums->enumerator_count - first;
	}
}

int sdtkit_enums_add(struct sdtkit_enums *enums,
		     const struct sdtkit_note_reader *reader,
		     struct sdtkit_raw_note raw)
{
	const char *data = (const char *)reader->data, *rest;
	struct sdtkit_enum_user user = { .provider = NULL };
	size_t users = enums->count, first = enums->enumerator_count, rows = 0;
	int ret = read_head(reader, &raw, &user, &rows);

	for (; ret == 0 && rows > 0; rows--)
		ret = add_user(enums, reader, &raw, &user);
	rest = data + raw.at;
	while (ret == 0 && raw.at < raw.end) {
		if (enums->enumerator_count - first == SDTKIT_ENUM_SIZE_MAX)
			ret = too_many(reader, &raw, SDTKIT_ENUM_SIZE_MAX,
				       "enumerators in an enum");
		else
			ret = add_enumerator(enums, reader, &raw);
	}
	if (ret < 0) {
		enums->count = users;
		enums->enumerator_count = first;
		return ret;
	}
	set_rest(enums, users, first, rest, data + raw.end);
	return 0;
}

static int compare_names(const struct sdtkit_enum_user *user,
			 const char *provider, const char *type,
			 const char *name)
{
	int ret = strcmp(user->provider, provider);

	if (ret == 0)
		ret = strcmp(user->type, type);
	return ret != 0 ? ret : strcmp(user->name, name);
}

static int compare(const void *first, const void *second)
{
	const struct sdtkit_enum_user *a = first, *b = second;
	int ret = compare_names(a, b->provider, b->type, b->name);

	return ret != 0 ? ret : (a->order > b->order) - (a->order < b->order);
}

static bool says_the_same(const struct sdtkit_enum_user *user,
			  const struct sdtkit_enum_user *other)
{
	return strcmp(other->shown.name, user->shown.name) == 0 &&
	       other->length == user->length &&
	       memcmp(other->rest, user->rest, user->length) == 0;
}

/* Leaves one entry per name. */
static void settle(struct sdtkit_enums *enums)
{
	struct sdtkit_enum_user *kept = enums->users;
	size_t i;

	for (i = 1; i < enums->count; i++) {
		struct sdtkit_enum_user *next = &enums->users[i];

		if (compare_names(next, kept->provider, kept->type,
				  kept->name) != 0)
			*++kept = *next;
		else if (!says_the_same(kept, next))
			kept->differs = true;
	}
	enums->count = (size_t)(kept - enums->users) + 1;
}

void sdtkit_enums_sort(struct sdtkit_enums *enums)
{
	size_t i;

	if (enums->count == 0)
		return;
	qsort(enums->users, enums->count, sizeof(enums->users[0]), compare);
	settle(enums);
	for (i = 0; i < enums->count; i++) {
		struct sdtkit_enum_user *user = &enums->users[i];

		user->shown.enumerators = enums->enumerators == NULL ? NULL :
					  enums->enumerators + user->first;
	}
}

static const struct sdtkit_enum_user *find(const struct sdtkit_enums *enums,
					   const char *provider,
					   const char *type, const char *name)
{
	size_t low = 0, high = enums->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&enums->users[middle], provider, type,
				  name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == enums->count ||
	    compare_names(&enums->users[low], provider, type, name) != 0)
		return NULL;
	return &enums->users[low];
}

const struct sdtkit_enum *sdtkit_enums_find(const struct sdtkit_enums *enums,
					    const char *provider,
					    const char *type,
					    const char *name)
{
	const struct sdtkit_enum_user *user = NULL;
	const char *dot;

	if (enums->count == 0)
		return NULL;
	dot = strrchr(name, '.');

	if (dot != NULL)
		name = dot + 1;
	/* The name of an argument says more about it than its type. */
	if (name[0] != '\0')
		user = find(enums, provider, type, name);
	if (user == NULL)
		user = find(enums, provider, type, "");
	return user == NULL || user->differs ? NULL : &user->shown;
}

void sdtkit_enums_clear(struct sdtkit_enums *enums)
{
	free(enums->users);
	free(enums->enumerators);
	*enums = (struct sdtkit_enums) { .count = 0 };
}
