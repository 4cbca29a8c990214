/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of .note.sdtkit -> struct sdtkit_description.
 *
 * The note of a probe (docs/format.md), behind the header of any note, whose
 * owner is "sdtkit" and whose type 1 is the version of this layout:
 *
 *	"smb2" "request__start" "A request was parsed."
 *		provider, probe, summary, each with its NUL
 *	"u8" "uint64_t" "mid"
 *	"u2" "uint16_t" "opcode"
 *		wire, type and name of each argument
 *
 * A file has one for each probe, in no order, and its sites refer to it by
 * name: so all are indexed before the first site is handed out, and looked
 * into when they are asked for.
 *
 * Invariant: everything in the index was seen to consist of whole strings, in
 * threes, of no more arguments than there is room for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "fail.h"

enum {
	LAYOUT = 1,
	STRINGS_PER_ARGUMENT = 3,
};

static int damaged(const struct sdtkit_note_reader *reader,
		   const struct sdtkit_record *record, const char *what)
{
	return sdtkit_fail(EBADMSG, "note at %#zx of %s: %s", record->start,
			   reader->section, what);
}

/* Padding is not part of a note, so every byte of it belongs to a string. */
static int check_arguments(const struct sdtkit_note_reader *reader,
			   struct sdtkit_record record)
{
	size_t strings = 0;

	while (record.at < record.end) {
		if (sdtkit_note_string(reader, &record) == NULL)
			return damaged(reader, &record,
				       "argument without an end");
		strings++;
	}
	if (strings % STRINGS_PER_ARGUMENT != 0)
		return damaged(reader, &record, "argument not complete");
	if (strings > STRINGS_PER_ARGUMENT * SDTKIT_DESCRIBED_MAX)
		return sdtkit_fail(E2BIG, "note at %#zx of %s: more than %d "
				   "arguments", record.start, reader->section,
				   SDTKIT_DESCRIBED_MAX);
	return 0;
}

static int append(struct sdtkit_descriptions *descriptions,
		  const struct sdtkit_indexed *entry)
{
	if (descriptions->count == descriptions->room) {
		size_t room = descriptions->room == 0 ? 64 :
						descriptions->room * 2;
		struct sdtkit_indexed *indexed =
			realloc(descriptions->indexed, room * sizeof(*indexed));

		if (indexed == NULL)
			return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
		descriptions->indexed = indexed;
		descriptions->room = room;
	}
	descriptions->indexed[descriptions->count++] = *entry;
	return 0;
}

static int add_record(struct sdtkit_descriptions *descriptions,
		      const struct sdtkit_note_reader *reader,
		      struct sdtkit_record record)
{
	struct sdtkit_indexed entry = { .order = descriptions->count };
	const char *summary;
	int ret;

	entry.provider = sdtkit_note_string(reader, &record);
	if (entry.provider == NULL)
		return damaged(reader, &record, "provider name without an end");
	entry.probe = sdtkit_note_string(reader, &record);
	if (entry.probe == NULL)
		return damaged(reader, &record, "probe name without an end");
	summary = sdtkit_note_string(reader, &record);
	if (summary == NULL)
		return damaged(reader, &record, "summary without an end");
	ret = check_arguments(reader, record);
	if (ret < 0)
		return ret;
	entry.rest = summary;
	entry.end = (const char *)reader->data + record.end;
	return append(descriptions, &entry);
}

int sdtkit_descriptions_add(struct sdtkit_descriptions *descriptions,
			    struct sdtkit_note_reader *reader)
{
	struct sdtkit_record record;
	int ret;

	while ((ret = sdtkit_record_next(reader, "sdtkit", &record)) > 0) {
		if (record.type != LAYOUT)
			continue;
		ret = add_record(descriptions, reader, record);
		if (ret < 0)
			return ret;
	}
	return ret;
}

static int compare_names(const struct sdtkit_indexed *entry,
			 const char *provider, const char *probe)
{
	int ret = strcmp(entry->provider, provider);

	return ret != 0 ? ret : strcmp(entry->probe, probe);
}

/* Those of one name stay in the order of the file. */
static int compare(const void *first, const void *second)
{
	const struct sdtkit_indexed *a = first, *b = second;
	int ret = compare_names(a, b->provider, b->probe);

	return ret != 0 ? ret : (a->order > b->order) - (a->order < b->order);
}

void sdtkit_descriptions_sort(struct sdtkit_descriptions *descriptions)
{
	if (descriptions->count > 0)
		qsort(descriptions->indexed, descriptions->count,
		      sizeof(descriptions->indexed[0]), compare);
}

static const char *take(const char **at)
{
	const char *string = *at;

	*at += strlen(string) + 1;
	return string;
}

const struct sdtkit_description *
sdtkit_descriptions_get(struct sdtkit_descriptions *descriptions, size_t index)
{
	const struct sdtkit_indexed *entry = &descriptions->indexed[index];
	struct sdtkit_description *description = &descriptions->description;
	const char *at = entry->rest;
	size_t count = 0;

	descriptions->found = NULL;
	description->provider = entry->provider;
	description->probe = entry->probe;
	description->summary = take(&at);
	while (at < entry->end) {
		struct sdtkit_argument *argument =
			&descriptions->arguments[count++];

		argument->wire = take(&at);
		argument->type = take(&at);
		argument->name = take(&at);
	}
	description->argument_count = count;
	description->arguments = descriptions->arguments;
	return description;
}

const struct sdtkit_description *
sdtkit_descriptions_find(struct sdtkit_descriptions *descriptions,
			 const char *provider, const char *probe)
{
	size_t low = 0, high = descriptions->count;

	/* Sites of one probe often follow each other. */
	if (descriptions->found != NULL &&
	    compare_names(descriptions->found, provider, probe) == 0)
		return &descriptions->description;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&descriptions->indexed[middle], provider,
				  probe) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == descriptions->count ||
	    compare_names(&descriptions->indexed[low], provider, probe) != 0)
		return NULL;
	sdtkit_descriptions_get(descriptions, low);
	descriptions->found = &descriptions->indexed[low];
	return &descriptions->description;
}

void sdtkit_descriptions_clear(struct sdtkit_descriptions *descriptions)
{
	free(descriptions->indexed);
	descriptions->indexed = NULL;
	descriptions->found = NULL;
	descriptions->count = 0;
	descriptions->room = 0;
}
