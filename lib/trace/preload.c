/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's constructor and what follows from it: opens the ring, attaches
 * to the probes, and makes an entry of each hit. See preload.h.
 *
 *	site --trap--> libsdtkit-tap --on_hit()--> ring
 *
 * There is no destructor: a program may end in many ways, and the destructors
 * of its libraries may still fire probes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "patience.h"
#include "preload.h"
#include "reader.h"
#include "ring.h"
#include "sdtkit/tap.h"
#include "self.h"
#include "state.h"
#include "ways.h"
#include "where.h"
#include "withdraw.h"

enum {
	/* How many threads may handle a hit at the same time. */
	HITS_AT_A_TIME = 256,
};

static struct sdtkit_ring *ring;
static struct sdtkit_tap *tap;
static pid_t first_pid;
/*
 * Whether fork() made this process. Its number does not tell: in a PID
 * namespace it may be the same as the parent's.
 */
static bool is_child;
/*
 * Protects the tap: one thread may open a library while another restricts its
 * system calls, which ends the tracing of the process.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether nobody reads any more: the trace has ended, or its reader is gone. */
static bool is_over(void)
{
	return atomic_load(&ring->closed) || sdtkit_reader_is_gone(ring);
}

static bool is_wanted(pid_t pid)
{
	return !is_over() && (!ring->orders.no_children ||
			      (!is_child && pid == first_pid));
}

/*
 * Ends the tap, so that hits which nobody wants cost nothing. The child of a
 * vfork() shares the sites with its parent, so they stay.
 */
static void stop(void)
{
	if (tap != NULL && (is_over() || is_child))
		sdtkit_tap_end(tap);
}

/*
 * Counts a lost hit at once, since the program may end at any time without
 * notice.
 */
static void on_loss(void *context)
{
	(void)context;
	if (is_wanted(getpid()))
		atomic_fetch_add(&ring->lost, 1);
}

static void on_hit(const struct sdtkit_tap_event *event, void *context)
{
	const struct sdtkit_ring_orders *orders = &ring->orders;
	struct sdtkit_self_ids ids;
	struct sdtkit_entry *entry;
	uint32_t writer;
	size_t size;

	if (!is_wanted(event->pid)) {
		stop();
		return;
	}
	ids = sdtkit_self_ids(event->pid, event->tid);
	/*
	 * Without a number, the writer is sdtkit trace itself, which is never
	 * gone.
	 */
	writer = ids.tid != 0 ? ids.tid : orders->reader;
	size = sdtkit_entry_size(event, orders->string_limit,
				 orders->names_only);
	entry = sdtkit_ring_reserve(ring, size, writer);
	if (entry == NULL)
		entry = sdtkit_patience_reserve(ring, size, writer);
	if (entry == NULL) {
		on_loss(context);
		return;
	}
	sdtkit_entry_write(event, orders->string_limit, orders->names_only,
			   size, entry);
	entry->lost = atomic_load(&ring->lost);
	entry->pid = ids.pid;
	entry->tid = ids.tid;
	sdtkit_ring_commit(ring, entry, writer);
}

/*
 * Whether the path is a ring. The process that made it may be gone, and another
 * process may have its number.
 */
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

/* Once, for the program of which the tracer says how much is traced. */
static void count_traps(void)
{
	char text[SDTKIT_RING_TEXT];
	struct sdtkit_tap_ways ways;

	if (atomic_load(&ring->begun) != 0)
		return;
	sdtkit_tap_count_ways(tap, &ways);
	atomic_store(&ring->traps, ways.traps);
	if (ways.why == NULL)
		return;
	snprintf(text, sizeof(text), "of %s%s: %s", ways.provider,
		 ways.is_only_provider ? "" : " and others", ways.why);
	sdtkit_ring_tell(&ring->why_trap, text);
}

/* Adds sites that have been attached to. */
static void count_sites(uint64_t sites)
{
	uint64_t probes = 0, none = 0;

	if (sites > 0)
		count_traps();
	atomic_fetch_add(&ring->attached, sites);
	while (sdtkit_tap_probe_at(tap, probes) != NULL)
		probes++;
	if (sites > 0)
		atomic_compare_exchange_strong(&ring->begun, &none,
					       probes << 32 | sites);
}

static void tell_similar(void)
{
	char names[SIMILAR_TEXT], text[sizeof(names) + 32];

	if (sdtkit_similar_text(&tap->hint.similar, names)[0] == '\0')
		return;
	snprintf(text, sizeof(text), "similar ones: %s", names);
	sdtkit_ring_tell(&ring->hint, text);
}

static void attach(void)
{
	const struct sdtkit_tap_options options = {
		.flags = SDTKIT_TAP_LENIENT,
		.capacity = HITS_AT_A_TIME,
		.callback = on_hit,
		.lost = on_loss,
		.string_limit = ring->orders.string_limit,
	};
	const struct sdtkit_tap_probe *probe;
	uint64_t sites = 0;
	size_t i;

	if (sdtkit_tap_open_with(ring->orders.patterns, &options, &tap) < 0) {
		sdtkit_ring_tell(&ring->problem, sdtkit_tap_error());
		return;
	}
	for (i = 0; (probe = sdtkit_tap_probe_at(tap, i)) != NULL; i++)
		sites += probe->site_count;
	count_sites(sites);
	if (sdtkit_tap_left_out(tap) > 0) {
		atomic_fetch_add(&ring->left_out, sdtkit_tap_left_out(tap));
		sdtkit_ring_tell(&ring->problem, sdtkit_tap_error());
	} else if (i == 0) {
		tell_similar();
	}
}

static void rescan(void)
{
	size_t left_out = sdtkit_tap_left_out(tap);
	int ret;

	if (!is_wanted(getpid()))
		return;
	ret = sdtkit_tap_rescan(tap);
	if (ret > 0)
		count_sites((uint64_t)ret);
	left_out = sdtkit_tap_left_out(tap) - left_out;
	atomic_fetch_add(&ring->left_out, left_out);
	if (ret < 0 || left_out > 0)
		sdtkit_ring_tell(&ring->problem, sdtkit_tap_error());
}

/* Calls the function, if this process has a tap of its own. */
static void with_tap(void (*function)(void))
{
	if (ring == NULL || !sdtkit_self_has_memory())
		return;
	sdtkit_preload_enter();
	pthread_mutex_lock(&lock);
	if (tap != NULL)
		function();
	pthread_mutex_unlock(&lock);
	sdtkit_preload_leave();
}

void sdtkit_preload_rescan(void)
{
	with_tap(rescan);
}

static void let_go(void)
{
	atomic_fetch_add(&ring->locked_up, 1);
	sdtkit_tap_close(tap);
	tap = NULL;
}

void sdtkit_preload_end(void)
{
	with_tap(let_go);
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	is_child = true;
	sdtkit_self_begin(ring->orders.numbers);
	pthread_mutex_unlock(&lock);
}

/* Keeps programs that this one executes from being traced. */
static void hide(void)
{
	unsetenv("LD_PRELOAD");
	unsetenv("SDTKIT_TRACE");
}

__attribute__((constructor))
static void begin(void)
{
	struct sdtkit_self_ids ids;
	bool first;

	if (!open_ring()) {
		ring = NULL;
		return;
	}
	first_pid = getpid();
	sdtkit_self_begin(ring->orders.numbers);
	ids = sdtkit_self_ids(first_pid, first_pid);
	sdtkit_ring_forget(ring, ids.tid);
	first = atomic_fetch_add(&ring->programs, 1) == 0;
	if (ring->orders.no_children)
		hide();
	if (sdtkit_where_filters() > ring->orders.filters) {
		atomic_fetch_add(&ring->locked_up, 1);
		return;
	}
	sdtkit_preload_enter();
	sdtkit_preload_take_signals();
	attach();
	if (first && tap != NULL) {
		atomic_store(&ring->none_at_first,
			     atomic_load(&ring->begun) == 0);
		sdtkit_preload_check_patterns(ring, tap);
	}
	atomic_fetch_add(&ring->ready, 1);
	/*
	 * Registered after the tap's own handlers, so that this lock is taken
	 * before the tap's.
	 */
	pthread_atfork(before_fork, in_parent, in_child);
	sdtkit_preload_leave();
}
