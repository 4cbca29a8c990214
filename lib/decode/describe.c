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
 * enums are notes of type 4: see enums.c; spans are notes of type 5: see
 * spans.c.
 *
 * Invariants
 * 1. Everything in the index was seen to consist of whole strings, arguments in
 *    threes, and no more of these than the array can hold.
 * 2. Comments that are not UTF-8, or not as many as arguments, or said
 *    otherwise in another note of the probe, are not known: all are empty.
 */
#include <errno.h>
#include <string.h>

#include "describe.h"
#include "fail.h"

/* Types of notes. */
enum {
	OF_PROBE = 1,
	OF_RECORD = 2,
	OF_ARGUMENTS = 3,
	OF_ENUM = 4,
	OF_SPAN = 5,
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

/* Padding is not part of a note, so every byte of it belongs to a string. */
static int read_entry(const struct sdtkit_note_reader *reader,
		      struct sdtkit_raw_note raw, struct sdtkit_indexed *entry)
{
	entry->provider = sdtkit_note_string(reader, &raw);
	if (entry->provider == NULL)
		return damaged(reader, &raw, "provider name is not terminated");
	entry->name = sdtkit_note_string(reader, &raw);
	if (entry->name == NULL)
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
		return sdtkit_index_append(&descriptions->comments, &entry);
	ret = check_arguments(reader, raw, entry.strings);
	return ret < 0 ? ret : sdtkit_index_append(&descriptions->probes, &entry);
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
		else if (raw.type == OF_SPAN)
			ret = sdtkit_spans_add(&descriptions->spans, reader,
					       raw);
		if (ret < 0)
			return ret;
	}
	return ret;
}

void sdtkit_descriptions_sort(struct sdtkit_descriptions *descriptions)
{
	sdtkit_index_sort(&descriptions->probes);
	sdtkit_index_sort(&descriptions->comments);
	sdtkit_index_settle(&descriptions->comments);
	sdtkit_spans_sort(&descriptions->spans);
	sdtkit_enums_sort(&descriptions->enums);
	sdtkit_layouts_sort(&descriptions->layouts);
	sdtkit_layouts_name(&descriptions->layouts, &descriptions->enums);
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
		sdtkit_index_find(&descriptions->comments,
				  description->provider, description->probe);
	size_t count = description->argument_count, i;
	bool known = comments != NULL && comments->strings == count;
	const char *at = known ? comments->rest : NULL;

	for (i = 0; i < count; i++)
		descriptions->arguments[i].doc =
			known ? sdtkit_indexed_take(&at) : "";
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
	description->probe = entry->name;
	description->summary = sdtkit_indexed_take(&at);
	while (at < entry->end) {
		struct sdtkit_argument *argument =
			&descriptions->arguments[count++];

		argument->wire = sdtkit_indexed_take(&at);
		argument->type = sdtkit_indexed_take(&at);
		argument->name = sdtkit_indexed_take(&at);
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
	    sdtkit_indexed_compare(descriptions->found, provider, probe) == 0)
		return &descriptions->description;
	entry = sdtkit_index_find(&descriptions->probes, provider, probe);
	if (entry == NULL)
		return NULL;
	sdtkit_descriptions_get(descriptions, (size_t)
				(entry - descriptions->probes.indexed));
	descriptions->found = entry;
	return &descriptions->description;
}

void sdtkit_descriptions_clear(struct sdtkit_descriptions *descriptions)
{
	sdtkit_index_clear(&descriptions->probes);
	sdtkit_index_clear(&descriptions->comments);
	descriptions->found = NULL;
	sdtkit_layouts_clear(&descriptions->layouts);
	sdtkit_enums_clear(&descriptions->enums);
	sdtkit_spans_clear(&descriptions->spans);
}
