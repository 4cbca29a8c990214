/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tally.c - processes, from the map of the kernel to sums.
 *
 * A process is counted once it has served a client: smbd has others, which
 * only wait. Each process is kept as it was at the last report, so that the
 * next one tells what came since. In the map, the dead remain until they are
 * swept: their last moments are not lost.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "calls.h"
#include "peer.h"
#include "tally.h"
#include "tsmbd.skel.h"

enum { MAX_CLIENTS = 4096 };

struct known {
	unsigned int pid;
	struct tsmbd_process process;
};

/* As they were at the last report, by pid. */
static struct known *known;
static int num_known;

static int by_pid(const void *a, const void *b)
{
	const struct known *x = a;
	const struct known *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static struct known *find_known(unsigned int pid)
{
	struct known key = { .pid = pid };

	if (num_known == 0)
		return NULL;
	return bsearch(&key, known, (size_t)num_known, sizeof(key), by_pid);
}

void client_name(unsigned int pid, const char *remote, char name[TSMBD_NAME])
{
	if (remote[0] != '\0')
		snprintf(name, TSMBD_NAME, "%.*s", TSMBD_ADDRESS - 1, remote);
	else if (peer_of_process(pid, name, TSMBD_NAME) < 0)
		snprintf(name, TSMBD_NAME, "pid:%u", pid);
}

/* The last place is for all that do not fit. */
static struct client *client_find(struct tally *t, const char *name)
{
	int i;

	if (t->clients == NULL) {
		t->clients = calloc(MAX_CLIENTS, sizeof(*t->clients));
		if (t->clients == NULL)
			err(1, NULL);
	}
	for (i = 0; i < t->num_clients; i++) {
		if (strcmp(t->clients[i].name, name) == 0)
			return &t->clients[i];
	}
	if (t->num_clients == MAX_CLIENTS)
		return &t->clients[MAX_CLIENTS - 1];
	if (t->num_clients == MAX_CLIENTS - 1)
		name = "(others)";
	snprintf(t->clients[i].name, TSMBD_NAME, "%s", name);
	t->num_clients++;
	return &t->clients[i];
}

static void add_client(struct tally *t, unsigned int pid,
		       const struct tsmbd_process *now,
		       const struct tsmbd_process *before)
{
	struct tsmbd_top_value *value;
	char name[TSMBD_NAME];

	if (now->requests == before->requests)
		return;
	client_name(pid, now->remote, name);
	value = &client_find(t, name)->value;
	value->requests += now->requests - before->requests;
	value->bytes += now->bytes_in - before->bytes_in +
			now->bytes_out - before->bytes_out;
	value->ns += now->request_ns - before->request_ns;
}

static void add_process(struct tally *t, unsigned int pid,
			const struct tsmbd_process *now)
{
	static const struct tsmbd_process nothing;
	const struct known *k = find_known(pid);
	const struct tsmbd_process *before = k ? &k->process : &nothing;
	int i;

	if (!now->client)
		return;
	t->processes++;
	for (i = 0; i < TSMBD_PHASES; i++) {
		t->phase_ns[i] += now->phase_ns[i] - before->phase_ns[i];
		t->sum_ns += now->phase_ns[i] - before->phase_ns[i];
	}
	t->elapsed_ns += now->last - (k ? before->last : now->begin);
	t->events += now->events - before->events;
	t->requests += now->requests - before->requests;
	t->bytes_in += now->bytes_in - before->bytes_in;
	t->bytes_out += now->bytes_out - before->bytes_out;
	t->ctdb_requests += now->ctdb_requests - before->ctdb_requests;
	t->syscall_ns += now->syscall_ns - before->syscall_ns;
	add_client(t, pid, now, before);
}

/*
 * It may be written to meanwhile. What has been accounted must be that of the
 * same moment as until when, or some of it would be counted twice.
 */
static bool read_process(int fd, unsigned int pid, struct tsmbd_process *p)
{
	struct tsmbd_process again;

	do {
		if (bpf_map_lookup_elem(fd, &pid, p) != 0 ||
		    bpf_map_lookup_elem(fd, &pid, &again) != 0)
			return false;
	} while (again.last != p->last);
	return true;
}

/* Returns how many there are in a new array. */
static int read_processes(struct tsmbd *skel, struct known **out)
{
	int fd = bpf_map__fd(skel->maps.processes);
	unsigned int *last = NULL;
	struct known *list;
	unsigned int key;
	int count = 0;
	int max = 64;

	list = calloc((size_t)max, sizeof(*list));
	while (list != NULL && count < TSMBD_MAX_PROCESSES &&
	       bpf_map_get_next_key(fd, last, &key) == 0) {
		if (count == max) {
			max *= 2;
			list = reallocarray(list, (size_t)max, sizeof(*list));
			if (list == NULL)
				break;
		}
		list[count].pid = key;
		if (read_process(fd, key, &list[count].process))
			count++;
		last = &key;
	}
	if (list == NULL)
		err(1, NULL);
	qsort(list, (size_t)count, sizeof(*list), by_pid);
	*out = list;
	return count;
}

/*
 * A process that was there before the tracing. Unless it waits, what it does
 * will be known when it does something else.
 */
void tally_know(struct tsmbd *skel, unsigned int pid, unsigned long long now)
{
	struct tsmbd_process process = {
		.begin = now, .last = now, .phase = TSMBD_PHASES,
	};

	if (calls_waits(skel, pid, &process.loop))
		process.phase = TSMBD_WAIT;
	/* what does not fit is found by its first probe, or is lost then */
	bpf_map_update_elem(bpf_map__fd(skel->maps.processes), &pid, &process,
			    BPF_NOEXIST);
}

/* One that has ended; another connection may have got the address since. */
static bool is_left_by(const struct tsmbd_event *gone,
		       const struct tsmbd_request *request)
{
	return request->xconn == gone->number[0] && request->end != 0 &&
	       request->end <= gone->time;
}

/* What a process has in the map, or what a connection has left there. */
static void purge(struct tsmbd *skel, unsigned int pid,
		  const struct tsmbd_event *gone)
{
	int fd = bpf_map__fd(skel->maps.requests);
	struct tsmbd_request_key next;
	struct tsmbd_request_key key;
	struct tsmbd_request request;
	bool more;

	more = bpf_map_get_next_key(fd, NULL, &next) == 0;
	while (more) {
		key = next;
		more = bpf_map_get_next_key(fd, &key, &next) == 0;
		if (key.pid != pid ||
		    (gone != NULL &&
		     (bpf_map_lookup_elem(fd, &key, &request) != 0 ||
		      !is_left_by(gone, &request))))
			continue;
		bpf_map_delete_elem(fd, &key);
		bpf_map_delete_elem(bpf_map__fd(skel->maps.details), &key);
	}
}

void tally_purge(struct tsmbd *skel, const struct tsmbd_event *gone)
{
	purge(skel, gone->pid, gone);
}

/* Most have nothing in the map, which is long to look through. */
static void purge_process(struct tsmbd *skel, const struct known *k)
{
	struct tsmbd_request_key key = { .pid = k->pid };

	for (key.req = 1; key.req <= TSMBD_KEPT; key.req++)
		bpf_map_delete_elem(bpf_map__fd(skel->maps.details), &key);
	if (k->process.elsewhere != 0)
		purge(skel, k->pid, NULL);
}

static void forget(unsigned int pid)
{
	struct known *k = find_known(pid);

	if (k == NULL)
		return;
	memmove(k, k + 1, (size_t)(known + num_known - (k + 1)) * sizeof(*k));
	num_known--;
}

void tally_sweep(struct tsmbd *skel, struct tally *t)
{
	int fd = bpf_map__fd(skel->maps.processes);
	struct known *list;
	int count;
	int i;

	count = read_processes(skel, &list);
	for (i = 0; i < count; i++) {
		if (!list[i].process.dead)
			continue;
		add_process(t, list[i].pid, &list[i].process);
		forget(list[i].pid);
		purge_process(skel, &list[i]);
		bpf_map_delete_elem(fd, &list[i].pid);
	}
	free(list);
}

/*
 * What is called something else, or parsing, may still turn out to be a receive
 * or a send: it is left to the next report, unless there is none.
 */
static bool is_certain(struct tsmbd *skel, const struct tsmbd_process *p)
{
	if (p->dead || p->phase >= TSMBD_PHASES)
		return false;
	return (p->phase != TSMBD_OTHER && p->phase != TSMBD_PARSE) ||
	       skel->bss->began == 0;
}

void tally_live(struct tsmbd *skel, unsigned long long now, struct tally *t)
{
	struct tsmbd_process *p;
	struct known *list;
	int count;
	int i;

	tally_sweep(skel, t);
	count = read_processes(skel, &list);
	for (i = 0; i < count; i++) {
		p = &list[i].process;
		if (p->last < now && is_certain(skel, p)) {
			p->phase_ns[p->phase] += now - p->last;
			p->last = now;
		}
		add_process(t, list[i].pid, p);
	}
	free(known);
	known = list;
	num_known = count;
}

void tally_reset(struct tally *t)
{
	struct client *clients = t->clients;

	if (clients != NULL)
		memset(clients, 0, MAX_CLIENTS * sizeof(*clients));
	memset(t, 0, sizeof(*t));
	t->clients = clients;
}
