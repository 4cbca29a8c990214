/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Begins when the program does: opens the ring, attaches to the probes, and
 * makes a record of each hit.  See preload.h.
 *
 *	site --trap--> libsdtkit-tap --on_hit()--> ring
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"
#include "record.h"
#include "ring.h"
#include "sdtkit/tap.h"

enum {
	/* Threads that may be in a hit at a time, asleep or not. */
	HITS_AT_A_TIME = 256,
	/* How long a hit waits for a reader that does not read. */
	PATIENCE_MS = 100,
};

static struct sdtkit_ring *ring;
static struct sdtkit_tap *tap;
static pid_t first_pid;
/* Of sdtkit_tap_lost(), what the ring knows already. */
static uint64_t lost_told;

/* Known when the library is loaded: no call is needed to find it. */
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

void sdtkit_preload_enter(void)
{
	depth++;
}

void sdtkit_preload_leave(void)
{
	depth--;
}

bool sdtkit_preload_inside(void)
{
	return depth > 0;
}

sdtkit_preload_function *
sdtkit_preload_next(sdtkit_preload_function **kept, const char *name)
{
	void *found;

	if (*kept == NULL) {
		found = dlsym(RTLD_NEXT, name);
		/* C has no cast from one kind of pointer to the other. */
		memcpy(kept, &found, sizeof(found));
	}
	return *kept;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/*
 * The ring is full.  As long as the reader gets on this waits, so that nothing
 * is lost to a reader that is slow, and not much time to one that is gone.
 */
static void *wait_for_room(size_t size, uint32_t tid)
{
	uint64_t tail, seen = UINT64_MAX, end = 0;
	void *record;

	while (!atomic_load(&ring->stalled)) {
		record = sdtkit_ring_reserve(ring, size, tid);
		if (record != NULL || atomic_load(&ring->closed))
			return record;
		tail = atomic_load(&ring->tail);
		if (tail != seen)
			end = now_ms() + PATIENCE_MS;
		else if (now_ms() >= end)
			atomic_store(&ring->stalled, 1);
		seen = tail;
		sched_yield();
	}
	return NULL;
}

static void on_hit(const struct sdtkit_tap_event *event, void *context)
{
	const struct sdtkit_ring_orders *orders = &ring->orders;
	uint32_t tid = (uint32_t)event->tid;
	void *record;
	size_t size;

	(void)context;
	if (orders->no_children && event->pid != first_pid)
		return;
	size = sdtkit_record_size(event, orders->string_limit,
				  orders->names_only);
	record = sdtkit_ring_reserve(ring, size, tid);
	if (record == NULL && !atomic_load(&ring->closed))
		record = wait_for_room(size, tid);
	if (record == NULL) {
		if (!atomic_load(&ring->closed))
			atomic_fetch_add(&ring->lost, 1);
		return;
	}
	sdtkit_record_write(event, orders->string_limit, orders->names_only,
			    size, record);
	sdtkit_ring_commit(ring, record);
}

/* The first problem is told at the end, for all. */
static void tell_problem(const char *text)
{
	uint32_t none = 0;
	size_t length = strlen(text);

	if (!atomic_compare_exchange_strong(&ring->has_problem, &none, 1))
		return;
	if (length >= sizeof(ring->problem))
		length = sizeof(ring->problem) - 1;
	memcpy(ring->problem, text, length);
	atomic_store(&ring->has_problem, 2);
}

/* The process that made it may be gone, and another have its number. */
static bool is_ring(const char *path)
{
	static const char name[] = "/memfd:" SDTKIT_RING_NAME " ";
	char file[sizeof(name)];

	return readlink(path, file, sizeof(file)) == (ssize_t)sizeof(file) &&
	       memcmp(file, name, sizeof(name) - 1) == 0;
}

static void *map_ring(const char *path)
{
	int fd = is_ring(path) ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *map = MAP_FAILED;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 &&
	    (size_t)status.st_size == sizeof(struct sdtkit_ring))
		map = mmap(NULL, sizeof(struct sdtkit_ring),
			   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

static bool open_ring(void)
{
	const char *path = secure_getenv("SDTKIT_TRACE");

	ring = path != NULL ? map_ring(path) : NULL;
	return ring != NULL && ring->orders.version == SDTKIT_RING_VERSION &&
	       !atomic_load(&ring->closed);
}

static void attach(void)
{
	const struct sdtkit_tap_options options = {
		.flags = SDTKIT_TAP_LENIENT,
		.capacity = HITS_AT_A_TIME,
		.callback = on_hit,
		.string_limit = ring->orders.string_limit,
	};
	const struct sdtkit_tap_probe *probe;
	size_t i;

	if (sdtkit_tap_open_with(ring->orders.patterns, &options, &tap) < 0) {
		tell_problem(sdtkit_tap_error());
		return;
	}
	for (i = 0; (probe = sdtkit_tap_probe_at(tap, i)) != NULL; i++)
		atomic_fetch_add(&ring->attached, probe->site_count);
	if (sdtkit_tap_left_out(tap) > 0) {
		atomic_fetch_add(&ring->left_out, sdtkit_tap_left_out(tap));
		tell_problem(sdtkit_tap_error());
	}
}

void sdtkit_preload_rescan(void)
{
	size_t left_out;
	int ret;

	if (tap == NULL || atomic_load(&ring->closed))
		return;
	sdtkit_preload_enter();
	left_out = sdtkit_tap_left_out(tap);
	ret = sdtkit_tap_rescan(tap);
	if (ret > 0)
		atomic_fetch_add(&ring->attached, (uint64_t)ret);
	left_out = sdtkit_tap_left_out(tap) - left_out;
	atomic_fetch_add(&ring->left_out, left_out);
	if (ret < 0 || left_out > 0)
		tell_problem(sdtkit_tap_error());
	sdtkit_preload_leave();
}

void sdtkit_preload_end(void)
{
	struct sdtkit_tap *open = tap;

	if (open == NULL)
		return;
	tap = NULL;
	atomic_fetch_add(&ring->locked_up, 1);
	sdtkit_preload_enter();
	sdtkit_tap_close(open);
	sdtkit_preload_leave();
}

/* What the parent has lost is not the child's. */
static void in_child(void)
{
	if (tap != NULL)
		lost_told = sdtkit_tap_lost(tap);
}

/* Programs that this one executes are to be left alone. */
static void hide(void)
{
	unsetenv("LD_PRELOAD");
	unsetenv("SDTKIT_TRACE");
}

__attribute__((constructor))
static void begin(void)
{
	if (!open_ring()) {
		ring = NULL;
		return;
	}
	first_pid = getpid();
	sdtkit_ring_forget(ring, (uint32_t)first_pid);
	atomic_fetch_add(&ring->programs, 1);
	if (ring->orders.no_children)
		hide();
	sdtkit_preload_enter();
	sdtkit_preload_take_signals();
	pthread_atfork(NULL, NULL, in_child);
	attach();
	sdtkit_preload_leave();
}

/* Other libraries' destructors may still fire: nothing is closed. */
__attribute__((destructor))
static void end(void)
{
	if (tap == NULL)
		return;
	atomic_fetch_add(&ring->lost, sdtkit_tap_lost(tap) - lost_told);
	lost_told = sdtkit_tap_lost(tap);
}
