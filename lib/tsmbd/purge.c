/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * purge.c - deletes the entries of requests that ended without a probe.
 *
 * Iterating over a map takes long, and thousands of clients may disconnect at
 * once. So they are collected first, and then looked for in one pass.
 */
#include <stdbool.h>
#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/memory.h"
#include "purge.h"
#include "tsmbd.skel.h"
#include "walk.h"

struct gone {
	unsigned int pid;
	unsigned long long xconn;	/* 0: the whole process */
	unsigned long long time;
};

static struct gone *list;
static int count;
static bool limited;		/* one of them has been limited */

static void append(const struct gone *gone)
{
	list = memory_grow(list, (size_t)count, sizeof(*list));
	list[count++] = *gone;
}

/* Most processes have no entry in the shared maps. */
void purge_process(struct tsmbd *skel, unsigned int pid,
		   const struct tsmbd_process *process)
{
	struct tsmbd_request_key key = { .pid = pid };
	struct gone gone = { .pid = pid };

	for (key.req = 1; key.req <= TSMBD_KEPT; key.req++)
		bpf_map_delete_elem(bpf_map__fd(skel->maps.details), &key);
	if (process->elsewhere != 0 || process->sessions != 0 ||
	    process->limit != 0)
		append(&gone);
	limited |= process->limit != 0;
}

void purge_connection(const struct tsmbd_event *event)
{
	struct gone gone = {
		.pid = event->pid,
		.xconn = event->number[0],
		.time = event->time,
	};

	append(&gone);
}

/*
 * Whether the request is of this process or connection. If of a connection, it
 * must have ended: a new connection may have the same address.
 */
static bool has_left(const struct gone *gone,
		     const struct tsmbd_request *request)
{
	return gone->xconn == 0 ||
	       (request->xconn == gone->xconn && request->end != 0 &&
		request->end <= gone->time);
}

/* Returns the first entry of this process, or NULL. */
static const struct gone *find(unsigned long long pid)
{
	struct gone wanted = { .pid = (unsigned int)pid };
	const struct gone *one;

	one = bsearch(&wanted, list, (size_t)count, sizeof(*list), by_pid);
	while (one != NULL && one > list && one[-1].pid == wanted.pid)
		one--;
	return one;
}

static void look_at_request(void *context, const struct tsmbd_request_key *key,
			    const void *request)
{
	const struct gone *one = find(key->pid);
	struct tsmbd *skel = context;

	for (; one != NULL && one < list + count && one->pid == key->pid;
	     one++) {
		if (!has_left(one, request))
			continue;
		bpf_map_delete_elem(bpf_map__fd(skel->maps.requests), key);
		bpf_map_delete_elem(bpf_map__fd(skel->maps.details), key);
		return;
	}
}

static void look_at_process(void *map, const struct tsmbd_request_key *key,
			    const void *value)
{
	const struct gone *one = find(key->pid);

	for (; one != NULL && one < list + count && one->pid == key->pid;
	     one++) {
		if (one->xconn == 0)
			bpf_map_delete_elem(bpf_map__fd(map), key);
	}
}

void purge(struct tsmbd *skel)
{
	if (count == 0)
		return;
	qsort(list, (size_t)count, sizeof(*list), by_pid);
	walk(bpf_map__fd(skel->maps.requests), sizeof(struct tsmbd_request),
	     skel, look_at_request);
	walk(bpf_map__fd(skel->maps.sessions), sizeof(unsigned int),
	     skel->maps.sessions, look_at_process);
	if (limited)
		walk(bpf_map__fd(skel->maps.limited),
		     sizeof(struct tsmbd_limited), skel->maps.limited,
		     look_at_process);
	limited = false;
	count = 0;
}
