/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sweep.c - spans under way whose processes are gone.
 *
 *	exit(), execve() -> ring "gone" -> processes -> opens, entry by entry
 *
 * A process that begins later cannot be taken for one that is gone, as the time
 * when it began is part of the key. Going through all entries takes a while if
 * there are many, so it happens for no more than a hundredth of the time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common/tool.h"
#include "top/hit.h"
#include "top/sample.h"
#include "top/sweep.h"

enum { BATCH = 4096, SHARE = 100 };

static struct ring_buffer *ring;
static unsigned long long *gone;
static size_t num_gone;
static size_t capacity;
static unsigned long long due;

static int on_gone(void *context, void *data, size_t size)
{
	gone = tool_grow(gone, num_gone, &capacity, sizeof(*gone));
	memcpy(&gone[num_gone++], data, sizeof(*gone));
	return 0;
}

bool sweep_begin(const struct engine *engine)
{
	ring = ring_buffer__new(engine->gone, on_gone, NULL, NULL);
	if (ring == NULL)
		tool_complain("cannot open a ring buffer");
	return ring != NULL;
}

static int compare(const void *a, const void *b)
{
	const unsigned long long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool is_gone(const struct top_key *key)
{
	return bsearch(&key->process, gone, num_gone, sizeof(*gone),
		       compare) != NULL;
}

/* The depths of threads are counted by the kernel: the thread has left. */
static void count(const struct plan *plan, const struct top_key *key)
{
	if (key->span < plan->spans.count &&
	    !plan->spans.span[key->span].by_thread)
		sample_purged(key->span, 1);
}

static void drop(const struct engine *engine, const struct plan *plan,
		 const struct top_key *key)
{
	bpf_map_delete_elem(engine->values, key);
	if (bpf_map_delete_elem(engine->opens, key) != 0)
		return;
	__sync_fetch_and_sub(engine->elsewhere, 1);
	count(plan, key);
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
		bpf_map_delete_elem(engine->values, &key);
		count(plan, &key);
	}
}

static void drop_all(const struct engine *engine, const struct plan *plan)
{
	struct top_key *keys = tool_zeros(BATCH, sizeof(*keys));
	struct top_open *values = tool_zeros(BATCH, sizeof(*values));
	struct bpf_map_batch_opts options = { .sz = sizeof(options) };
	unsigned int position;
	void *in = NULL;
	unsigned int count;
	unsigned int i;
	int ret = 0;

	while (ret == 0) {
		count = BATCH;
		ret = bpf_map_lookup_batch(engine->opens, in, &position, keys,
					   values, &count, &options);
		if (ret != 0 && ret != -ENOENT)	/* at the end */
			break;
		for (i = 0; i < count; i++) {
			if (is_gone(&keys[i]))
				drop(engine, plan, &keys[i]);
		}
		in = &position;
	}
	free(keys);
	free(values);
}

void sweep(struct engine *engine, const struct plan *plan, bool now)
{
	unsigned long long start = engine_now();

	ring_buffer__consume(ring);
	if (num_gone == 0 || (start < due && !now))
		return;
	qsort(gone, num_gone, sizeof(*gone), compare);
	drop_slots(engine, plan);
	if (*engine->elsewhere > 0)
		drop_all(engine, plan);
	due = start + (engine_now() - start) * SHARE;
	num_gone = 0;
}
