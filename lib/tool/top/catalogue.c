/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * catalogue.c - collects the probes of all files.
 *
 * What the notes describe is valid until they are closed, so those that have
 * told of a new probe stay open. The same probe of two files is one: most
 * servers have it in one library, and a site knows where its own arguments are.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/text/pairs.h"
#include "lib/uprobe/registers.h"
#include "lib/uprobe/source.h"
#include "sdtkit/notes.h"
#include "top/catalogue.h"
#include "top/describe.h"

struct catalogue catalogue;

/* The arguments of a site, as its file or --description describes them. */
static const struct sdtkit_argument *
make_arguments(const struct sdtkit_site *site, size_t *count)
{
	const struct sdtkit_description *description = site->description;
	struct sdtkit_argument *arguments;
	size_t i;

	*count = site->operand_count;
	if (*count > TOP_ARGUMENTS)
		*count = TOP_ARGUMENTS;
	arguments = tool_zeros(*count, sizeof(*arguments));
	for (i = 0; i < *count; i++) {
		arguments[i].name = "";
		arguments[i].wire = site->operands[i].is_signed ? "s8" : "u8";
		if (description != NULL && i < description->argument_count)
			arguments[i] = description->arguments[i];
		describe_argument(site->provider, site->probe, i,
				  &arguments[i]);
	}
	return arguments;
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
	TOOL_GROW(catalogue.probe, catalogue.count, catalogue.capacity);
	probe = &catalogue.probe[catalogue.count];
	probe->provider = site->provider;
	probe->name = site->probe;
	probe->arguments = make_arguments(site, &probe->num_arguments);
	if (sdtkit_pairs_add(&numbers, probe->provider, probe->name,
			     catalogue.count) != 0)
		tool_no_memory();
	return catalogue.count++;
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
	     i < catalogue.probe[to->probe].num_arguments; i++)
		to->unreadable[i] = source_find(notes, site, &site->operands[i],
						&to->source[i]);
	to->count = (unsigned int)i;
}

/* Spans that are described differently are left out by the library. */
static void read_spans(struct sdtkit_notes *notes)
{
	const struct sdtkit_span *span;
	int ret;

	while ((ret = sdtkit_notes_next_span(notes, &span)) != 0) {
		if (ret > 0 && !spans_add_note(&catalogue.texts, span))
			tool_no_memory();
	}
}

bool catalog_fits(size_t probe, const char *pattern)
{
	char name[512];

	snprintf(name, sizeof(name), "%s:%s", catalogue.probe[probe].provider,
		 catalogue.probe[probe].name);
	return fnmatch(pattern, name, 0) == 0;
}

const struct span_text *catalog_declared(const char *word)
{
	const struct span_text *text;
	size_t i;

	for (i = 0; i < catalogue.texts.count; i++) {
		text = &catalogue.texts.text[i];
		if (spans_text_fits(text, text->provider != NULL ?
				    text->provider : "", word))
			return text;
	}
	return NULL;
}

void *catalog_read(struct sdtkit_notes **open, const char *name)
{
	struct sdtkit_notes *notes = *open;
	const struct sdtkit_notes_info *info = sdtkit_notes_info(notes);
	struct file_sites *sites = tool_zeros(1, sizeof(*sites));
	size_t known = catalogue.count;
	const struct sdtkit_site *site;
	size_t capacity = 0;
	bool other = false;
	int ret;

	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		other = info->machine != registers_machine || info->bits != 64;
		if (ret < 0 || site->offset == SDTKIT_NO_OFFSET || other) {
			if (ret == -ENOMEM)
				tool_no_memory();
			continue;
		}
		TOOL_GROW(sites->site, sites->count, capacity);
		sites->site[sites->count] = (struct file_site){ .probe = 0 };
		read_site(notes, site, &sites->site[sites->count++]);
	}
	read_spans(notes);
	if (catalogue.count > known)
		*open = NULL;
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
