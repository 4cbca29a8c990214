/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * site.c - the sites of a plan, by place and probe. A file may have a hundred
 * thousand of them, so they are found in a tree.
 */
#include <search.h>
#include <stdlib.h>

#include "common/tool.h"
#include "top/site.h"

/* Where a site is among those of the plan. */
struct known_site {
	int file;
	unsigned long long offset;
	size_t probe;
	size_t number;
};

static int compare_sites(const void *a, const void *b)
{
	const struct known_site *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->probe != y->probe)
		return x->probe < y->probe ? -1 : 1;
	return x->file - y->file;
}

/* Returns the number of a site that is known, or that of a new one. */
static size_t number_of(const struct plan *plan, int file,
			const struct file_site *from)
{
	static void *known;
	struct known_site *new = malloc(sizeof(*new));
	struct known_site **found;

	if (new == NULL)
		tool_no_memory();
	*new = (struct known_site){ file, from->offset, from->probe,
				    plan->num_sites };
	found = tsearch(new, &known, compare_sites);
	if (found == NULL)
		tool_no_memory();
	if (*found != new)
		free(new);
	return (*found)->number;
}

struct plan_site *site_get(struct plan *plan, int file,
			   const struct file_site *from, size_t *capacity)
{
	size_t number = number_of(plan, file, from);
	struct plan_site *site;
	size_t i;

	if (number < plan->num_sites)
		return &plan->site[number];
	plan->site = tool_grow(plan->site, plan->num_sites, capacity,
			       sizeof(*plan->site));
	site = &plan->site[plan->num_sites++];
	*site = (struct plan_site){ .probe = from->probe, .file = file };
	site->offset = from->offset;
	site->semaphore = from->semaphore;
	site->arguments.count = from->count;
	for (i = 0; i < from->count; i++) {
		if (from->unreadable[i] == NULL)
			site->arguments.place[i] = from->place[i];
		site->arguments.place[i].is_text =
			catalog.probe[from->probe].arguments[i].wire[0] == 'z';
	}
	return site;
}
