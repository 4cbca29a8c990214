/* SPDX-License-Identifier: BSD-2-Clause */
/* site.c - a tree of sites, see site.h. */
#include <search.h>
#include <stdlib.h>

#include "common/tool.h"
#include "top/site.h"

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

size_t site_number(int file, const struct file_site *site, size_t next)
{
	static void *known;
	struct known_site *new = malloc(sizeof(*new));
	struct known_site **found;

	if (new == NULL)
		tool_no_memory();
	*new = (struct known_site){ file, site->offset, site->probe, next };
	found = tsearch(new, &known, compare_sites);
	if (found == NULL)
		tool_no_memory();
	if (*found != new)
		free(new);
	return (*found)->number;
}
