/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tally.c - adds up what the processes did, from the map of the kernel.
 *
 * A process is counted once it has served a client: smbd has others, which
 * only wait. The state of each process at the last report is kept, so that the
 * next report has the difference. Processes that have ended stay in the map
 * until they are swept, so that their last moments are not lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/memory.h"
#include "calls.h"
#include "hash.h"
#include "opens.h"
#include "peer.h"
#include "proc.h"
#include "purge.h"
#include "tally.h"
#include "tsmbd.skel.h"
#include "walk.h"

/* What the next report needs of it: there may be 10,000 of them. */
struct known {
	unsigned int pid;
	bool served;
	unsigned long long last;
	unsigned long long phase_ns[TSMBD_PHASES];
	unsigned long long events;
	unsigned long long ctdb_requests;
	unsigned long long syscall_ns;
};

/* The processes at the time of the last report, sorted by pid. */
static struct known *known;
static int num_known;

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

/* client_id() of names.bpf.h, which the kernel calls only when needed. */
static unsigned long long client_id(struct tsmbd *skel,
				    const struct tsmbd_process *p)
{
	unsigned long long words[TSMBD_ADDRESS / 8];
	const char *colon;

	if (p->client_id != 0)
		return p->client_id;
	memcpy(words, p->remote, sizeof(words));
	colon = strrchr(p->remote, ':');
	return colon == NULL ? 0 :
		hash_words(&skel->rodata->secret, words,
			   (unsigned int)(colon - p->remote),
			   TSMBD_ADDRESS / 8);
}

/* --client is about processes too, as each serves one client. */
static bool is_wanted(struct tsmbd *skel, const struct tsmbd_process *p)
{
	unsigned int count = skel->rodata->num_wanted[TSMBD_CLIENTS];
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (skel->rodata->wanted[TSMBD_CLIENTS][i] ==
		    client_id(skel, p))
			return true;
	}
	return count == 0;
}

static void add_process(struct tsmbd *skel, struct tally *t, unsigned int pid,
			const struct tsmbd_process *now)
{
	static const struct known nothing;
	const struct known *k = find_known(pid);
	const struct known *before = k ? k : &nothing;
	int i;

	if (!now->client || !is_wanted(skel, now))
		return;
	t->processes++;
	for (i = 0; i < TSMBD_PHASES; i++) {
		t->phase_ns[i] += now->phase_ns[i] - before->phase_ns[i];
		t->sum_ns += now->phase_ns[i] - before->phase_ns[i];
	}
	t->elapsed_ns += now->last - (k ? before->last : now->begin);
	t->events += now->events - before->events;
	t->ctdb_requests += now->ctdb_requests - before->ctdb_requests;
	t->syscall_ns += now->syscall_ns - before->syscall_ns;
}

/*
 * The kernel may write to it meanwhile. The times and the moment up to which
 * they are accounted must belong together, or time would be counted twice.
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

/* Returns the number of processes, and a new array of their numbers. */
static int list_processes(struct tsmbd *skel, unsigned int **out)
{
	int fd = bpf_map__fd(skel->maps.processes);
	unsigned int *last = NULL;
	unsigned int *list = NULL;
	unsigned int key;
	int count = 0;

	while (count < TSMBD_MAX_PROCESSES &&
	       bpf_map_get_next_key(fd, last, &key) == 0) {
		list = memory_grow(list, (size_t)count, sizeof(*list));
		list[count++] = key;
		last = &key;
	}
	*out = list;
	return count;
}

/* A process that had a client before the tracing began. */
static void know_client(pid_t pid, struct tsmbd_process *process)
{
	struct proc proc;
	int opens;

	process->client = 1;
	if (proc_read(pid, &proc) < 0)
		return;
	opens = opens_of_process(pid, proc.parent);
	process->opens = opens > 0 ? opens : 0;
}

/* The kernel reports the end only of processes in the map, after began. */
static void drop_if_gone(int fd, unsigned int pid)
{
	struct tsmbd_process process;

	if (!proc_is_gone((pid_t)pid))
		return;
	if (bpf_map_lookup_elem(fd, &pid, &process) == 0 && !process.dead)
		bpf_map_delete_elem(fd, &pid);
}

/*
 * For a process that existed before the tracing. Unless it waits, its phase is
 * known only when that ends.
 */
void tally_know(struct tsmbd *skel, unsigned int pid, unsigned long long now)
{
	struct tsmbd_process process = {
		.pid = pid, .begin = now, .last = now, .phase = TSMBD_PHASES,
	};
	int fd = bpf_map__fd(skel->maps.processes);
	struct tsmbd_process known_already;

	if (bpf_map_lookup_elem(fd, &pid, &known_already) == 0)
		return;
	if (calls_waits(skel, pid, &process.loop))
		process.phase = TSMBD_WAIT;
	if (peer_of_process(pid, process.remote,
			    sizeof(process.remote)) == 0)
		know_client((pid_t)pid, &process);
	/* if it does not fit, its first probe adds it, or counts it as lost */
	bpf_map_update_elem(fd, &pid, &process, BPF_NOEXIST);
	drop_if_gone(fd, pid);
}

void tally_begin(struct tsmbd *skel, unsigned long long now)
{
	int fd = bpf_map__fd(skel->maps.processes);
	struct tsmbd_process process;
	unsigned int *list;
	int count;
	int i;

	count = list_processes(skel, &list);
	for (i = 0; i < count; i++) {
		if (!read_process(fd, list[i], &process))
			continue;
		process.begin = now;
		process.last = now;
		bpf_map_update_elem(fd, &list[i], &process, BPF_EXIST);
	}
	skel->bss->began = now;
	for (i = 0; i < count; i++)
		drop_if_gone(fd, list[i]);
	free(list);
}

static void forget(unsigned int pid)
{
	struct known *k = find_known(pid);

	if (k == NULL)
		return;
	memmove(k, k + 1, (size_t)(known + num_known - (k + 1)) * sizeof(*k));
	num_known--;
}

/* Returns at once if no process has ended: reading all takes long. */
void tally_sweep(struct tsmbd *skel, struct tally *t)
{
	int fd = bpf_map__fd(skel->maps.processes);
	static unsigned int swept;
	struct tsmbd_process process;
	unsigned int *list;
	int gone = 0;
	int count;
	int i;

	if (skel->bss->deaths == swept)
		return;
	count = list_processes(skel, &list);
	for (i = 0; i < count; i++) {
		if (!read_process(fd, list[i], &process) || !process.dead)
			continue;
		swept++;
		add_process(skel, t, list[i], &process);
		forget(list[i]);
		purge_process(skel, list[i], &process);
		list[gone++] = list[i];
	}
	purge(skel);
	/* from here on another process may have the same pid */
	for (i = 0; i < gone; i++)
		bpf_map_delete_elem(fd, &list[i]);
	free(list);
}

/*
 * A slice of time that is TSMBD_OTHER or TSMBD_PARSE now may still turn out to
 * be receiving or sending, and one that is TSMBD_SEND to be the next element of
 * a compound, which runs. One that is TSMBD_RUN may have ended in a note that
 * has not been taken. It is left to the next report, if there will be one.
 */
static bool is_certain(struct tsmbd *skel, const struct tsmbd_process *p)
{
	if (p->dead || p->phase >= TSMBD_PHASES)
		return false;
	if (skel->bss->began == 0)
		return true;
	return p->phase != TSMBD_OTHER && p->phase != TSMBD_PARSE &&
		p->phase != TSMBD_SEND &&
		(p->phase != TSMBD_RUN || !skel->bss->notes_wanted);
}

static bool is_served(struct tsmbd *skel, const struct tsmbd_process *p)
{
	return !p->dead && p->client && is_wanted(skel, p);
}

static void count_request(void *context, const struct tsmbd_request_key *key,
			  const void *value)
{
	const struct known *k = find_known((unsigned int)key->pid);
	const struct tsmbd_request *request = value;
	struct tally *t = context;

	if (request->end != 0 || k == NULL || !k->served)
		return;
	t->under_way++;
	t->notifies += request->opcode == TSMBD_NOTIFY;
}

/*
 * Counts the requests in the map that all processes share: those that wait for
 * changes are only there.
 */
static void count_elsewhere(struct tsmbd *skel, struct tally *t)
{
	walk(bpf_map__fd(skel->maps.requests), sizeof(struct tsmbd_request),
	     t, count_request);
}

/* A process parses for microseconds: after this, its request runs. */
static const unsigned long long PARSE_NS = 10000000;

/* Adds what a process has at the end of the report. */
static void add_now(struct tsmbd *skel, struct tally *t,
		    const struct tsmbd_process *p, unsigned long long now)
{
	int i;

	if (!is_served(skel, p))
		return;
	t->connected++;
	t->sessions += p->sessions;
	t->opens += p->opens > 0 ? (unsigned long long)p->opens : 0;
	for (i = 0; i < TSMBD_KEPT; i++)
		t->under_way += p->kept[i] != 0 && p->request[i].end == 0;
	if (p->phase == TSMBD_PARSE && p->last + PARSE_NS < now)
		t->under_way++;
}

static void know(struct tsmbd *skel, unsigned int pid,
		 const struct tsmbd_process *p, struct known *k)
{
	*k = (struct known){
		.pid = pid,
		.served = is_served(skel, p),
		.last = p->last,
		.events = p->events,
		.ctdb_requests = p->ctdb_requests,
		.syscall_ns = p->syscall_ns,
	};
	memcpy(k->phase_ns, p->phase_ns, sizeof(k->phase_ns));
}

static void add_live(struct tsmbd *skel, struct tally *t, unsigned int pid,
		     struct tsmbd_process *p, unsigned long long now)
{
	if (p->last < now && is_certain(skel, p)) {
		p->phase_ns[p->phase] += now - p->last;
		p->last = now;
	}
	add_process(skel, t, pid, p);
	add_now(skel, t, p, now);
}

void tally_live(struct tsmbd *skel, unsigned long long now, struct tally *t)
{
	int fd = bpf_map__fd(skel->maps.processes);
	struct tsmbd_process process;
	struct known *fresh;
	unsigned int *list;
	int total = 0;
	int count;
	int i;

	tally_sweep(skel, t);
	count = list_processes(skel, &list);
	fresh = memory_zeros((size_t)count + 1, sizeof(*fresh));
	for (i = 0; i < count; i++) {
		if (!read_process(fd, list[i], &process))
			continue;
		add_live(skel, t, list[i], &process, now);
		know(skel, list[i], &process, &fresh[total++]);
	}
	qsort(fresh, (size_t)total, sizeof(*fresh), by_pid);
	free(list);
	free(known);
	known = fresh;
	num_known = total;
	count_elsewhere(skel, t);
}
