/* SPDX-License-Identifier: BSD-2-Clause */
/* sampled.c - what the CPUs execute, for the page. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sampled.h"
#include "store.h"
#include "tree.h"

static struct page_flame *last;

const struct page_flame *sampled(const struct sink_setup *setup)
{
	const struct report_flames *flames = setup->program->flames;

	if (!flames->wanted(setup->options))
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
