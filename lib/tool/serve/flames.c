/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flames.c - flame graphs of all programs, while somebody looks at the page or
 * an incident lasts.
 *
 *	worker: samples of a second -> page_flame() -> the supervisor ->
 *	each graph, under a root for the program -> the page, or flame.svg
 *
 * The workers choose the names of functions and spans, so there is a limit.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/page/tree.h"
#include "lib/picture/flamegraph.h"
#include "serve/flames.h"
#include "serve/rows.h"

enum { GRAPHS = 4, MAX_NAMES = 1 << 16 };

static struct flamegraph *graphs[GRAPHS];
static void *names;			/* strings that graphs have, sorted */
static unsigned int num_names;

static struct flamegraph **find(const struct flamegraph *graph)
{
	int i;

	for (i = 0; i < GRAPHS; i++) {
		if (graphs[i] == graph)
			return &graphs[i];
	}
	return NULL;
}

static struct flamegraph *begin(void)
{
	struct flamegraph **at = find(NULL);

	if (at == NULL)
		return NULL;
	*at = tool_zeros(1, sizeof(**at));
	**at = (struct flamegraph){
		.title = "What the CPUs execute, by program and span",
		.root = "program and span", .own = "the program",
		.hertz = FLAMES_HERTZ,
	};
	return *at;
}

bool flames_wanted(void)
{
	int i;

	for (i = 0; i < GRAPHS; i++) {
		if (graphs[i] != NULL)
			return true;
	}
	return false;
}

static void end(struct flamegraph *graph)
{
	*find(graph) = NULL;
	flamegraph_free(graph);
	free(graph);
	if (flames_wanted())
		return;
	tdestroy(names, free);
	names = NULL;
	num_names = 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static const char *keep(const char *text)
{
	void *found = tfind(text, &names, compare);
	char *copy;

	if (found != NULL)
		return *(char *const *)found;
	if (num_names == MAX_NAMES)
		return "(other names)";
	copy = strdup(text);
	if (copy == NULL || tsearch(copy, &names, compare) == NULL)
		tool_no_memory();
	num_names++;
	return copy;
}

bool flames_take(const char *program, const void *sent, size_t size)
{
	bool good = true;
	int i;

	for (i = 0; i < GRAPHS; i++) {
		if (graphs[i] != NULL)
			good &= page_flame_add(sent, size, graphs[i], program,
					       keep);
	}
	return good;
}

/* There is none of the whole run. */
static bool is_whole(const void *options)
{
	(void)options;
	return false;
}

static unsigned long long lost(const struct report *report)
{
	const struct lost_sum *sum = report_row(report, SERVE_LOST, 0);

	return report->rows[SERVE_LOST].count > 0 ? sum->samples : 0;
}

const struct report_flames serve_flames = {
	.wanted = is_whole, .begin = begin, .end = end, .lost = lost,
};
