/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Begins when the program does: opens the ring, attaches to the probes, and
 * makes a record of each hit.  See preload.h.
 *
 *	site --trap--> libsdtkit-tap --on_hit()--> ring
 *
 * Nothing is done when the program ends: it may do so in many ways, and the
 * destructors of libraries may still fire.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"
#include "reader.h"
#include "record.h"
#include "ring.h"
#include "sdtkit/tap.h"
#include "self.h"
#include "state.h"
#include "where.h"
#include "withdraw.h"

enum {
	/* Threads that may be in a hit at a time, asleep or not. */
	HITS_AT_A_TIME = 256,
	/* Between two looks for room in the ring; the reader needs the CPU. */
	LOOK_NS = 200000,
	/* The shortest wait: most readers that are only slow get on within it. */
	SLOW_MS = 100,
};

static struct sdtkit_ring *ring;
static struct sdtkit_tap *tap;
static pid_t first_pid;
/* It was made by fork(); its number may be the parent's, in a namespace. */
static bool is_child;
/* Of the tap: one thread may open a library while another locks itself up. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

/* Somebody wants the program to end, and a hit keeps all signals waiting. */
static bool is_told_to_end(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	sigset_t pending;
	size_t i;

	if (sigpending(&pending) < 0)
		return false;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (sigismember(&pending, numbers[i]))
			return true;
	}
	return false;
}

static bool is_worth_waiting(uint64_t waited_ms)
{
	if (waited_ms < SLOW_MS)
		return true;
	return waited_ms < ring->orders.patience_ms &&
	       !sdtkit_reader_is_gone(ring);
}

/*
 * The ring is full.  While the reader gets on, however slowly, this waits, so
 * that a busy machine loses nothing.  If the reader takes nothing because its
 * output is blocked, this waits as long as the user wants.  If the reader is
 * gone, or the program is to end, the hit is lost.
 *
 * It calls syscall() because nanosleep() is a cancellation point: a thread that
 * is cancelled would end there, in the middle of a hit.  The kernel's timespec
 * consists of two longs, whatever the C library's does on 32-bit machines.
 */
static void *wait_for_room(size_t size, uint32_t tid)
{
	static const long look[] = { 0, LOOK_NS };
	uint64_t tail, seen = UINT64_MAX, since = 0, waited;
	void *record;

	while (!atomic_load(&ring->stalled)) {
		record = sdtkit_ring_reserve(ring, size, tid);
		if (record != NULL || atomic_load(&ring->closed))
			return record;
		tail = atomic_load(&ring->tail);
		if (tail != seen)
			since = now_ms();
		seen = tail;
		waited = now_ms() - since;
		if (!is_worth_waiting(waited))
			atomic_store(&ring->stalled, 1);
		else if (waited >= SLOW_MS && is_told_to_end())
			return NULL;
		syscall(SYS_nanosleep, look, NULL);
	}
	return NULL;
}

/* Nobody reads any more: the tracing has ended, or its reader has. */
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
 * So that hits which nobody wants cost nothing.  The child of a vfork() is not
 * wanted either where children are not, but its sites are those of its parent.
 */
static void stop(void)
{
	if (tap != NULL && (is_over() || is_child))
		sdtkit_tap_end(tap);
}

/* At once: the program may end in a way that nobody is told of. */
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
	struct sdtkit_record *record;
	uint32_t writer;
	size_t size;

	if (!is_wanted(event->pid)) {
		stop();
		return;
	}
	ids = sdtkit_self_ids(event->pid, event->tid);
	/* A number that is never that of a thread which is gone. */
	writer = ids.tid != 0 ? ids.tid : orders->reader;
	size = sdtkit_record_size(event, orders->string_limit,
				  orders->names_only);
	record = sdtkit_ring_reserve(ring, size, writer);
	if (record == NULL)
		record = wait_for_room(size, writer);
	if (record == NULL) {
		on_loss(context);
		return;
	}
	sdtkit_record_write(event, orders->string_limit, orders->names_only,
			    size, record);
	record->lost = atomic_load(&ring->lost);
	record->pid = ids.pid;
	record->tid = ids.tid;
	sdtkit_ring_commit(ring, record, writer);
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

/* So many more sites fire. */
static void count_sites(uint64_t sites)
{
	uint64_t probes = 0, none = 0;

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

/* Calls with the tap, if this process has one that is its own. */
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

/* Programs that this one executes are to be left alone. */
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
	/* Behind that of the tap, so that this lock is taken first. */
	pthread_atfork(before_fork, in_parent, in_child);
	sdtkit_preload_leave();
}
