/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies sites from libsdtkit-notes, which hands out one at a time, to a sorted
 * array: every subcommand starts from it.
 *
 * Strings and descriptions stay in the file; operands are copied to an arena.
 * For 10,000 sites of 500 probes this needs 10,000 struct site, and no
 * allocation per site.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/patterns.h"
#include "common/tool.h"
#include "probes/sites.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void *keep(struct sites *sites, const void *data, size_t size)
{
	return size == 0 ? NULL : obstack_copy(&sites->arena, data, size);
}

static int32_t read_semaphore(struct sites *sites,
			      const struct sdtkit_site *site)
{
	uint16_t value;
	int ret;

	if (site->semaphore == 0)
		return SEMAPHORE_NONE;
	if (sites->process == NULL)
		return SEMAPHORE_UNKNOWN;
	ret = sdtkit_process_semaphore(sites->process, sites->notes, site,
				       &value);
	if (ret == 0)
		return value;
	if (sites->semaphore_error == 0)
		sites->semaphore_error = ret;
	return SEMAPHORE_UNKNOWN;
}

static void add(struct sites *sites, const struct sdtkit_site *note,
		enum sites_keep what)
{
	struct site *site;

	TOOL_GROW(sites->site, sites->count, sites->capacity);
	site = &sites->site[sites->count];
	site->note = *note;
	site->note.operands = NULL;
	if (what & SITES_OPERANDS)
		site->note.operands = keep(sites, note->operands,
					   note->operand_count *
					   sizeof(note->operands[0]));
	site->order = sites->count;
	site->traced = read_semaphore(sites, note);
	sites->count++;
}

/* In an archive, the spans of the member that was read last. */
static void read_spans(struct sites *sites)
{
	const struct sdtkit_span *span;

	while (sdtkit_notes_next_span(sites->notes, &span) > 0)
		kept_spans_add(&sites->spans, span);
}

void sites_read(struct sites *sites, const char *path,
		struct sdtkit_notes *notes, struct sdtkit_process *process,
		struct patterns *patterns, enum sites_keep what)
{
	const struct sdtkit_site *site;
	int ret;

	*sites = (struct sites) {
		.path = path,
		.notes = notes,
		.info = sdtkit_notes_info(notes),
		.process = process,
	};
	obstack_alloc_failed_handler = tool_no_memory;
	obstack_init(&sites->arena);
	while ((ret = sdtkit_notes_next(notes, &site)) != 0) {
		if (ret < 0) {
			if (sites->errors++ == 0)
				sites->error = strdup(sdtkit_notes_error());
			continue;
		}
		sites->total++;
		read_spans(sites);
		if (patterns_fit(patterns, site->provider, site->probe))
			add(sites, site, what);
	}
}

void sites_free(struct sites *sites)
{
	obstack_free(&sites->arena, NULL);
	kept_spans_free(&sites->spans);
	free(sites->site);
	free(sites->error);
	sdtkit_notes_close(sites->notes);
}

void sites_complain(const struct sites *sites)
{
	if (sites->errors > 0)
		tool_complain("%s: %s", sites->path,
			      sites->error ? sites->error : strerror(ENOMEM));
	if (sites->errors > 1)
		tool_complain("%s: %zu more error%s like this", sites->path,
			      sites->errors - 1,
			      tool_plural(sites->errors - 1));
	if (sites->semaphore_error != 0)
		tool_complain("%s: cannot read the semaphores: %s",
			      sites->path, strerror(-sites->semaphore_error));
}

void sites_keep_traced(struct sites *sites)
{
	size_t kept = 0, i;

	for (i = 0; i < sites->count; i++) {
		if (sites->site[i].traced > 0)
			sites->site[kept++] = sites->site[i];
	}
	sites->count = kept;
}

/* Compares as if the names were joined: "a-b:c" is before "a:b". */
int site_compare_names(const struct site *a, const struct site *b)
{
	const char *p = a->note.provider, *q = b->note.provider;

	if (p != q) {
		int c, d;

		while (*p == *q && *p != '\0') {
			p++;
			q++;
		}
		c = *p != '\0' ? (unsigned char)*p : ':';
		d = *q != '\0' ? (unsigned char)*q : ':';
		if (c != d)
			return c - d;
	}
	return strcmp(a->note.probe, b->note.probe);
}

static int compare_operands(const struct sdtkit_operand *a,
			    const struct sdtkit_operand *b)
{
	if (a->is_float != b->is_float)
		return a->is_float ? -1 : 1;
	if (a->is_signed != b->is_signed)
		return a->is_signed ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

/* The types of a described probe are shown as declared, not as recorded. */
int site_compare_types(const struct site *a, const struct site *b)
{
	bool described = a->note.description != NULL;
	size_t n = a->note.operand_count, m = b->note.operand_count, i;
	int ret = described - (b->note.description != NULL);

	if (described)
		return ret;
	for (i = 0; ret == 0 && i < n && i < m; i++)
		ret = compare_operands(&a->note.operands[i],
				       &b->note.operands[i]);
	return ret != 0 ? ret : (n > m) - (n < m);
}

int site_compare_looks(const struct site *a, const struct site *b)
{
	int ret = site_compare_names(a, b);

	if (ret == 0)
		ret = site_compare_types(a, b);
	if (ret == 0)
		ret = (a->note.semaphore != 0) - (b->note.semaphore != 0);
	if (ret == 0)
		ret = (a->traced > b->traced) - (a->traced < b->traced);
	return ret;
}

static int compare_order(const struct site *a, const struct site *b)
{
	return (a->order > b->order) - (a->order < b->order);
}

static int by_looks_and_order(const void *first, const void *second)
{
	int ret = site_compare_looks(first, second);

	return ret != 0 ? ret : compare_order(first, second);
}

static int by_name_and_order(const void *first, const void *second)
{
	int ret = site_compare_names(first, second);

	return ret != 0 ? ret : compare_order(first, second);
}

void sites_sort(struct sites *sites, bool by_looks)
{
	if (sites->count > 1)
		qsort(sites->site, sites->count, sizeof(sites->site[0]),
		      by_looks ? by_looks_and_order : by_name_and_order);
}

static int by_semaphore(const void *first, const void *second)
{
	const struct site *const *a = first, *const *b = second;
	uint64_t x = (*a)->note.semaphore, y = (*b)->note.semaphore;

	return (x > y) - (x < y);
}

/* The sites of one semaphore; the first stands for its probe. */
static void mark_shared(struct site **sites, size_t count)
{
	bool is_shared = false;
	size_t i;

	for (i = 1; i < count && !is_shared; i++)
		is_shared = strcmp(sites[0]->note.probe,
				   sites[i]->note.probe) != 0;
	for (i = 0; i < count; i++)
		sites[i]->is_shared = is_shared;
}

void sites_find_shared(struct sites *sites)
{
	struct site **sorted = tool_zeros(sites->count + 1, sizeof(sorted[0]));
	size_t count = 0, first, next, i;

	for (i = 0; i < sites->count; i++) {
		if (sites->site[i].note.semaphore != 0)
			sorted[count++] = &sites->site[i];
	}
	qsort(sorted, count, sizeof(sorted[0]), by_semaphore);
	for (first = 0; first < count; first = next) {
		next = first + 1;
		while (next < count &&
		       by_semaphore(&sorted[first], &sorted[next]) == 0)
			next++;
		mark_shared(&sorted[first], next - first);
	}
	free(sorted);
}

size_t sites_run(const struct sites *sites, size_t first,
		 int (*compare)(const struct site *, const struct site *))
{
	const struct site *from = &sites->site[first];
	size_t run = 1;

	while (first + run < sites->count && compare(from, from + run) == 0)
		run++;
	return run;
}

bool sites_have_span(const struct sites *sites, const struct kept_span *kept)
{
	size_t i;

	for (i = 0; i < sites->count && !kept->differs; i++) {
		const struct sdtkit_site *note = &sites->site[i].note;

		if (span_has_probe(kept->span, note->provider, note->probe))
			return true;
	}
	return false;
}
