/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --totals: how often each probe has fired.
 *
 *	    HITS  PROBE
 *	     512  smb2:request_start
 *	      17  smb2:create_start
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/count.h"
#include "trace/json.h"
#include "trace/output.h"
#include "trace/tracing.h"

struct row {
	uint64_t hits;
	const char *provider;
	const char *probe;
	char text[];
};

static void *tree;
static struct row **rows;
static size_t row_count, row_capacity;

static int by_name(const void *first, const void *second)
{
	const struct row *a = first, *b = second;
	int ret = strcmp(a->provider, b->provider);

	return ret != 0 ? ret : strcmp(a->probe, b->probe);
}

static int by_hits(const void *first, const void *second)
{
	const struct row *a = *(struct row *const *)first;
	const struct row *b = *(struct row *const *)second;

	if (a->hits != b->hits)
		return a->hits < b->hits ? 1 : -1;
	return by_name(a, b);
}

static struct row *new_row(const struct sdtkit_tap_probe *probe)
{
	size_t provider = strlen(probe->provider) + 1;
	size_t size = provider + strlen(probe->probe) + 1;
	struct row *row = malloc(sizeof(*row) + size);

	if (row == NULL)
		tool_no_memory();
	row->hits = 0;
	row->provider = strcpy(row->text, probe->provider);
	row->probe = strcpy(row->text + provider, probe->probe);
	if (tsearch(row, &tree, by_name) == NULL)
		tool_no_memory();
	return row;
}

void tracing_count(const struct sdtkit_tap_event *event)
{
	const struct row key = {
		.provider = event->probe->provider,
		.probe = event->probe->probe,
	};
	struct row *const *found = tfind(&key, &tree, by_name);
	struct row *row = found != NULL ? *found : new_row(event->probe);

	row->hits++;
}

static void collect(const void *node, VISIT visit, int depth)
{
	if (visit != leaf && visit != postorder)
		return;
	TOOL_GROW(rows, row_count, row_capacity);
	rows[row_count++] = *(struct row *const *)node;
}

static void print_row(const struct row *row)
{
	FILE *line;
	char *text;
	size_t size;

	line = open_memstream(&text, &size);
	if (line == NULL)
		tool_no_memory();
	fprintf(line, "%8" PRIu64 "  ", row->hits);
	escape(row->provider, ESCAPE_NAME, escape_to_file, line);
	fputc(':', line);
	escape(row->probe, ESCAPE_NAME, escape_to_file, line);
	if (fclose(line) != 0)
		tool_no_memory();
	tracing_write_line(text, size);
	free(text);
}

void tracing_print_counts(const struct tracing *tracing)
{
	static const char heading[] = "    HITS  PROBE";
	size_t i;

	twalk(tree, collect);
	if (row_count > 0)
		qsort(rows, row_count, sizeof(rows[0]), by_hits);
	if (!tracing->json && row_count > 0)
		tracing_write_line(heading, sizeof(heading) - 1);
	for (i = 0; i < row_count; i++) {
		if (tracing->json)
			tracing_json_count(rows[i]->provider, rows[i]->probe,
					   rows[i]->hits);
		else
			print_row(rows[i]);
	}
}
