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
 * name: so all are read and indexed before the first site is handed out.
 * Records are notes of type 2: see layout.c; enums are notes of type 4: see
 * enums.c; spans are notes of type 5: see spans.c.
 *
 * Invariants
 * 1. A note is looked into only if its bytes are whole strings, and as many of
 *    them as its type can have; what is made of it stays until all is cleared.
 * 2. Comments that are not UTF-8, or not as many as arguments, or said
 *    otherwise in another note of the probe, are not known: all are empty.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "enums.h"
#include "fail.h"
#include "layout.h"
#include "printable.h"
#include "spans.h"

/* A description, with its arguments. */
struct made_description {
	struct sdtkit_description description;
	struct sdtkit_argument arguments[];
};

/* What was made of a note, behind the one before it. */
struct sdtkit_block {
	struct sdtkit_block *older;
	_Alignas(max_align_t) unsigned char bytes[];
};

static int add_probe(struct sdtkit_index *probes, struct sdtkit_indexed *entry,
		     size_t arguments)
{
	struct made_description *made = entry->made;
	const char *at = entry->rest;
	size_t i;

	made->description = (struct sdtkit_description) {
		.provider = entry->provider,
		.probe = entry->name,
		.summary = sdtkit_indexed_take(&at),
		.argument_count = arguments,
		.arguments = made->arguments,
	};
	for (i = 0; i < arguments; i++) {
		made->arguments[i].wire = sdtkit_indexed_take(&at);
		made->arguments[i].type = sdtkit_indexed_take(&at);
		made->arguments[i].name = sdtkit_indexed_take(&at);
	}
	return sdtkit_index_append(probes, entry);
}

static int add_comments(struct sdtkit_index *comments,
			struct sdtkit_indexed *entry, size_t count)
{
	return sdtkit_index_append(comments, entry);
}

static const struct type {
	int (*add)(struct sdtkit_index *index, struct sdtkit_indexed *entry,
		   size_t parts);
	/* What the parts are called, and how many there may be. */
	const char *parts;
	size_t most;
	/* The strings before the parts, two of them names, and of each part. */
	size_t head;
	size_t strings;
	/* The bytes of what is made, without the parts, and of each part. */
	size_t size;
	size_t part_size;
	/* It is not known unless it is UTF-8. */
	bool is_text;
} types[SDTKIT_OF_TYPES] = {
	[SDTKIT_OF_PROBE] = {
		add_probe, "arguments", SDTKIT_DESCRIBED_MAX, 3, 3,
		sizeof(struct made_description),
		sizeof(struct sdtkit_argument), false,
	},
	[SDTKIT_OF_RECORD] = {
		sdtkit_layout_add, "members", SDTKIT_PARTS_MAX, 3, 5,
		sizeof(struct sdtkit_made_layout),
		sizeof(struct sdtkit_layout_member), false,
	},
	[SDTKIT_OF_ARGUMENTS] = {
		add_comments, "comments", SDTKIT_PARTS_MAX, 2, 1, 0, 0, true,
	},
	[SDTKIT_OF_ENUM] = {
		sdtkit_enum_add, "types and enumerators", SDTKIT_PARTS_MAX,
		3, 2,
		sizeof(struct sdtkit_made_enum),
		sizeof(struct sdtkit_enumerator), false,
	},
	[SDTKIT_OF_SPAN] = {
		sdtkit_span_add, "properties", SDTKIT_SPAN_PROPERTIES_MAX, 3, 2,
		sizeof(struct sdtkit_made_span),
		sizeof(struct sdtkit_span_property), true,
	},
};

static bool is_text(const char *at, const char *end)
{
	while (at < end) {
		/* All of ASCII is text here, NUL included. */
		size_t size = (unsigned char)*at < 0x80 ? 1 :
			      sdtkit_printable(at);

		if (size == 0)
			return false;
		at += size;
	}
	return true;
}

static size_t count_strings(const char *at, const char *end)
{
	size_t count = 0;

	for (; at < end; at++)
		count += *at == '\0';
	return count;
}

/* Checks how many strings a note has, and sets the number of its parts. */
static int count_parts(const struct type *type, const char *at,
		       const char *end, size_t *parts)
{
	size_t strings = count_strings(at, end);

	if (at == end || end[-1] != '\0')
		return sdtkit_fail(EBADMSG, "it is empty, or its last string is "
				   "not terminated");
	if (strings < type->head)
		return sdtkit_fail(EBADMSG, "it has %zu strings, which are "
				   "less than %zu", strings, type->head);
	strings -= type->head;
	if (strings % type->strings != 0)
		return sdtkit_fail(EBADMSG, "its %s are not complete",
				   type->parts);
	*parts = strings / type->strings;
	if (*parts > type->most)
		return sdtkit_fail(E2BIG, "it has more than %zu %s", type->most,
				   type->parts);
	return 0;
}

/* Makes zeroed memory that stays until all is cleared; NULL: there is none. */
static void *keep(struct sdtkit_descriptions *descriptions, size_t size)
{
	struct sdtkit_block *block = calloc(1, sizeof(*block) + size);

	if (block == NULL)
		return NULL;
	block->older = descriptions->blocks;
	descriptions->blocks = block;
	return block->bytes;
}

/* Padding is not part of a note, so every byte of it belongs to a string. */
static int add_note(struct sdtkit_descriptions *descriptions,
		    const struct sdtkit_note_reader *reader,
		    const struct sdtkit_raw_note *raw)
{
	const struct type *type = &types[raw->type];
	const char *at = (const char *)reader->data + raw->at;
	struct sdtkit_indexed entry = {
		.end = at + (raw->end - raw->at),
		.argument = "",
		.title = "",
	};
	size_t parts = 0;
	int ret = count_parts(type, at, entry.end, &parts);

	if (ret < 0)
		return ret;
	descriptions->parts += parts;
	if (descriptions->parts > SDTKIT_PARTS_MAX)
		return sdtkit_fail(E2BIG, "more than %d arguments, members, "
				   "enumerators and properties",
				   SDTKIT_PARTS_MAX);
	entry.provider = sdtkit_indexed_take(&at);
	entry.name = sdtkit_indexed_take(&at);
	entry.rest = at;
	entry.strings = type->head - 2 + type->strings * parts;
	entry.differs = type->is_text && !is_text(at, entry.end);
	entry.made = keep(descriptions, type->size + parts * type->part_size);
	if (entry.made == NULL)
		return sdtkit_fail(ENOMEM, "%s", strerror(ENOMEM));
	return type->add(&descriptions->of[raw->type], &entry, parts);
}

int sdtkit_descriptions_add(struct sdtkit_descriptions *descriptions,
			    struct sdtkit_note_reader *reader)
{
	struct sdtkit_raw_note raw;
	int ret;

	while ((ret = sdtkit_raw_note_next(reader, "sdtkit", &raw)) > 0) {
		char where[64];

		if (raw.type >= SDTKIT_OF_TYPES || types[raw.type].add == NULL)
			continue;
		ret = add_note(descriptions, reader, &raw);
		if (ret == 0)
			continue;
		snprintf(where, sizeof(where), "note at %#zx of %s", raw.start,
			 reader->section);
		return sdtkit_fail_in(ret, where);
	}
	return ret;
}

/* Only an integer, or an array of them, can have names. */
static const struct sdtkit_enum *
find_names(const struct sdtkit_descriptions *all, const char *provider,
	   const char *wire, const char *type, const char *name)
{
	if (wire[0] != 'u' && wire[0] != 's')
		return NULL;
	return sdtkit_enum_find(&all->of[SDTKIT_OF_ENUM], provider, type, name);
}

static void name_members(const struct sdtkit_descriptions *all,
			 const struct sdtkit_indexed *entry)
{
	struct sdtkit_made_layout *made = entry->made;
	size_t i;

	for (i = 0; i < made->layout.member_count; i++) {
		struct sdtkit_layout_member *member = &made->members[i];

		member->names = find_names(all, entry->provider, member->wire,
					   member->type, member->name);
	}
}

/* Sets what an argument has of other notes; only an address has a record. */
static void complete_arguments(const struct sdtkit_descriptions *all,
			       const struct sdtkit_indexed *entry)
{
	struct made_description *made = entry->made;
	size_t count = made->description.argument_count, i;
	const struct sdtkit_indexed *comments =
		sdtkit_index_find(&all->of[SDTKIT_OF_ARGUMENTS],
				  entry->provider, entry->name, "");
	bool known = comments != NULL && !comments->differs &&
		     comments->strings == count;
	const char *at = known ? comments->rest : NULL;

	for (i = 0; i < count; i++) {
		struct sdtkit_argument *argument = &made->arguments[i];

		argument->doc = known ? sdtkit_indexed_take(&at) : "";
		argument->names = find_names(all, entry->provider,
					     argument->wire, argument->type,
					     argument->name);
		if (strcmp(argument->wire, "p") == 0)
			argument->record =
				sdtkit_layout_find(&all->of[SDTKIT_OF_RECORD],
						   entry->provider,
						   argument->type);
	}
}

void sdtkit_descriptions_sort(struct sdtkit_descriptions *descriptions)
{
	const struct sdtkit_index *probes, *records;
	size_t i;

	for (i = 0; i < SDTKIT_OF_TYPES; i++) {
		sdtkit_index_sort(&descriptions->of[i]);
		/* All notes of a probe are handed out, also if they differ. */
		if (i != SDTKIT_OF_PROBE)
			sdtkit_index_settle(&descriptions->of[i]);
	}
	records = &descriptions->of[SDTKIT_OF_RECORD];
	for (i = 0; i < records->count; i++)
		name_members(descriptions, &records->indexed[i]);
	probes = &descriptions->of[SDTKIT_OF_PROBE];
	for (i = 0; i < probes->count; i++)
		complete_arguments(descriptions, &probes->indexed[i]);
}

const struct sdtkit_description *
sdtkit_descriptions_find(const struct sdtkit_descriptions *descriptions,
			 const char *provider, const char *probe)
{
	const struct sdtkit_indexed *entry =
		sdtkit_index_find(&descriptions->of[SDTKIT_OF_PROBE], provider,
				  probe, "");

	return entry == NULL ? NULL : entry->made;
}

const void *sdtkit_descriptions_next(const struct sdtkit_descriptions *all,
				     enum sdtkit_described type,
				     size_t *position)
{
	const struct sdtkit_index *index = &all->of[type];

	while (*position < index->count) {
		const struct sdtkit_indexed *entry =
			&index->indexed[(*position)++];

		if (!entry->differs)
			return entry->made;
	}
	return NULL;
}

void sdtkit_descriptions_restart(struct sdtkit_descriptions *descriptions)
{
	size_t i;

	for (i = 0; i < SDTKIT_OF_TYPES; i++)
		sdtkit_index_clear(&descriptions->of[i]);
}

void sdtkit_descriptions_clear(struct sdtkit_descriptions *descriptions)
{
	sdtkit_descriptions_restart(descriptions);
	while (descriptions->blocks != NULL) {
		struct sdtkit_block *block = descriptions->blocks;

		descriptions->blocks = block->older;
		free(block);
	}
	descriptions->parts = 0;
}
