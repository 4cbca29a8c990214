/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * catalog.c - collects the probes of all files.
 *
 * What the notes describe is valid only while they are read, so it is copied.
 * The same probe of two files is one: most servers have it in one library, and
 * a site knows where its own arguments are.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/text/pairs.h"
#include "lib/uprobe/words.h"
#include "sdtkit/notes.h"
#include "top/catalog.h"
#include "top/describe.h"
#include "top/place.h"

struct catalog catalog;

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);

	if (memory == NULL)
		tool_no_memory();
	return memory;
}

static char *copy_text(const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		tool_no_memory();
	return copy;
}

static struct sdtkit_enum *copy_enum(const struct sdtkit_enum *from)
{
	struct sdtkit_enumerator *list;
	struct sdtkit_enum *copy;
	size_t i;

	if (from == NULL)
		return NULL;
	copy = allocate(1, sizeof(*copy));
	list = allocate(from->enumerator_count, sizeof(*list));
	for (i = 0; i < from->enumerator_count; i++) {
		list[i].name = copy_text(from->enumerators[i].name);
		list[i].value = from->enumerators[i].value;
	}
	copy->name = copy_text(from->name);
	copy->enumerator_count = from->enumerator_count;
	copy->enumerators = list;
	return copy;
}

static void describe(struct span_argument *to,
		     const struct sdtkit_argument *from)
{
	to->name = copy_text(from->name);
	to->wire = copy_text(from->wire);
	to->names = copy_enum(from->names);
}

static const struct span_argument *
copy_arguments(const struct sdtkit_site *site, size_t *count)
{
	const struct sdtkit_description *description = site->description;
	struct span_argument *copy;
	size_t i;

	*count = site->operand_count;
	if (*count > TOP_ARGUMENTS)
		*count = TOP_ARGUMENTS;
	copy = allocate(*count, sizeof(*copy));
	for (i = 0; i < *count; i++) {
		copy[i].name = "";
		copy[i].wire = site->operands[i].is_signed ? "s8" : "u8";
		if (description != NULL && i < description->argument_count)
			describe(&copy[i], &description->arguments[i]);
		describe_argument(site->provider, site->probe, i, &copy[i]);
	}
	return copy;
}

static struct sdtkit_pairs numbers;

/* Returns the number of the probe of a site; adds it if it is new. */
static size_t probe_of(const struct sdtkit_site *site)
{
	const size_t *known = sdtkit_pairs_find(&numbers, site->provider,
						site->probe);
	struct span_probe *probe;

	if (known != NULL)
		return *known;
	catalog.probe = tool_grow(catalog.probe, catalog.count,
				  &catalog.capacity, sizeof(*probe));
	probe = &catalog.probe[catalog.count];
	probe->provider = copy_text(site->provider);
	probe->name = copy_text(site->probe);
	probe->arguments = copy_arguments(site, &probe->num_arguments);
	if (sdtkit_pairs_add(&numbers, probe->provider, probe->name,
			     catalog.count) != 0)
		tool_no_memory();
	return catalog.count++;
}

static void read_site(const struct sdtkit_notes *notes,
		      const struct sdtkit_site *site, struct file_site *to)
{
	size_t i;

	to->probe = probe_of(site);
	to->offset = site->offset;
	to->address = site->address;
	to->semaphore = site->semaphore == 0 ? 0 : site->semaphore_offset;
	/* a site of another file may have more than the first one had */
	for (i = 0; i < site->operand_count &&
	     i < catalog.probe[to->probe].num_arguments; i++)
		to->unreadable[i] = place_find(notes, site, &site->operands[i],
					       &to->place[i]);
	to->count = (unsigned int)i;
}

/* Spans that are described differently are left out by the library. */
static void read_spans(struct sdtkit_notes *notes)
{
	const struct sdtkit_span *span;
	int ret;

	while ((ret = sdtkit_notes_next_span(notes, &span)) != 0) {
		if (ret > 0)
			spans_add_note(&catalog.texts, span);
	}
}

bool catalog_fits(size_t probe, const char *pattern)
{
	char name[512];

	snprintf(name, sizeof(name), "%s:%s", catalog.probe[probe].provider,
		 catalog.probe[probe].name);
	return fnmatch(pattern, name, 0) == 0;
}

void *catalog_read(struct sdtkit_notes *notes, const char *name)
{
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);
	struct file_sites *sites = allocate(1, sizeof(*sites));
	const struct sdtkit_site *site;
	size_t capacity = 0;
	bool other = false;
	int ret;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		other = info->machine != words_machine || info->bits != 64;
		if (ret < 0 || site->offset == SDTKIT_NO_OFFSET || other) {
			if (ret == -ENOMEM)
				tool_no_memory();
			continue;
		}
		sites->site = tool_grow(sites->site, sites->count, &capacity,
					sizeof(*sites->site));
		sites->site[sites->count] = (struct file_site){ .probe = 0 };
		read_site(notes, site, &sites->site[sites->count++]);
	}
	read_spans(notes);
	if (other)
		tool_complain("%s is left out: it is a file for another "
			      "machine, or one of 32 bits", name);
	if (sites->count > 0)
		return sites;
	catalog_forget(sites);
	return NULL;
}

void catalog_forget(void *data)
{
	struct file_sites *sites = data;

	free(sites->site);
	free(sites);
}
