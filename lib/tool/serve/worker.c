/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * worker.c - counts one program, and tells of it each second.
 *
 *	files of the group -> catalogue -> plan -> engine ->
 *	[sweep, slow spans, a report a second] -> the supervisor
 *	... plan -> recorders -> engine -> [a report a second] -> ...
 *
 * Programs in the kernel cost all processes that have a file the trap at its
 * sites. So recorders count only if all processes of the program have one, or if
 * the kernel cannot.
 *
 * All but the last step is lib/tool/top's, whose variables are this process's
 * own.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "common/tool.h"
#include "lib/page/tree.h"
#include "lib/picture/flamegraph.h"
#include "lib/service/link.h"
#include "lib/service/say.h"
#include "lib/uprobe/find.h"
#include "serve/budget.h"
#include "serve/convert.h"
#include "serve/flames.h"
#include "serve/recorders.h"
#include "serve/worker.h"
#include "top/catalogue.h"
#include "top/counters.h"
#include "top/describe.h"
#include "top/engine.h"
#include "top/flame.h"
#include "top/plan.h"
#include "top/sample.h"
#include "top/sweep.h"
#include "top/turn.h"

enum { MAX_FILES = 256,
	LOCK_PAUSES = 500 };		/* of 10 ms */

static const unsigned long long SWEEP_NS = 250000000;
static const unsigned long long TICK_NS = 1000000000;

struct work {
	const struct worker_job *job;
	int fd;
	struct serve_place at;
	struct found found;
	struct plan plan;
	struct engine engine;
	struct ring_buffer *lines;
	struct report *report;
	bool samples;			/* are taken */
	bool stays;			/* with recorders, whatever they have */
	bool told;			/* what they have not */
	bool ended;			/* the supervisor asks for no more */
};

static bool is_by_kernel(const struct work *w)
{
	return w->engine.source == NULL;
}

static const char *name_of(const char *path, char *text, size_t size)
{
	snprintf(text, size, "%s", path);
	return text;
}

static const struct finder finder = {
	.command = "sdtkit serve",
	.file_option = "",
	.max_files = MAX_FILES,
	.read = catalog_read,
	.forget = catalog_forget,
	.name = name_of,
};

static bool find(struct work *w)
{
	int ret;

	w->found = (struct found){ .finder = &finder };
	ret = discover_found(w->job->discover, w->job->group, &w->found);
	if (ret < 0)
		tool_complain("cannot read its probes: %s", strerror(-ret));
	return ret == 0;
}

static bool declare(const struct worker_job *job)
{
	const char *path;
	size_t i;

	for (i = 0; i < job->num_spans; i++) {
		if (!spans_add_option(&catalogue.texts, job->span[i])) {
			tool_complain("%s", spans_error());
			return false;
		}
	}
	for (i = 0; (path = discover_description(job->discover, job->group,
						 i)) != NULL; i++) {
		if (!describe_read(path, &catalogue.texts))
			return false;
	}
	return true;
}

static void send_away(struct work *w, int ret)
{
	if (ret != 0)
		w->ended = true;
}

static int on_line(void *context, void *data, size_t size)
{
	struct work *w = context;
	struct slow_span slow;

	(void)size;
	convert_line(&w->engine, &w->plan, &w->at, data, &slow);
	send_away(w, link_send(w->fd, LINK_ROW, &slow, sizeof(slow)));
	return 0;
}

/* What the samples of a second have made. */
static void send_flame(struct work *w)
{
	struct page_flame *made = page_flame(flame_since(), 0);

	send_away(w, link_send(w->fd, LINK_FLAME, made,
			       sizeof(*made) + made->size));
	free(made);
	flame_forget();
	flame_refresh();
}

static void add_lost_samples(struct work *w)
{
	static unsigned long long before;
	struct lost_sum *lost = report_want(w->report, SERVE_LOST, NULL);

	lost->samples = *w->engine.lost_samples - before;
	before += lost->samples;
}

static void on_span(const struct span_row *row, void *context)
{
	const struct work *w = context;

	convert_span(&w->plan, &w->at, row, w->report);
}

static void report(struct work *w)
{
	struct report *sample;

	report_clear(w->report);
	sample = sample_take(&w->engine, &w->plan, on_span, w);
	convert_report(&w->plan, &w->at, sample, w->report);
	if (is_by_kernel(w)) {
		add_lost_samples(w);
		budget_take(sample, w->report);
	} else {
		recorders_take(&w->at, w->report);
	}
	report_free(sample);
	send_away(w, link_send_report(w->fd, w->report));
	if (w->samples)
		send_flame(w);
}

/* Slow spans, and samples while they are taken: their ring is large. */
static bool open_rings(struct work *w)
{
	ring_buffer__free(w->lines);
	w->lines = ring_buffer__new(w->engine.lines, on_line, w, NULL);
	if (w->lines == NULL ||
	    (w->samples &&
	     ring_buffer__add(w->lines, w->engine.samples, flame_add,
			      NULL) != 0)) {
		tool_complain("cannot open a ring buffer");
		return false;
	}
	return true;
}

/*
 * One worker loads its programs at a time, as libbpf has 11 MiB of types of the
 * kernel meanwhile. One that is stopped is not waited for long.
 */
static void lock(int fd, short type)
{
	struct flock whole = { .l_type = type, .l_whence = SEEK_SET };
	const struct timespec pause = { .tv_nsec = 10000000 };
	int i;

	for (i = 0; i < LOCK_PAUSES && fcntl(fd, F_SETLK, &whole) != 0 &&
	     (errno == EAGAIN || errno == EACCES); i++)
		nanosleep(&pause, NULL);
}

static bool load(struct work *w, const struct engine_options *wanted)
{
	bool good;

	lock(w->job->loading, F_WRLCK);
	good = engine_start(&w->engine, &w->plan, &w->found, wanted);
	malloc_trim(0);
	lock(w->job->loading, F_UNLCK);
	return good;
}

/* The kernel counts from now on. */
static bool begin_kernel(struct work *w)
{
	const struct worker_job *job = w->job;
	const struct discover_group *group = job->group;
	const bool is_container = group->container.mounts != 0;
	const struct engine_options wanted = {
		.slow_ms = job->slow_ms,
		.hertz = job->samples ? FLAMES_HERTZ : 0,
		.samples_later = true,
		.parts = true,
		.mounts = is_container ? &group->container.mounts :
					 group->others,
		.num_mounts = is_container ? 1 : group->num_others,
		.without_mounts = !is_container,
	};

	if (!load(w, &wanted) ||
	    !sweep_begin(&w->engine))
		return false;
	w->engine.turns = true;
	budget_begin(&w->engine, &w->plan, &w->at, job->budget);
	flame_begin(&w->engine, &w->plan, &w->found, FLAMES_HERTZ, job->names);
	return open_rings(w);
}

/* Whether recorders would count something else than what is asked for. */
static bool is_beyond_recorders(const struct work *w)
{
	return w->job->by != NULL || w->plan.num_rates > 0 ||
	       w->plan.num_filters > 0;
}

/* Whether recorders shall count. What they cannot do is for the kernel. */
static bool are_recorders_enough(struct work *w)
{
	const struct worker_job *job = w->job;
	const struct discover_group *group = job->group;

	w->stays = job->via == TOOL_VIA_RECORDER || !job->kernel;
	if (job->via == TOOL_VIA_KERNEL ||
	    (!w->stays && (job->needs_slow || job->samples ||
			   is_beyond_recorders(w) || group->num_pids == 0)))
		return false;
	recorders_begin(&w->plan, job->since);
	recorders_look(group->pid, group->num_pids < WORKER_PIDS ?
		       group->num_pids : WORKER_PIDS);
	return w->stays || recorders_are_enough();
}

static bool begin_counting(struct work *w)
{
	const struct worker_job *job = w->job;
	bool by_kernel = !are_recorders_enough(w);

	if (by_kernel && !job->kernel) {
		tool_complain("not permitted to trace by the kernel");
		return false;
	}
	if (!by_kernel && is_beyond_recorders(w)) {
		tool_complain("recorders do not count probes without a span, "
			      "nor by other arguments, nor with filters");
		return false;
	}
	if (!by_kernel && (job->needs_slow || job->samples))
		tool_complain("recorders tell nothing of slow spans, and take no "
			      "samples");
	while (by_kernel && counters_first() != NULL)
		counters_close(&w->plan, counters_first());
	if (!by_kernel)
		counters_begin(&w->engine, false);
	else if (!begin_kernel(w))
		return false;
	say("%s: via=%s", job->group->program,
	    by_kernel ? "kernel" : "recorder");
	return true;
}

static bool begin(struct work *w)
{
	const struct worker_job *job = w->job;
	const struct plan_options options = {
		.by = job->by, .starts = job->slow_ms > 0 || job->samples,
	};

	if (!declare(job) || !find(w) ||
	    !plan_spans(&w->plan, &w->found, (char **)(uintptr_t)job->word,
			job->num_words, &options))
		return false;
	rows_describe(&w->plan);
	return begin_counting(w);
}

/*
 * A process without a recorder is for the kernel: another worker begins with
 * it.
 */
static void look_for_missing(struct work *w)
{
	const char *what = recorders_missing();

	if (what == NULL || w->told)
		return;
	w->told = true;
	w->ended = !w->stays;
	tool_complain("%s%s", what, w->stays ? "" :
		      ": the kernel counts the program from now on");
}

static void take_message(struct work *w)
{
	struct worker_order order;

	if (recv(w->fd, &order, sizeof(order), MSG_WAITALL) != sizeof(order)) {
		w->ended = true;
		return;
	}
	if (!is_by_kernel(w)) {
		if (order.looked) {
			recorders_look(order.pid, order.num_pids);
			look_for_missing(w);
		}
		return;
	}
	if (order.looked)
		budget_credit(order.cpu_ns);
	if (order.samples == w->samples)
		return;
	engine_sample(&w->engine, order.samples);
	ring_buffer__consume(w->lines);
	flame_forget();
	w->samples = order.samples;
	w->ended = !open_rings(w);
}

/*
 * Waits for a slow span, the end of the supervisor, too many new names or the
 * time.
 */
static void wait_until(struct work *w, unsigned long long time)
{
	unsigned long long now = engine_now();
	bool by_kernel = is_by_kernel(w);
	struct pollfd fds[] = {
		{ .fd = w->fd, .events = POLLIN },
		{ .fd = by_kernel ? ring_buffer__epoll_fd(w->lines) : -1,
		  .events = POLLIN },
		{ .fd = by_kernel ? sweep_fd() : -1, .events = POLLIN },
	};
	int ms = time <= now ? 0 : (int)((time - now) / 1000000) + 1;

	if (poll(fds, 3, ms) <= 0)
		return;
	if (fds[0].revents != 0)
		take_message(w);
	if (by_kernel)
		ring_buffer__consume(w->lines);
}

static void watch(struct work *w)
{
	unsigned long long due = w->engine.began_ns + TICK_NS;
	unsigned long long now = w->engine.began_ns;

	while (!w->ended) {
		wait_until(w, now + SWEEP_NS < due ? now + SWEEP_NS : due);
		now = engine_now();
		if (is_by_kernel(w))
			sweep(&w->engine, &w->plan, false);
		if (now >= due ||
		    (is_by_kernel(w) && turn_is_due(&w->engine)))
			report(w);
		if (now >= due)
			due += (now - due) / TICK_NS * TICK_NS + TICK_NS;
	}
}

/* What has happened since the last report. */
static void finish(struct work *w)
{
	engine_stop(&w->engine);
	if (is_by_kernel(w)) {
		ring_buffer__consume(w->lines);
		sweep(&w->engine, &w->plan, true);
	}
	report(w);
}

/* The supervisor ends it by the end of the link; a signal is for that. */
static void leave_signals(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

int worker(const struct worker_job *job, int fd)
{
	struct work *w = tool_zeros(1, sizeof(*w));
	char *command = tool_format("serve: %s", job->group->program);

	leave_signals();
	tool_begin(command);
	w->job = job;
	w->fd = fd;
	groups_set_place(&w->at, job->group);
	w->report = report_new(&serve_tables);
	if (!begin(w))
		return 1;
	report(w);		/* it is attached */
	watch(w);
	finish(w);
	return 0;
}
