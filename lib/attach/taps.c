/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opens and closes taps.
 *
 *	open --scan--> hooks at places --trap or jump--> buffer or raw function
 *
 * Invariant: taps and hooks are changed under the library's lock, but for what a
 * hit counts and marks (deliver.c, withdraw.c). A child of fork() has its own
 * copy of all but the ring and the counters, which SDTKIT_TAP_CHILDREN shares.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "epoch.h"
#include "error.h"
#include "inside.h"
#include "jump.h"
#include "lock.h"
#include "probe_entry.h"
#include "scan.h"
#include "state.h"
#include "trap.h"
#include "ways.h"

enum {
	EVENTS = 1024,
	CALLS = 64,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Forgets the other threads of the parent, and the hits that they were in. */
static void after_fork(void)
{
	struct sdtkit_tap *tap;

	sdtkit_tap_readers_forget();
	sdtkit_tap_inside_note();
	for (tap = sdtkit_tap_all; tap != NULL; tap = tap->next) {
		if (!(tap->options.flags & SDTKIT_TAP_CHILDREN))
			sdtkit_tap_buffer_forked(tap->buffer,
						 tap->options.callback != NULL);
	}
	sdtkit_tap_unlock();
}

static void watch_forks(void)
{
	pthread_atfork(sdtkit_tap_lock, sdtkit_tap_unlock, after_fork);
}

static void free_tap(struct sdtkit_tap *tap)
{
	struct sdtkit_tap_loaded *loaded;

	sdtkit_tap_buffer_close(tap->buffer);
	sdtkit_tap_probe_entries_free(tap);
	while ((loaded = tap->loaded) != NULL) {
		tap->loaded = loaded->next;
		free(loaded);
	}
	free(tap->pattern);
	free(tap);
}

static void take_out(struct sdtkit_tap *tap)
{
	struct sdtkit_tap **link = &sdtkit_tap_all;

	while (*link != tap)
		link = &(*link)->next;
	*link = tap->next;
}

static int new_tap(const char *pattern,
		   const struct sdtkit_tap_options *options,
		   const struct sdtkit_tap_raw *raw, struct sdtkit_tap **tap)
{
	struct sdtkit_tap *t = calloc(1, sizeof(*t));
	int ret;

	if (t == NULL)
		return sdtkit_tap_no_memory();
	if (options != NULL)
		t->options = *options;
	if (raw != NULL) {
		t->raw = *raw;
		t->options.capacity = 1;
	}
	if (t->options.capacity == 0)
		t->options.capacity = t->options.callback ? CALLS : EVENTS;
	t->owner = getpid();
	t->pattern = strdup(pattern);
	ret = t->pattern != NULL ? 0 :
		sdtkit_tap_no_memory();
	if (ret == 0)
		ret = sdtkit_tap_buffer_open(t->options.capacity,
					     t->options.flags &
					     SDTKIT_TAP_CHILDREN, &t->buffer);
	if (ret < 0)
		free_tap(t);
	else
		*tap = t;
	return ret;
}

/* Traps need a handler. */
static int prepare(const struct sdtkit_tap *tap)
{
	sdtkit_tap_jump_prepare();
	if (tap->raw.has_no_traps && sdtkit_tap_machine.trap_count > 0)
		return 0;
	return sdtkit_tap_handle();
}

int sdtkit_tap_open_raw(const char *pattern,
			const struct sdtkit_tap_options *options,
			const struct sdtkit_tap_raw *raw,
			struct sdtkit_tap **tap)
{
	struct sdtkit_tap *t = NULL;
	bool is_free = true;
	int ret;

	if (pattern == NULL || pattern[strspn(pattern, ", ")] == '\0')
		return sdtkit_tap_fail(EINVAL, "the pattern is empty: \"*:*\" "
				       "selects all probes");
	pthread_once(&once, watch_forks);
	ret = new_tap(pattern, options, raw, &t);
	if (ret < 0)
		return ret;
	sdtkit_tap_lock();
	t->next = sdtkit_tap_all;
	sdtkit_tap_all = t;
	ret = prepare(t);
	if (ret == 0)
		ret = sdtkit_tap_attach(t, true);
	if (ret < 0) {
		is_free = sdtkit_tap_detach(t);
		take_out(t);
	}
	sdtkit_tap_unlock();
	if (ret < 0) {
		if (is_free)
			free_tap(t);
		return ret;
	}
	*tap = t;
	return 0;
}

/* The parent could not see what a child adds to what they share. */
int sdtkit_tap_rescan(struct sdtkit_tap *tap)
{
	int ret;

	if ((tap->options.flags & SDTKIT_TAP_CHILDREN) &&
	    tap->owner != getpid())
		return sdtkit_tap_fail(EPERM, "a tap with SDTKIT_TAP_CHILDREN "
				       "can only be rescanned by the process "
				       "that opened it");
	if (atomic_load(&tap->is_over))
		return 0;
	sdtkit_tap_lock();
	ret = prepare(tap);
	if (ret == 0)
		ret = sdtkit_tap_attach(tap, false);
	sdtkit_tap_unlock();
	return ret;
}

/* Never frees memory that a hit which does not return may still use. */
void sdtkit_tap_close(struct sdtkit_tap *tap)
{
	bool is_free;

	if (tap == NULL)
		return;
	sdtkit_tap_lock();
	is_free = sdtkit_tap_detach(tap);
	take_out(tap);
	sdtkit_tap_unlock();
	if (is_free)
		free_tap(tap);
}

size_t sdtkit_tap_left_out(const struct sdtkit_tap *tap)
{
	return tap->left_out;
}

static void count_trap(struct sdtkit_tap_ways *ways,
		       const struct sdtkit_tap_hook *hook)
{
	const char *provider = hook->entry->shown.provider;

	if (ways->traps++ == 0) {
		ways->why = hook->place->why_trap;
		ways->provider = provider;
		ways->is_only_provider = true;
	}
	if (strcmp(provider, ways->provider) != 0)
		ways->is_only_provider = false;
}

void sdtkit_tap_count_ways(const struct sdtkit_tap *tap,
			   struct sdtkit_tap_ways *ways)
{
	const struct sdtkit_tap_loaded *loaded;
	const struct sdtkit_tap_hook *hook;

	*ways = (struct sdtkit_tap_ways) { .why = NULL };
	sdtkit_tap_lock();
	for (loaded = tap->loaded; loaded != NULL; loaded = loaded->next) {
		for (hook = loaded->hooks; hook != NULL; hook = hook->sibling) {
			if (hook->place->way == SDTKIT_TAP_JUMP)
				ways->jumps++;
			else
				count_trap(ways, hook);
		}
	}
	sdtkit_tap_unlock();
}

const struct sdtkit_tap_probe *
sdtkit_tap_probe_at(const struct sdtkit_tap *tap, size_t index)
{
	const struct sdtkit_tap_probe *probe;

	sdtkit_tap_lock();
	probe = index < tap->entry_count ? &tap->entries[index]->shown : NULL;
	sdtkit_tap_unlock();
	return probe;
}
