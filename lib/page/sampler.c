/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler.c - a flame graph since somebody looks. */
#include <stdlib.h>

#include "sampler.h"
#include "tree.h"

static const unsigned long long REFRESH_NS = 5000000000ULL;

static struct flamegraph *graph;	/* NULL: nobody looks */
static unsigned long long began, handed;

static void stop(const struct report_flames *flames)
{
	if (graph != NULL)
		flames->end(graph);
	graph = NULL;
}

void sampler_turn(const struct report_flames *flames, bool wanted,
		  unsigned long long now,
		  void (*hand_on)(const void *flame, size_t size))
{
	struct page_flame *made;

	if (!wanted) {
		stop(flames);
		return;
	}
	if (graph == NULL) {
		graph = flames->begin();
		began = handed = now;
	}
	if (graph == NULL || now < handed + REFRESH_NS)
		return;
	made = page_flame(graph, began);
	hand_on(made, sizeof(*made) + made->size);
	free(made);
	handed = now;
}
