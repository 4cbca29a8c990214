/* SPDX-License-Identifier: BSD-2-Clause */
/* sampled.c - what the CPUs execute, for the page: taken, and shown. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sampled.h"
#include "sampler.h"
#include "store.h"
#include "tree.h"

static const unsigned long long REFRESH_NS = 5000000000ULL;

static struct flamegraph *graph;	/* NULL: nobody looks */
static unsigned long long began, handed;
static struct page_flame *last;		/* that is shown */

const struct page_flame *sampled(const struct sink_setup *setup)
{
	const struct report_flames *flames = setup->program->flames;

	if (flames == NULL || !flames->wanted(setup->options))
		return last;
	sampled_drop();
	last = page_flame(flames->whole(), page_store()->begin_ns);
	return last;
}

void sampled_drop(void)
{
	free(last);
	last = NULL;
}

void sampled_take(const void *data, size_t size)
{
	const struct page_flame *sent = data;

	if (size < sizeof(*sent) || size - sizeof(*sent) != sent->size ||
	    sent->size == 0 || sent->num_roots > PAGE_ROOTS)
		errx(1, "the tracer has sent a flame graph that makes no "
		     "sense");
	sampled_drop();
	last = memory_of(malloc(size));
	memcpy(last, data, size);
}

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
