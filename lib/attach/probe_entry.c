/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See probe_entry.h.  Everything is copied: the file is closed after the scan,
 * and the library may be unloaded before the events are read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "error.h"
#include "probe_entry.h"
#include "wire.h"
#include "record_value.h"

static atomic_ulong *new_counter(struct sdtkit_tap *tap)
{
	struct sdtkit_tap_counters *page = tap->counters;
	bool shared = tap->options.flags & SDTKIT_TAP_CHILDREN;

	if (page == NULL ||
	    page->used == sizeof(page->hits) / sizeof(page->hits[0])) {
		page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
			    (shared ? MAP_SHARED : MAP_PRIVATE) |
			    MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			return NULL;
		page->next = tap->counters;
		tap->counters = page;
	}
	return &page->hits[page->used++];
}

/* Copies a string to *at and moves it on; if *at is NULL, only adds to size. */
static const char *put(char **at, size_t *size, const char *text, size_t length)
{
	char *to = *at;

	*size += length + 1;
	if (to == NULL)
		return NULL;
	memcpy(to, text, length);
	to[length] = '\0';
	*at += length + 1;
	return to;
}

static const char *put_string(char **at, size_t *size, const char *text)
{
	return put(at, size, text, strlen(text));
}

struct source {
	const struct sdtkit_site_note *note;
	/* NULL if there is none with this number of arguments. */
	const struct sdtkit_description *description;
	const struct sdtkit_operand *operands;
	size_t count;
};

/* The layout of the record that an argument is the address of, or NULL. */
static const struct sdtkit_layout *record_of(const struct source *source,
					     size_t i)
{
	return source->description == NULL ? NULL :
	       source->description->arguments[i].record;
}

static void put_field(char **at, size_t *size, const struct source *source,
		      size_t i, struct sdtkit_tap_field *field)
{
	const struct sdtkit_operand *operand = &source->operands[i];
	const struct sdtkit_argument *argument = NULL;
	char wire[SDTKIT_WIRE_TEXT];

	if (source->description != NULL)
		argument = &source->description->arguments[i];
	else
		sdtkit_wire_write(operand, wire);
	field->wire = put_string(at, size, argument ? argument->wire : wire);
	field->type = put_string(at, size, argument ? argument->type : "");
	field->name = put_string(at, size, argument ? argument->name : "");
	field->operand = put(at, size, operand->text, operand->length);
}

/* The names of an argument's values, or NULL. */
static const struct sdtkit_enum *names_of(const struct source *source, size_t i)
{
	return source->description == NULL ? NULL :
	       source->description->arguments[i].names;
}

static size_t count_names(const struct sdtkit_enum *names)
{
	return names == NULL ? 0 : names->enumerator_count;
}

/* How many names the values of all fields have, of members too. */
static size_t count_all_names(const struct source *source)
{
	size_t count = 0, i, j;

	for (i = 0; i < source->count; i++) {
		const struct sdtkit_layout *record = record_of(source, i);

		count += count_names(names_of(source, i));
		for (j = 0; record != NULL && j < record->member_count; j++)
			count += count_names(record->members[j].names);
	}
	return count;
}

/*
 * Copies the names of a field's values to *next and moves it on; if *next is
 * NULL, only adds to size.
 */
static void put_names(char **at, size_t *size,
		      struct sdtkit_tap_enumerator **next,
		      const struct sdtkit_enum *names,
		      struct sdtkit_tap_field *field)
{
	size_t count = count_names(names), i;

	field->enumerator_count = count;
	field->enumerators = *next;
	for (i = 0; i < count; i++) {
		const struct sdtkit_enumerator *from = &names->enumerators[i];
		const char *name = put_string(at, size, from->name);

		if (*next == NULL)
			continue;
		(*next)->name = name;
		(*next)->value = from->value;
		(*next)++;
	}
}

/* Copies the names of the members of a record, if the argument is one. */
static void put_members(char **at, size_t *size,
			struct sdtkit_tap_enumerator **next,
			const struct source *source, size_t i,
			struct sdtkit_tap_field *fields)
{
	const struct sdtkit_layout *record = record_of(source, i);
	size_t j;

	for (j = 0; record != NULL && j < record->member_count; j++) {
		const struct sdtkit_layout_member *member = &record->members[j];
		struct sdtkit_tap_field field = {
			.wire = put_string(at, size, member->wire),
			.type = put_string(at, size, member->type),
			.name = put_string(at, size, member->name),
			.operand = "",
		};

		put_names(at, size, next, member->names, &field);
		if (fields != NULL)
			fields[j] = field;
	}
}

/* Copies all strings and returns their size; if at is NULL, only measures. */
static size_t put_strings(char *at, const struct source *source,
			  struct sdtkit_tap_probe_entry *entry)
{
	struct sdtkit_tap_probe *shown = &entry->shown;
	struct sdtkit_tap_enumerator *next = entry->enumerators;
	size_t size = 0, i;

	shown->provider = put_string(&at, &size, source->note->provider);
	shown->probe = put_string(&at, &size, source->note->probe);
	shown->summary = put_string(&at, &size, source->description ?
				    source->description->summary : "");
	for (i = 0; i < source->count; i++) {
		put_field(&at, &size, source, i, &entry->fields[i]);
		put_names(&at, &size, &next, names_of(source, i),
			  &entry->fields[i]);
		put_members(&at, &size, &next, source, i, entry->members[i]);
	}
	return size;
}

static void free_entry(struct sdtkit_tap_probe_entry *entry)
{
	size_t i;

	for (i = 0; i < SDTKIT_TAP_ARGUMENTS_MAX; i++) {
		free(entry->records[i]);
		free(entry->members[i]);
	}
	free(entry->enumerators);
	free(entry->strings);
	free(entry);
}

/* Makes what a hit needs of an argument's record, and its public members. */
static int make_record(const struct source *source, size_t i,
		       struct sdtkit_tap_probe_entry *entry)
{
	const struct sdtkit_layout *record = record_of(source, i);

	if (record == NULL)
		return 0;
	entry->records[i] = sdtkit_tap_new_record(record);
	entry->members[i] = calloc(record->member_count + 1,
				   sizeof(*entry->members[i]));
	if (entry->records[i] == NULL || entry->members[i] == NULL)
		return sdtkit_tap_no_memory();
	entry->fields[i].member_count = record->member_count;
	entry->fields[i].members = entry->members[i];
	return 0;
}

static int make(struct sdtkit_tap *tap, const struct source *source,
		const struct sdtkit_tap_loaded *loaded,
		struct sdtkit_tap_probe_entry **entry)
{
	struct sdtkit_tap_probe_entry *k = calloc(1, sizeof(*k));
	size_t i;

	if (k == NULL)
		return sdtkit_tap_no_memory();
	k->loaded = loaded;
	k->hits = new_counter(tap);
	k->strings = malloc(put_strings(NULL, source, k));
	for (i = 0; i < source->count; i++) {
		if (make_record(source, i, k) < 0)
			break;
	}
	k->enumerators = calloc(count_all_names(source) + 1,
				sizeof(*k->enumerators));
	if (k->hits == NULL || k->strings == NULL || k->enumerators == NULL ||
	    i < source->count) {
		free_entry(k);
		return sdtkit_tap_no_memory();
	}
	put_strings(k->strings, source, k);
	k->shown.object = loaded->path;
	k->shown.described = source->description != NULL;
	k->shown.field_count = source->count;
	k->shown.fields = k->fields;
	for (i = 0; i < source->count; i++) {
		k->forms[i] = sdtkit_tap_form(source->description == NULL ?
					      NULL : k->fields[i].wire,
					      &source->operands[i]);
		k->forms[i].record = k->records[i];
	}
	*entry = k;
	return 0;
}

static struct sdtkit_tap_probe_entry *
find(const struct sdtkit_tap *tap, const struct sdtkit_tap_loaded *loaded,
     const struct sdtkit_site_note *note)
{
	size_t i = tap->entry_count;

	/* The last first: sites of one probe often follow each other. */
	while (i-- > 0) {
		struct sdtkit_tap_probe_entry *entry = tap->entries[i];

		if (entry->loaded == loaded &&
		    strcmp(entry->shown.probe, note->probe) == 0 &&
		    strcmp(entry->shown.provider, note->provider) == 0)
			return entry;
	}
	return NULL;
}

int sdtkit_tap_probe_entry_get(struct sdtkit_tap *tap,
			       const struct sdtkit_tap_loaded *loaded,
			       const struct sdtkit_site_note *note,
			       const struct sdtkit_description *description,
			       const struct sdtkit_operand *operands,
			       size_t count,
			       struct sdtkit_tap_probe_entry **entry)
{
	struct source source = { note, NULL, operands, count };
	struct sdtkit_tap_probe_entry *k = find(tap, loaded, note), **all;
	int ret;

	if (k != NULL && k->shown.field_count == count) {
		*entry = k;
		return 0;
	}
	if (description != NULL && description->argument_count == count)
		source.description = description;
	all = realloc(tap->entries, (tap->entry_count + 1) * sizeof(*all));
	if (all == NULL)
		return sdtkit_tap_no_memory();
	tap->entries = all;
	ret = make(tap, &source, loaded, &k);
	if (ret < 0)
		return ret;
	tap->entries[tap->entry_count++] = k;
	*entry = k;
	return 0;
}

void sdtkit_tap_probe_entries_free(struct sdtkit_tap *tap)
{
	struct sdtkit_tap_counters *page;
	size_t i;

	for (i = 0; i < tap->entry_count; i++)
		free_entry(tap->entries[i]);
	free(tap->entries);
	while ((page = tap->counters) != NULL) {
		tap->counters = page->next;
		munmap(page, sizeof(*page));
	}
}
