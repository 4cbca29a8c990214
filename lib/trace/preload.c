/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library's constructor and what follows from it: opens the control, and a
 * recorder that writes to the record beside it. See preload.h.
 *
 *	site --> libsdtkit-tap --> lib/record/hit.c --> the thread's ring
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

#include "../record/open_recorder.h"
#include "../record/reader.h"
#include "control.h"
#include "preload.h"
#include "self.h"
#include "state.h"
#include "ways.h"
#include "where.h"

static struct sdtkit_trace_control *control;
static struct sdtkit_recorder *recorder;
/*
 * Protects the recorder: one thread may open a library while another restricts
 * its system calls, which ends the tracing of the process.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Whether the path is that of a file in memory with this name. The process that
 * made it may be gone, and another process may have its number.
 */
static bool is_named(const char *path, const char *name)
{
	char file[64], wanted[64];
	ssize_t length = readlink(path, file, sizeof(file));
	int size = snprintf(wanted, sizeof(wanted), "/memfd:%s ", name);

	return length >= size && memcmp(file, wanted, (size_t)size) == 0;
}

static int open_file(const char *path, const char *name)
{
	return is_named(path, name) ? open(path, O_RDWR | O_CLOEXEC) : -1;
}

static void *map_control(const char *path)
{
	int fd = open_file(path, SDTKIT_TRACE_NAME);
	void *map = MAP_FAILED;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 &&
	    (size_t)status.st_size == sizeof(struct sdtkit_trace_control))
		map = mmap(NULL, sizeof(struct sdtkit_trace_control),
			   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

/* Returns a descriptor, or -1 if there is no trace to take part in. */
static int open_record(void)
{
	const char *path = secure_getenv("SDTKIT_TRACE");
	char record[64];

	control = path != NULL ? map_control(path) : NULL;
	if (control == NULL || control->orders.version != SDTKIT_TRACE_VERSION)
		return -1;
	/* "/proc/4710/fd/5": the record is beside it. */
	snprintf(record, sizeof(record), "%.*s%d",
		 (int)(strrchr(path, '/') + 1 - path), path,
		 (int)control->orders.record);
	return open_file(record, SDTKIT_RECORD_FILE_NAME);
}

/* Once, for the program of which the tracer says how much is traced. */
static void count_traps(void)
{
	char text[SDTKIT_TRACE_TEXT];
	struct sdtkit_tap_ways ways;

	if (atomic_load(&control->begun) != 0)
		return;
	sdtkit_tap_count_ways(recorder->tap, &ways);
	atomic_store(&control->traps, ways.traps);
	if (ways.why == NULL)
		return;
	snprintf(text, sizeof(text), "of %s%s: %s", ways.provider,
		 ways.is_only_provider ? "" : " and others", ways.why);
	sdtkit_trace_tell(&control->why_trap, text);
}

/* Adds sites that have been attached to. */
static void count_sites(uint64_t sites)
{
	uint64_t probes = 0, none = 0;

	if (sites > 0)
		count_traps();
	atomic_fetch_add(&control->attached, sites);
	while (sdtkit_tap_probe_at(recorder->tap, probes) != NULL)
		probes++;
	if (sites > 0)
		atomic_compare_exchange_strong(&control->begun, &none,
					       probes << 32 | sites);
}

static void tell_similar(void)
{
	char names[SIMILAR_TEXT], text[sizeof(names) + 32];

	if (sdtkit_similar_text(&recorder->tap->hint.similar, names)[0] ==
	    '\0')
		return;
	snprintf(text, sizeof(text), "similar ones: %s", names);
	sdtkit_trace_tell(&control->hint, text);
}

/* Adds what was attached to, and what was left out, since the last call. */
static void count(uint64_t *counted, size_t *left_out)
{
	size_t sites = recorder->site_count;
	size_t left = sdtkit_recorder_left_out(recorder);

	if (sites > *counted)
		count_sites(sites - *counted);
	if (left > *left_out) {
		atomic_fetch_add(&control->left_out, left - *left_out);
		sdtkit_trace_tell(&control->problem,
				  recorder->problem[0] != '\0' ?
				  recorder->problem : sdtkit_tap_error());
	}
	*counted = sites;
	*left_out = left;
}

static void attach(int record)
{
	const struct sdtkit_record_joining joining = {
		.fd = record,
		.patterns = control->orders.patterns,
		.flags = SDTKIT_RECORDER_TRAPS,
		.string_limit = control->orders.string_limit,
		.is_alone = control->orders.no_children,
	};
	uint64_t sites = 0;
	size_t left_out = 0;

	if (sdtkit_record_join(&joining, &recorder) < 0) {
		sdtkit_trace_tell(&control->problem, sdtkit_recorder_error());
		return;
	}
	count(&sites, &left_out);
	if (left_out == 0 && sites == 0)
		tell_similar();
}

static void rescan(void)
{
	uint64_t sites = recorder->site_count;
	size_t left_out = sdtkit_recorder_left_out(recorder);

	if (sdtkit_record_is_over(recorder->output.file))
		return;
	if (sdtkit_recorder_rescan(recorder) < 0)
		sdtkit_trace_tell(&control->problem, sdtkit_recorder_error());
	count(&sites, &left_out);
}

/* Calls the function, if this process has a recorder of its own. */
static void with_recorder(void (*function)(void))
{
	if (control == NULL || !sdtkit_self_has_memory())
		return;
	sdtkit_preload_enter();
	pthread_mutex_lock(&lock);
	if (recorder != NULL)
		function();
	pthread_mutex_unlock(&lock);
	sdtkit_preload_leave();
}

void sdtkit_preload_rescan(void)
{
	with_recorder(rescan);
}

static void let_go(void)
{
	atomic_fetch_add(&control->locked_up, 1);
	sdtkit_recorder_close(recorder);
	recorder = NULL;
	/* What a handler of ours calls might be what the filter forbids. */
	sdtkit_record_give_back_faults();
}

void sdtkit_preload_end(void)
{
	with_recorder(let_go);
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
	sdtkit_self_begin();
	pthread_mutex_unlock(&lock);
}

/* Keeps programs that this one executes from being traced. */
static void hide(void)
{
	unsetenv("LD_PRELOAD");
	unsetenv("SDTKIT_TRACE");
}

static void take_part(int record)
{
	bool first = atomic_fetch_add(&control->programs, 1) == 0;

	sdtkit_self_begin();
	if (control->orders.no_children)
		hide();
	if (sdtkit_where_filters() > control->orders.filters) {
		atomic_fetch_add(&control->locked_up, 1);
		return;
	}
	sdtkit_preload_enter();
	sdtkit_preload_take_signals();
	attach(record);
	if (first && recorder != NULL) {
		atomic_store(&control->none_at_first,
			     atomic_load(&control->begun) == 0);
		sdtkit_preload_check_patterns(control, recorder);
	}
	atomic_fetch_add(&control->ready, 1);
	sdtkit_record_watch_forks();
	/*
	 * Registered after the recorder's own handlers, so that this lock is
	 * taken before the recorder's.
	 */
	pthread_atfork(before_fork, in_parent, in_child);
	sdtkit_preload_leave();
}

__attribute__((constructor))
static void begin(void)
{
	int record = open_record();

	if (record < 0) {
		control = NULL;
		return;
	}
	take_part(record);
	close(record);
}
