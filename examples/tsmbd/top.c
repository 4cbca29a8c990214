/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.c - the names that caused most.
 *
 * Clients come from the processes, which know them; for users, shares and
 * files the kernel has a map by name, which is emptied with each report.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "report.h"
#include "tsmbd.skel.h"

static int by_requests(const void *a, const void *b)
{
	const struct client *x = a;
	const struct client *y = b;

	if (x->value.requests != y->value.requests)
		return x->value.requests < y->value.requests ? 1 : -1;
	if (x->value.bytes != y->value.bytes)
		return x->value.bytes < y->value.bytes ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int by_bytes(const void *a, const void *b)
{
	const struct client *x = a;
	const struct client *y = b;

	if (x->value.bytes != y->value.bytes)
		return x->value.bytes < y->value.bytes ? 1 : -1;
	return by_requests(a, b);
}

static int by_time(const void *a, const void *b)
{
	const struct client *x = a;
	const struct client *y = b;

	if (x->value.ns != y->value.ns)
		return x->value.ns < y->value.ns ? 1 : -1;
	return by_requests(a, b);
}

static int (*const orders[])(const void *, const void *) = {
	[TSMBD_BY_REQUESTS] = by_requests,
	[TSMBD_BY_BYTES] = by_bytes,
	[TSMBD_BY_TIME] = by_time,
};

/* First all names: one that is taken may come again at once. */
static int take_names(struct tsmbd *skel, struct client *list)
{
	int fd = bpf_map__fd(skel->maps.top);
	const char *last = NULL;
	int count = 0;
	int i;

	while (count < TSMBD_MAX_TOP &&
	       bpf_map_get_next_key(fd, last, list[count].name) == 0)
		last = list[count++].name;
	for (i = 0; i < count; i++) {
		memset(&list[i].value, 0, sizeof(list[i].value));
		bpf_map_lookup_and_delete_elem(fd, list[i].name,
					       &list[i].value);
	}
	return count;
}

void report_top(const struct options *options, struct tsmbd *skel,
		struct report *r)
{
	r->num_top = 0;
	if (options->top_by == TSMBD_TOP_NONE)
		return;
	if (r->top == NULL)
		r->top = calloc(TSMBD_MAX_TOP, sizeof(*r->top));
	if (r->top == NULL)
		err(1, NULL);
	if (options->top_by == TSMBD_CLIENTS) {
		r->num_top = r->tally.num_clients;
		if (r->num_top > 0)
			memcpy(r->top, r->tally.clients,
			       (size_t)r->num_top * sizeof(*r->top));
	} else {
		r->num_top = take_names(skel, r->top);
	}
	qsort(r->top, (size_t)r->num_top, sizeof(*r->top),
	      orders[options->top_order]);
	if ((unsigned int)r->num_top > options->top_lines)
		r->num_top = (int)options->top_lines;
}
