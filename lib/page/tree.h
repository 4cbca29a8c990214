/* SPDX-License-Identifier: BSD-2-Clause */
/* A flame graph for the page: as text, so that it can come from elsewhere. */
#ifndef PAGE_TREE_H
#define PAGE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "flamegraph.h"

/* Bytes of the text: narrow boxes are left out until it is smaller. */
enum { PAGE_FLAME_LIMIT = 256 << 10, PAGE_ROOTS = 40, PAGE_ROOT_NAME = 40 };

struct page_flame {
	unsigned int num_roots;
	struct {
		char name[PAGE_ROOT_NAME];
		unsigned long long count;	/* of samples */
	} roots[PAGE_ROOTS];
	size_t size;
	char json[];			/* ends with a 0, which size has */
};

/*
 * Returns the flame graph, which is to be freed. It began at a time of the
 * kernel's clock.
 */
struct page_flame *page_flame(const struct flamegraph *graph,
			      unsigned long long began);

/*
 * The other way: adds it to a flame graph, with a root of its own for all that
 * it has. keep() returns a string that remains as long as that graph. Returns
 * false if it makes no sense.
 */
bool page_flame_add(const struct page_flame *from, size_t size,
		    struct flamegraph *to, const char *root,
		    const char *(*keep)(const char *text));

#endif /* PAGE_TREE_H */
