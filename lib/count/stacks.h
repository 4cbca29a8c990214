/* SPDX-License-Identifier: BSD-2-Clause */
/* What a thread runs: stacks of spans by thread, and lists. See path.h. */
#ifndef SDTKIT_COUNT_STACKS_H
#define SDTKIT_COUNT_STACKS_H

#include "path.h"
#include "under_way.h"

static bool is_run(const struct hit *hit, const struct sdtkit_count_run *run)
{
	return get(run->state) == run->seen &&
	       run->open->runner == hit->own && run->open->suspended == 0;
}

/* Adds one to the list of the thread, and takes out what it runs no more. */
static void enter_list(struct hit *hit, const struct found *found)
{
	struct sdtkit_count_run *list = hit->own->list;
	uint32_t kept = 0, i;

	for (i = 0; i < hit->own->listed; i++) {
		if (list[i].open != found->open && is_run(hit, &list[i]))
			list[kept++] = list[i];
	}
	/* If there are too many, those in the middle are left out. */
	if (kept == SDTKIT_COUNT_LIST)
		kept--;
	list[kept] = (struct sdtkit_count_run){ found->open, found->state,
						found->seen };
	found->open->runner = hit->own;
	hit->own->listed = kept + 1;
}

/* Adds the time of one that ends to what the thread runs besides it. */
static void tell_running(struct hit *hit, const struct sdtkit_count_open *ended,
			 uint64_t running)
{
	const struct sdtkit_count_run *list = hit->own->list;
	uint32_t i = hit->own->listed;

	while (i-- > 0) {
		if (list[i].open == ended || !is_run(hit, &list[i]))
			continue;
		atomic_fetch_add(&list[i].open->inside, running);
		return;
	}
}

/*
 * Completes the key of a span by thread that begins: the depth of its stack, and
 * for the table of the process the set of the thread. A stack that is full,
 * although many spans have ended since the stack was empty, is not deep: some
 * ends never came, after a longjmp() for instance. The stack begins anew.
 */
FAST bool push(struct hit *hit, unsigned int span, uint64_t *key)
{
	uint32_t *depth = &hit->own->stack[span].depth;
	uint32_t *begun = &hit->own->stack[span].begun;

	if (*depth == 0 || (*depth >= SDTKIT_COUNT_DEPTH &&
			    *begun > 3 * SDTKIT_COUNT_DEPTH / 2))
		*depth = *begun = 0;
	(*begun)++;
	key[0] = (*depth)++;
	key[1] = (uintptr_t)hit->own;
	if (key[0] < SDTKIT_COUNT_DEPTH)
		return true;
	STAT(hit, span, deep);
	return false;
}

/*
 * Completes the key of a span by thread that ends. Returns false if none has
 * begun, or if this one was too deep.
 */
FAST bool pop(struct hit *hit, unsigned int span, uint64_t *key)
{
	uint32_t *depth = &hit->own->stack[span].depth;

	if (*depth == 0) {
		STAT(hit, span, unmatched);
		return false;
	}
	key[0] = --*depth;
	key[1] = (uintptr_t)hit->own;
	return key[0] < SDTKIT_COUNT_DEPTH;
}

/*
 * Completes the key of the topmost span, which remains. Returns false if there
 * is none.
 */
FAST bool top(struct hit *hit, unsigned int span, uint64_t *key)
{
	uint32_t depth = hit->own->stack[span].depth;

	key[0] = (uint64_t)depth - 1;
	key[1] = (uintptr_t)hit->own;
	return depth != 0;
}

/* Frees the spans of a thread that has ended in the table of the process. */
static inline void leave_shared(struct hit *hit, unsigned int span,
				uint32_t depth)
{
	uint64_t key[SDTKIT_COUNT_KEYS] = { 0, (uintptr_t)hit->own };
	uint32_t flags = hit->counter->plans[span].flags;
	struct found found;

	for (; key[0] < depth; key[0]++) {
		if (find_shared(hit, hash_of(span, key, flags), span, key,
				flags, &found) && take(&found))
			give_back(&found);
	}
}

/* Spans that a thread has left in the set, which has ended: they never end. */
static inline void leave_stacks(struct hit *hit)
{
	int i, j;

	for (i = 0; i < SDTKIT_COUNT_SPANS; i++) {
		uint32_t depth = hit->own->stack[i].depth;

		if (depth > SDTKIT_COUNT_DEPTH)
			depth = SDTKIT_COUNT_DEPTH;
		add(&hit->set->stats[i].left, depth);
		if (depth > 0)
			leave_shared(hit, (unsigned int)i, depth);
		hit->own->stack[i].depth = 0;
	}
	hit->own->listed = 0;
	for (i = 0; i < SDTKIT_COUNT_OWN; i++) {
		struct sdtkit_count_group *group = &hit->own->calls[i];

		for (j = 0; j < SDTKIT_COUNT_WAYS; j++) {
			struct found found = {
				.state = &group->state[j],
				.seen = get(&group->state[j]),
			};

			if ((found.seen & SDTKIT_COUNT_STATE) ==
			    SDTKIT_COUNT_UNDER_WAY)
				give_back(&found);
		}
	}
}

#endif /* SDTKIT_COUNT_STACKS_H */
