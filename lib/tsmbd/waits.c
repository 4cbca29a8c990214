/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits.c - converts the kernel's table of waits (waits.bpf.h) to names.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tally.h"
#include "tsmbd.skel.h"
#include "waits.h"

/* A process here may have the pid of one on another node: it is not asked. */
static void name_holder(const struct tsmbd_wait_key *key,
			const struct tsmbd_wait *wait, struct waited *w)
{
	w->holder_pid = key->holder;
	w->holder_vnn = key->node;
	if (key->holder == 0)
		return;
	if (key->node != 0 && wait->holder[0] == '\0')
		snprintf(w->holder, sizeof(w->holder), "pid:%u", key->holder);
	else
		client_name(key->holder, wait->holder, w->holder);
}

void waits_resolve(const struct tsmbd_wait_key *key,
		   const struct tsmbd_wait *wait, struct waited *w)
{
	memset(w, 0, sizeof(*w));
	client_name(key->pid, wait->remote, w->client);
	name_holder(key, wait, w);
	snprintf(w->share, sizeof(w->share), "%.*s", TSMBD_NAME - 1,
		 wait->share);
	raw_file(wait->raw, wait->file, wait->file_length, w->file);
	w->inode = key->inode;
	w->count = wait->count;
	w->ns = wait->ns;
	w->max = wait->max;
}

static int list_keys(int fd, struct tsmbd_wait_key *keys)
{
	struct tsmbd_wait_key *last = NULL;
	int count = 0;

	while (count < TSMBD_MAX_WAITS &&
	       bpf_map_get_next_key(fd, last, &keys[count]) == 0)
		last = &keys[count++];
	return count;
}

static bool is_same(const struct waited *a, const struct waited *b)
{
	return strcmp(a->client, b->client) == 0 &&
	       strcmp(a->holder, b->holder) == 0 &&
	       a->holder_vnn == b->holder_vnn &&
	       strcmp(a->share, b->share) == 0 &&
	       strcmp(a->file, b->file) == 0;
}

/* Processes of the same name, as there are in tests on one machine, are one. */
static int add(struct waited *list, int count, const struct waited *w)
{
	int i;

	for (i = 0; i < count; i++) {
		if (!is_same(&list[i], w))
			continue;
		list[i].count += w->count;
		list[i].ns += w->ns;
		if (w->max > list[i].max)
			list[i].max = w->max;
		return count;
	}
	list[count] = *w;
	return count + 1;
}

static int by_time(const void *a, const void *b)
{
	const struct waited *x = a;
	const struct waited *y = b;

	return x->ns < y->ns ? 1 : -(x->ns > y->ns);
}

int waits_take(struct tsmbd *skel, unsigned int bank, struct waited **out)
{
	static struct tsmbd_wait_key keys[TSMBD_MAX_WAITS];
	int fd = bpf_map__fd(skel->maps.waits);
	struct tsmbd_wait wait;
	struct waited *list;
	struct waited w;
	int count = 0;
	int num_keys;
	int i;

	num_keys = list_keys(fd, keys);
	list = calloc((size_t)num_keys + 1, sizeof(*list));
	if (list == NULL)
		err(1, NULL);
	for (i = 0; i < num_keys; i++) {
		if (keys[i].bank != bank ||
		    bpf_map_lookup_elem(fd, &keys[i], &wait) != 0)
			continue;
		waits_resolve(&keys[i], &wait, &w);
		count = add(list, count, &w);
		bpf_map_delete_elem(fd, &keys[i]);
	}
	qsort(list, (size_t)count, sizeof(*list), by_time);
	*out = list;
	return count;
}
