/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler.c - a flame graph since somebody looks. */
#include <stdlib.h>

#include "tsmbd/flame.h"
#include "sampler.h"
#include "tree.h"

static const unsigned long long REFRESH_NS = 5000000000ULL;

static struct flamegraph *graph;	/* NULL: nobody looks */
static unsigned long long began, handed;

static void stop(void)
{
	if (graph != NULL)
		flame_end(graph);
	graph = NULL;
}

void sampler_turn(bool wanted, unsigned long long now,
		  void (*hand_on)(const void *flame, size_t size))
{
	struct page_flame *made;

	if (!wanted) {
		stop();
		return;
	}
	if (graph == NULL) {
		graph = flame_begin();
		began = handed = now;
	}
	if (graph == NULL || now < handed + REFRESH_NS)
		return;
	made = page_flame(graph, began);
	hand_on(made, sizeof(*made) + made->size);
	free(made);
	handed = now;
}
