/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds samples to the tree of a flame graph, see flamegraph.h. */
#include <stdlib.h>
#include <string.h>

#include "flamegraph.h"

enum { MAX_NODES = 1 << 18 };

struct flame *flamegraph_begin(struct flamegraph *graph)
{
	graph->all.count++;
	return &graph->all;
}

/* Names of functions are mostly the same string. */
static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static struct flame *find(const struct flame *parent,
			  const struct flame_box *box)
{
	struct flame *f;

	for (f = parent->child; f != NULL; f = f->next) {
		if (f->box.kind == box->kind &&
		    is_same(f->box.name, box->name) &&
		    is_same(f->box.file, box->file))
			return f;
	}
	return NULL;
}

struct flame *flamegraph_child(struct flamegraph *graph, struct flame *parent,
			  const struct flame_box *box)
{
	struct flame *f = find(parent, box);

	if (f == NULL) {
		if (graph->num_nodes < MAX_NODES)
			f = calloc(1, sizeof(*f));
		if (f == NULL)
			return parent;
		graph->num_nodes++;
		f->box = *box;
		f->next = parent->child;
		parent->child = f;
	}
	f->count++;
	return f;
}

/* The last one stands for all files that do not fit. */
void flamegraph_count_cut(struct flamegraph *graph, const char *file)
{
	int i;

	graph->cut++;
	for (i = 0; i < FLAME_CUTS - 1; i++) {
		if (graph->cuts[i].count == 0)
			graph->cuts[i].file = file;
		if (is_same(graph->cuts[i].file, file))
			break;
	}
	graph->cuts[i].count++;
}

/* What is beside a box is released in a loop, what is above it by a call. */
static void release(struct flame *f)
{
	struct flame *next;

	for (; f != NULL; f = next) {
		next = f->next;
		release(f->child);
		free(f);
	}
}

void flamegraph_free(struct flamegraph *graph)
{
	release(graph->all.child);
	graph->all.child = NULL;
	graph->all.count = 0;
	graph->num_nodes = 0;
	graph->tracing = graph->cut = graph->lost = 0;
	memset(graph->cuts, 0, sizeof(graph->cuts));
}
