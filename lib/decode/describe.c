/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of .note.sdtkit -> struct sdtkit_description.
 *
 * The note of a probe (docs/format.md), behind the header of any note, whose
 * owner is "sdtkit" and whose type is 1:
 *
 *	"smb2" "request__start" "A request was parsed."
 *		provider, probe, summary, each with its NUL
 *	"u8" "uint64_t" "mid"
 *	"u2" "uint16_t" "opcode"
 *		wire, type and name of each argument
 *
 * The comments of its arguments are in a note of type 3:
 *
 *	"smb2" "request__start"
 *	"MessageId of the header" ""
 *		a string for each argument
 *
 * A file has one for each probe, in no order, and its sites refer to it by
 * name: so all are indexed before the first site is handed out, and looked
 * into when they are asked for.  Records are notes of type 2: see layout.c;
 * enums are notes of type 4: see enums.c.
 *
 * Invariants
 * 1. Everything in the index was seen to consist of whole strings, arguments in
 *    threes, and no more of these than the array can hold.
 * 2. Comments that are not UTF-8, or not as many as arguments, or said
 *    otherwise in another note of the probe, are not known: all are empty.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "fail.h"
#include "printable.h"

/* Types of notes. */
enum {
	OF_PROBE = 1,
	OF_RECORD = 2,
	OF_ARGUMENTS = 3,
	OF_ENUM = 4,
};

enum {
	STRINGS_PER_ARGUMENT = 3,
};

static int damaged(const struct sdtkit_note_reader *reader,
		   const struct sdtkit_raw_note *raw, const char *what)
{
	return sdtkit_fail(EBADMSG, "note at %#zx of %s: %s", raw->start,
			   reader->section, what);
}

static int check_arguments(const struct sdtkit_note_reader *reader,
			   const struct sdtkit_raw_note *raw, size_t strings)
{
	if (strings == 0)
		return damaged(reader, raw, "summary is not terminated");
	strings--;
	if (strings % STRINGS_PER_ARGUMENT != 0)
		return damaged(reader, raw, "argument is not complete");
	if (strings > STRINGS_PER_ARGUMENT * SDTKIT_DESCRIBED_MAX)
		return sdtkit_fail(E2BIG, "note at %#zx of %s: more than %d "
				   "arguments", raw->start, reader->section,
				   SDTKIT_DESCRIBED_MAX);
	return 0;
}

static int append(struct sdtkit_index *index,
		  const struct sdtkit_indexed *entry)
{
	if (index->count == index->capacity) {
		size_t capacity = index->capacity == 0 ?
				  64 : index->capacity * 2;
		struct sdtkit_indexed *indexed =
			realloc(index->indexed, capacity * sizeof(*indexed));

		if (indexed == NULL)
			return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
		index->indexed = indexed;
		index->capacity = capacity;
	}
	index->indexed[index->count] = *entry;
	index->indexed[index->count].order = index->count;
	index->count++;
	return 0;
}

/* Padding is not part of a note, so every byte of it belongs to a string. */
static int read_entry(const struct sdtkit_note_reader *reader,
		      struct sdtkit_raw_note raw, struct sdtkit_indexed *entry)
{
	entry->provider = sdtkit_note_string(reader, &raw);
	if (entry->provider == NULL)
		return damaged(reader, &raw, "provider name is not terminated");
	entry->probe = sdtkit_note_string(reader, &raw);
	if (entry->probe == NULL)
		return damaged(reader, &raw, "probe name is not terminated");
	entry->rest = (const char *)reader->data + raw.at;
	entry->end = (const char *)reader->data + raw.end;
	for (entry->strings = 0; raw.at < raw.end; entry->strings++) {
		if (sdtkit_note_string(reader, &raw) != NULL)
			continue;
		if (raw.type == OF_ARGUMENTS)
			return damaged(reader, &raw,
				       "comment is not terminated");
		return damaged(reader, &raw, entry->strings == 0 ?
			       "summary is not terminated" :
			       "argument is not terminated");
	}
	return 0;
}

static int add_note(struct sdtkit_descriptions *descriptions,
		    const struct sdtkit_note_reader *reader,
		    const struct sdtkit_raw_note *raw)
{
	struct sdtkit_indexed entry;
	int ret = read_entry(reader, *raw, &entry);

	if (ret < 0)
		return ret;
	if (raw->type == OF_ARGUMENTS)
		return append(&descriptions->comments, &entry);
	ret = check_arguments(reader, raw, entry.strings);
	return ret < 0 ? ret : append(&descriptions->probes, &entry);
}

int sdtkit_descriptions_add(struct sdtkit_descriptions *descriptions,
			    struct sdtkit_note_reader *reader)
{
	struct sdtkit_raw_note raw;
	int ret;

	while ((ret = sdtkit_raw_note_next(reader, "sdtkit", &raw)) > 0) {
		if (raw.type == OF_PROBE || raw.type == OF_ARGUMENTS)
			ret = add_note(descriptions, reader, &raw);
		else if (raw.type == OF_RECORD)
			ret = sdtkit_layouts_add(&descriptions->layouts,
						 reader, raw);
		else if (raw.type == OF_ENUM)
			ret = sdtkit_enums_add(&descriptions->enums, reader,
					       raw);
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

static void sort(struct sdtkit_index *index)
{
	if (index->count > 0)
		qsort(index->indexed, index->count, sizeof(index->indexed[0]),
		      compare);
}

static bool is_text(const struct sdtkit_indexed *entry)
{
	const char *at = entry->rest;

	while (at < entry->end) {
		/* All of ASCII is text here, NUL included. */
		size_t size = (unsigned char)*at < 0x80 ? 1 :
			      sdtkit_printable(at);

		if (size == 0)
			return false;
		at += size;
	}
	return true;
}

/*
 * Leaves one note per probe.  A probe whose notes differ, or whose note is not
 * text, has none.
 */
static void settle(struct sdtkit_index *index)
{
	size_t kept = 0, i, next;

	for (i = 0; i < index->count; i = next) {
		const struct sdtkit_indexed *first = &index->indexed[i], *other;
		size_t length = (size_t)(first->end - first->rest);
		bool known = is_text(first);

		for (next = i + 1; next < index->count; next++) {
			other = &index->indexed[next];
			if (compare_names(other, first->provider,
					  first->probe) != 0)
				break;
			if ((size_t)(other->end - other->rest) != length ||
			    memcmp(other->rest, first->rest, length) != 0)
				known = false;
		}
		if (known)
			index->indexed[kept++] = *first;
	}
	index->count = kept;
}

void sdtkit_descriptions_sort(struct sdtkit_descriptions *descriptions)
{
	sort(&descriptions->probes);
	sort(&descriptions->comments);
	settle(&descriptions->comments);
	sdtkit_enums_sort(&descriptions->enums);
	sdtkit_layouts_sort(&descriptions->layouts);
	sdtkit_layouts_name(&descriptions->layouts, &descriptions->enums);
}

/* The first of this name, or NULL. */
static const struct sdtkit_indexed *find(const struct sdtkit_index *index,
					 const char *provider,
					 const char *probe)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&index->indexed[middle], provider, probe) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->count ||
	    compare_names(&index->indexed[low], provider, probe) != 0)
		return NULL;
	return &index->indexed[low];
}

static const char *take(const char **at)
{
	const char *string = *at;

	*at += strlen(string) + 1;
	return string;
}

/* Only an address can be that of a record. */
static const struct sdtkit_layout *
find_record(const struct sdtkit_descriptions *descriptions,
	    const char *provider, const struct sdtkit_argument *argument,
	    struct sdtkit_layout *record)
{
	if (strcmp(argument->wire, "p") != 0 ||
	    !sdtkit_layouts_find(&descriptions->layouts, provider,
				 argument->type, record))
		return NULL;
	return record;
}

/* Only an integer can have names. */
static const struct sdtkit_enum *
find_names(const struct sdtkit_descriptions *descriptions,
	   const char *provider, const struct sdtkit_argument *argument)
{
	if (argument->wire[0] != 'u' && argument->wire[0] != 's')
		return NULL;
	return sdtkit_enums_find(&descriptions->enums, provider,
				 argument->type, argument->name);
}

static void read_comments(struct sdtkit_descriptions *descriptions,
			  const struct sdtkit_description *description)
{
	const struct sdtkit_indexed *comments =
		find(&descriptions->comments, description->provider,
		     description->probe);
	size_t count = description->argument_count, i;
	bool known = comments != NULL && comments->strings == count;
	const char *at = known ? comments->rest : NULL;

	for (i = 0; i < count; i++)
		descriptions->arguments[i].doc = known ? take(&at) : "";
}

const struct sdtkit_description *
sdtkit_descriptions_get(struct sdtkit_descriptions *descriptions, size_t index)
{
	const struct sdtkit_indexed *entry =
		&descriptions->probes.indexed[index];
	struct sdtkit_description *description = &descriptions->description;
	struct sdtkit_layout *record = descriptions->records;
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
		argument->record = find_record(descriptions, entry->provider,
					       argument, record++);
		argument->names = find_names(descriptions, entry->provider,
					     argument);
	}
	description->argument_count = count;
	description->arguments = descriptions->arguments;
	read_comments(descriptions, description);
	return description;
}

const struct sdtkit_description *
sdtkit_descriptions_find(struct sdtkit_descriptions *descriptions,
			 const char *provider, const char *probe)
{
	const struct sdtkit_indexed *entry;

	/* Sites of one probe often follow each other. */
	if (descriptions->found != NULL &&
	    compare_names(descriptions->found, provider, probe) == 0)
		return &descriptions->description;
	entry = find(&descriptions->probes, provider, probe);
	if (entry == NULL)
		return NULL;
	sdtkit_descriptions_get(descriptions, (size_t)
				(entry - descriptions->probes.indexed));
	descriptions->found = entry;
	return &descriptions->description;
}

void sdtkit_descriptions_clear(struct sdtkit_descriptions *descriptions)
{
	free(descriptions->probes.indexed);
	free(descriptions->comments.indexed);
	descriptions->probes = (struct sdtkit_index) { .count = 0 };
	descriptions->comments = (struct sdtkit_index) { .count = 0 };
	descriptions->found = NULL;
	sdtkit_layouts_clear(&descriptions->layouts);
	sdtkit_enums_clear(&descriptions->enums);
}
