/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - tsmbd: where does the time of smbd go?
 *
 *	find -> attach -> [poll events, sweep the dead, report] -> detach
 *
 * The programs in the kernel count; nothing happens here for each request,
 * except for the lines of --slow.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bpf/libbpf.h>

#include "attach.h"
#include "find.h"
#include "heatmap.h"
#include "log.h"
#include "options.h"
#include "report.h"
#include "tsmbd.skel.h"

enum { SWEEP_MS = 250 };

static volatile sig_atomic_t ended;

struct run {
	struct options options;
	struct tsmbd *skel;
	struct report report;
	struct counters before;
	unsigned long long reported;	/* the time of the last one */
	unsigned int reports;
};

static void end(int signum)
{
	(void)signum;
	ended = 1;
}

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (unsigned long long)ts.tv_sec * 1000000000ULL +
	       (unsigned long long)ts.tv_nsec;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = end };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static int on_event(void *context, void *data, size_t size)
{
	const struct tsmbd_event *event = data;
	struct run *run = context;

	(void)size;
	if (event->kind == TSMBD_EVENT_GONE)
		tally_purge(run->skel, event->pid, event->number[0]);
	else
		log_event(&run->options, event);
	return 0;
}

/* What has happened since the last report. */
static void report(struct run *run, unsigned long long now)
{
	static struct counters total;
	struct report *r = &run->report;

	tally_live(run->skel, now, &r->tally);
	counters_read(run->skel, &total);
	r->counters = total;
	counters_subtract(&r->counters, &run->before);
	run->before = total;
	counters_pardon(&r->counters);
	r->elapsed_ns = now - run->reported;
	report_top(&run->options, run->skel, r);

	if (run->options.json) {
		report_json(&run->options, r);
	} else {
		if (run->reports > 0)
			puts("\n=============================================");
		report_print(&run->options, r);
	}
	if (fflush(stdout) != 0)
		err(1, "standard output");
	tally_reset(&r->tally);
	run->reported = now;
	run->reports++;
}

static bool is_gone(const struct run *run)
{
	return run->options.pid != 0 && kill(run->options.pid, 0) != 0 &&
	       errno == ESRCH;
}

/* Returns the time at which the tracing ended. */
static void watch(struct run *run, struct ring_buffer *ring)
{
	unsigned long long interval = run->options.interval * 1000000000ULL;
	unsigned long long sweep = 0;
	unsigned long long now;
	int wait_ms;

	while (!ended) {
		wait_ms = SWEEP_MS;
		now = now_ns();
		if (interval != 0 && run->reported + interval < now +
		    SWEEP_MS * 1000000ULL)
			wait_ms = now >= run->reported + interval ? 0 :
				(int)((run->reported + interval - now) /
				      1000000) + 1;
		ring_buffer__poll(ring, wait_ms);
		now = now_ns();
		if (now - sweep > SWEEP_MS * 1000000ULL) {
			tally_sweep(run->skel, &run->report.tally);
			heatmap_sample(run->skel, now);
			sweep = now;
			if (is_gone(run))
				return;
		}
		if (interval == 0 || now < run->reported + interval)
			continue;
		report(run, now);
		if (run->reports == run->options.count)
			return;
	}
}

int main(int argc, char **argv)
{
	static struct run run;
	struct ring_buffer *ring;
	struct found found;
	unsigned long long now;

	options_parse(argc, argv, &run.options);
	find_files(&run.options, &found);
	if (run.options.heatmap != NULL)
		heatmap_open(run.options.heatmap);
	run.skel = attach(&run.options, &found);
	ring = ring_buffer__new(bpf_map__fd(run.skel->maps.events), on_event,
				&run, NULL);
	if (ring == NULL)
		err(1, "ring buffer");
	catch_signals();
	log_begin(&run.options);
	run.reported = now_ns();
	run.skel->bss->began = run.reported;
	fputs("Collecting data, press ctrl-C to stop...\n", stderr);

	watch(&run, ring);

	run.skel->bss->began = 0;
	now = now_ns();
	ring_buffer__consume(ring);
	if (run.options.count == 0 || run.reports < run.options.count)
		report(&run, now);
	heatmap_sample(run.skel, now);
	heatmap_close();
	ring_buffer__free(ring);
	detach(run.skel);
	free(found.files);
	return 0;
}
