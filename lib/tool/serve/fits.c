/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fits.c - compares the probes of the spans of a description with the sites of
 * a file.
 *
 *	#pragma sdtkit span query start=query__start end=query__done
 *	probe query__start(char *query);
 *	site postgresql:query__start, arguments 8@%rbp
 *
 * The sites of one probe may differ: the compiler makes one of them pass a
 * constant as an int. So one site is enough that has the type.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "common/tool.h"
#include "probes/interface.h"
#include "probes/sites.h"
#include "serve/fits.h"

struct wanted {
	const struct interface_probe *probe;
	const struct site *site;	/* the first of them in the file */
	size_t count;
	unsigned int bits;
};

static int by_name(const void *first, const void *second)
{
	return site_compare_names(first, second);
}

/* Finds the sites of a probe; returns false if there are none. */
static bool find_sites(const struct sites *sites, struct wanted *w)
{
	const struct site key = {
		.note.provider = w->probe->provider,
		.note.probe = w->probe->probe,
	};
	const struct site *at;

	if (sites->count == 0)
		return false;
	at = bsearch(&key, sites->site, sites->count, sizeof(key), by_name);
	if (at == NULL)
		return false;
	while (at > sites->site && site_compare_names(at - 1, &key) == 0)
		at--;
	w->site = at;
	w->count = sites_run(sites, (size_t)(at - sites->site),
			     site_compare_names);
	w->bits = sites->info->bits;
	return true;
}

static bool has_type(const struct wanted *w, size_t argument)
{
	size_t i;

	for (i = 0; i < w->count; i++) {
		if (interface_compare(w->probe->arguments[argument].wire,
				      &w->site[i].note.operands[argument],
				      w->bits) == OPERAND_FITS)
			return true;
	}
	return false;
}

static bool has_arguments(const struct wanted *w, char why[FITS_TEXT])
{
	char wire[SDTKIT_WIRE_TEXT], recorded[WIRE_TEXT];
	size_t count = w->probe->count;
	char *declared;
	size_t i;

	for (i = 0; i < w->count; i++) {
		size_t has = w->site[i].note.operand_count;

		if (has == count)
			continue;
		snprintf(why, FITS_TEXT, "%s has %zu argument%s, not %zu",
			 w->probe->probe, has, tool_plural(has), count);
		return false;
	}
	for (i = 0; i < count; i++) {
		if (has_type(w, i))
			continue;
		sdtkit_wire_write(&w->site->note.operands[i], wire);
		declared = interface_argument_text(&w->probe->arguments[i]);
		snprintf(why, FITS_TEXT, "argument %zu of %s is recorded as "
			 "%s, not as '%s'", i, w->probe->probe,
			 wire_text(wire, recorded), declared);
		free(declared);
		return false;
	}
	return true;
}

/* What of the probes of a span the file has. */
enum part { PART_NONE, PART_ALL, PART_WRONG };

static enum part compare_span(const struct interface *description,
			      const struct sdtkit_span *span,
			      const struct sites *sites, char why[FITS_TEXT])
{
	const char *missing = NULL;
	bool has_any = false;
	size_t i;

	for (i = 0; i < description->count; i++) {
		struct wanted w = { .probe = &description->probe[i] };

		if (!span_has_probe(span, w.probe->provider, w.probe->probe))
			continue;
		if (!find_sites(sites, &w)) {
			missing = w.probe->probe;
			continue;
		}
		has_any = true;
		if (!has_arguments(&w, why))
			return PART_WRONG;
	}
	if (!has_any)
		return PART_NONE;
	if (missing == NULL)
		return PART_ALL;
	snprintf(why, FITS_TEXT, "it has no %s, which is a probe of span %s",
		 missing, span->name);
	return PART_WRONG;
}

bool fits_file(const struct interface *description, const struct sites *sites,
	       char why[FITS_TEXT])
{
	const struct kept_spans *spans = &description->spans;
	bool any = false;
	enum part part;
	size_t i;

	why[0] = '\0';
	for (i = 0; i < spans->count; i++) {
		part = compare_span(description, spans->kept[i].span, sites,
				    why);
		if (part == PART_WRONG)
			return false;
		any |= part == PART_ALL;
	}
	return any;
}
