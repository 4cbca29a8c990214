/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits.c - converts the kernel's table of waits (waits.bpf.h) to names.
 */
#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "rows.h"
#include "tally.h"
#include "tsmbd.skel.h"
#include "waits.h"
#include "walk.h"

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

/* Processes of the same name, as there are in tests on one machine, are one. */
void waits_take(struct tsmbd *skel, unsigned int bank, struct report *r)
{
	static struct tsmbd_wait_key keys[TSMBD_MAX_WAITS];
	int fd = bpf_map__fd(skel->maps.waits);
	int count = walk_keys(fd, keys, sizeof(keys[0]), TSMBD_MAX_WAITS);
	struct tsmbd_wait wait;
	struct waited w;
	int i;

	for (i = 0; i < count; i++) {
		if (keys[i].bank != bank ||
		    bpf_map_lookup_elem(fd, &keys[i], &wait) != 0)
			continue;
		waits_resolve(&keys[i], &wait, &w);
		report_add_row(r, SMBD_WAITS, &w);
		bpf_map_delete_elem(fd, &keys[i]);
	}
}
