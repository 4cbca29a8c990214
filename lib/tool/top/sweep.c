/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sweep.c - spans under way whose processes are gone.
 *
 *	exit(), execve() -> ring "gone" -> processes -> opens, entry by entry
 *
 * A process that begins later cannot be taken for one that is gone, as the time
 * when it began is part of the key. Going through all entries takes a while if
 * there are many, so it happens for no more than a hundredth of the time.
 *
 * The ring has room for 16,384 processes. If more have ended while this command
 * stood still, each process that has a span under way is looked for.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/uprobe/allowed.h"
#include "top/hit.h"
#include "top/sweep.h"

enum { BATCH = 4096, SHARE = 100 };

static struct ring_buffer *ring;
static unsigned long long *gone;
static size_t num_gone;
static size_t capacity;
static unsigned long long due;
static unsigned long long let_go;	/* spans: a bit for each */
static unsigned long long removed[TOP_SPANS];

static void add_gone(unsigned long long process)
{
	TOOL_GROW(gone, num_gone, capacity);
	gone[num_gone++] = process;
}

static int on_gone(void *context, void *data, size_t size)
{
	unsigned long long process;

	memcpy(&process, data, sizeof(process));
	if (process != 0)	/* else it is only to wake the command */
		add_gone(process);
	return 0;
}

bool sweep_begin(const struct engine *engine)
{
	ring = ring_buffer__new(engine->gone, on_gone, NULL, NULL);
	if (ring == NULL)
		tool_complain("cannot open a ring buffer");
	return ring != NULL;
}

unsigned long long sweep_removed(unsigned int span)
{
	return removed[span];
}

int sweep_fd(void)
{
	return ring_buffer__epoll_fd(ring);
}

static int compare(const void *a, const void *b)
{
	const unsigned long long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool is_gone(const struct top_key *key)
{
	return let_go >> (key->span & (TOP_SPANS - 1)) & 1 || (num_gone > 0 &&
	       bsearch(&key->process, gone, num_gone, sizeof(*gone),
		       compare) != NULL);
}

/* The depths of threads are counted by the kernel: the thread has left. */
static void count(const struct plan *plan, const struct top_key *key)
{
	if (key->span < plan->spans.count &&
	    !plan->spans.span[key->span].by_thread)
		removed[key->span]++;
}

struct dropping {
	const struct engine *engine;
	const struct plan *plan;
};

static void drop(const struct top_key *key, const void *value, void *context)
{
	const struct engine *engine = ((struct dropping *)context)->engine;

	if (!is_gone(key))
		return;
	bpf_map_delete_elem(engine->values, key);
	if (bpf_map_delete_elem(engine->opens, key) != 0)
		return;
	__sync_fetch_and_sub(engine->elsewhere, 1);
	count(((struct dropping *)context)->plan, key);
}

static void drop_slots(const struct engine *engine, const struct plan *plan)
{
	struct top_slot *slot;
	struct top_key key;

	for (slot = engine->slots; slot < engine->slots + TOP_SLOTS; slot++) {
		/* only this command changes one whose process is gone */
		if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) !=
		    TOP_IN_USE)
			continue;
		key = slot->key;
		if (!is_gone(&key) ||
		    !__sync_bool_compare_and_swap(&slot->state, TOP_IN_USE,
						  TOP_FREE))
			continue;
		count(plan, &key);
	}
}

void sweep_entries(int map, size_t value_size,
		   void (*each)(const struct top_key *key, const void *value,
				void *context), void *context)
{
	struct top_key *keys = tool_zeros(BATCH, sizeof(*keys));
	char *values = tool_zeros(BATCH, value_size);
	struct bpf_map_batch_opts options = { .sz = sizeof(options) };
	unsigned int position;
	void *in = NULL;
	unsigned int count;
	unsigned int i;
	int ret = 0;

	while (ret == 0) {
		count = BATCH;
		ret = bpf_map_lookup_batch(map, in, &position, keys, values,
					   &count, &options);
		if (ret != 0 && ret != -ENOENT)	/* at the end */
			break;
		for (i = 0; i < count; i++)
			each(&keys[i], values + i * value_size, context);
		in = &position;
	}
	free(keys);
	free(values);
}

/* The lower half of key->process is the process ID. */
static void look_for(const struct top_key *key, const void *value, void *context)
{
	if (kill((pid_t)(unsigned int)key->process, 0) != 0 && errno == ESRCH)
		add_gone(key->process);
}

static void look_for_all(struct engine *engine)
{
	const struct top_slot *slot;

	if (*engine->gone_unknown == 0 || !allowed_sees_processes())
		return;
	*engine->gone_unknown = 0;
	for (slot = engine->slots; slot < engine->slots + TOP_SLOTS; slot++) {
		if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) ==
		    TOP_IN_USE)
			look_for(&slot->key, NULL, NULL);
	}
	if (*engine->elsewhere > 0)
		sweep_entries(engine->opens, sizeof(struct top_open), look_for,
			      NULL);
}

static void drop_all(struct engine *engine, const struct plan *plan)
{
	struct dropping dropping = { engine, plan };

	if (num_gone > 0)
		qsort(gone, num_gone, sizeof(*gone), compare);
	drop_slots(engine, plan);
	if (*engine->elsewhere > 0)
		sweep_entries(engine->opens, sizeof(struct top_open), drop,
			      &dropping);
	num_gone = 0;
}

void sweep(struct engine *engine, const struct plan *plan, bool now)
{
	unsigned long long start = engine_now();

	ring_buffer__consume(ring);
	look_for_all(engine);
	if (num_gone == 0 || (start < due && !now))
		return;
	drop_all(engine, plan);
	due = start + (engine_now() - start) * SHARE;
}

void sweep_spans(struct engine *engine, const struct plan *plan,
		 unsigned long long spans)
{
	let_go = spans;
	drop_all(engine, plan);
	let_go = 0;
}
