/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c - traces smbd, and prints what it did.
 *
 *	find -> attach -> [poll events, sweep the dead, look for new files,
 *	report] -> leave
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
#include "flame.h"
#include "latencies.h"
#include "leave.h"
#include "log.h"
#include "metrics/privacy.h"
#include "options.h"
#include "picture.h"
#include "probe_file.h"
#include "proc.h"
#include "purge.h"
#include "report.h"
#include "run.h"
#include "sinks.h"
#include "space.h"
#include "tsmbd.skel.h"
#include "upgrade.h"
#include "waits.h"

static const unsigned long long SWEEP_NS = 250000000;

/* The kernel does not wake us for a line, see event.bpf.h: we have to poll. */
static const unsigned long long LINES_NS = 50000000;

static volatile sig_atomic_t ended;

struct run {
	struct options options;
	struct found found;
	struct tsmbd *skel;
	struct report report;
	unsigned long long reported;	/* the time of the last report */
	unsigned long long due;		/* the time of the next report */
	unsigned long long until;	/* lines are read until then; 0: all */
	unsigned int reports;
	unsigned long long lost_samples;
	int failed;			/* errno of the standard output */
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

/*
 * SA_RESTART: a report that is being printed is completed. The wait for events
 * ends at a signal even so. Under nohup(1) SIGHUP stays ignored.
 */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = end, .sa_flags = SA_RESTART };
	struct sigaction old;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* After a failure of the standard output, only pictures are still written. */
static void flush(struct run *run)
{
	errno = EIO;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || run->failed != 0)
		return;
	run->failed = errno;
	ended = 1;
}

/* Sinks may want lines that are not asked for. */
static void print_event(const struct options *options,
			const struct tsmbd_event *event)
{
	const struct tsmbd_request_event *slow = (const void *)event;

	if (event->kind == TSMBD_EVENT_SLOW &&
	    !options_prints_slow(options, event->time - slow->request.start))
		return;
	if (event->kind >= TSMBD_EVENT_BREAK_REQUEST && !options->oplocks)
		return;
	log_event(stdout, options, event);
}

/*
 * Returns -EINTR when there is other work to do: while lines keep coming,
 * libbpf does not return by itself.
 */
static int on_event(void *context, void *data, size_t size)
{
	const struct tsmbd_event *event = data;
	struct run *run = context;

	if (event->kind == TSMBD_EVENT_GONE)
		purge_connection(event);
	event = privacy_event(&run->options, event, size);
	if (event->kind != TSMBD_EVENT_GONE)
		print_event(&run->options, event);
	sinks_event(&run->options, event);
	if (run->until == 0)
		return 0;
	return ended || now_ns() >= run->until ? -EINTR : 0;
}

/* Prints all events that are in the ring buffer, and flushes the output. */
static void drain(struct run *run, struct ring_buffer *ring)
{
	ring_buffer__consume(ring);
	flush(run);
}

/* Prints what has happened since the last report. */
static void report(struct run *run, unsigned long long now)
{
	struct report *r = &run->report;

	tally_live(run->skel, now, &r->tally);
	counters_take(run->skel, &r->counters);
	run->lost_samples += r->counters.lost[TSMBD_LOST_SAMPLES];
	report_add_up(r);
	top_take(&run->options, run->skel, r->counters.bank, r->tops,
		 &r->share_commands);
	r->num_waits = waits_take(run->skel, r->counters.bank, &r->waits);
	r->end_ns = now;
	r->elapsed_ns = now - run->reported;
	privacy_report(&run->options, r);
	sinks_take(&run->options, r);

	if (run->options.json)
		report_json(&run->options, r);
	else
		report_print(stdout, &run->options, r, run->reports > 0);
	if (!ended && run->reports + 1 != run->options.count)
		log_columns(stdout, &run->options);
	flush(run);
	tally_reset(&r->tally);
	top_free(r->tops);
	free(r->share_commands.rows);
	free(r->waits);
	run->reported = now;
	run->reports++;
}

/* Returns the given time, or that of the next report if it is earlier. */
static unsigned long long due_before(const struct run *run,
				     unsigned long long time)
{
	return run->options.interval != 0 && run->due < time ? run->due : time;
}

/* Work that has to be done a few times a second, whatever the interval is. */
static void sweep(struct run *run, struct ring_buffer *ring,
		  unsigned long long now)
{
	run->until = due_before(run, now + SWEEP_NS);
	drain(run, ring);
	space_expire();
	tally_sweep(run->skel, &run->report.tally);
	if (run->options.heatmap != NULL)
		latencies_sample(run->skel, now);
	upgrade_look(&run->options, run->skel, &run->found, now);
}

/* A zombie counts as gone: it does nothing any more. */
static bool is_gone(const struct run *run)
{
	struct proc proc;
	int ret;

	if (run->options.pid == 0)
		return false;
	ret = proc_read(run->options.pid, &proc);
	return ret == -ENOENT || ret == -ESRCH ||
	       (ret == 0 && proc_is_zombie(&proc));
}

/* Returns how long to wait until the next report, sweep or poll is due. */
static int wait_ms(struct run *run, unsigned long long next_sweep,
		   unsigned long long now)
{
	unsigned long long next = due_before(run, next_sweep);

	if (options_lines(&run->options) && now + LINES_NS < next)
		next = now + LINES_NS;
	run->until = next;
	return next <= now ? 0 : (int)((next - now) / 1000000) + 1;
}

/*
 * Reports keep to the clock, however long it takes to make one. If tsmbd was
 * stopped or the machine was busy, reports that are overdue are left out.
 */
static void set_due(struct run *run, unsigned long long now)
{
	unsigned long long interval = run->options.interval;

	if (interval == 0)
		return;
	run->due += interval;
	if (run->due <= now)
		run->due += (now - run->due) / interval * interval + interval;
}

static void watch(struct run *run, struct ring_buffer *ring)
{
	unsigned long long next_sweep = run->reported + SWEEP_NS;
	unsigned long long now = run->reported;

	run->due = now;
	set_due(run, now);
	while (!ended) {
		ring_buffer__poll(ring, wait_ms(run, next_sweep, now));
		drain(run, ring);
		now = now_ns();
		if (now >= next_sweep) {
			sweep(run, ring, now);
			next_sweep += SWEEP_NS;
			if (next_sweep <= now)
				next_sweep = now + SWEEP_NS;
			if (is_gone(run)) {
				warnx("process %d has ended",
				      (int)run->options.pid);
				return;
			}
		}
		if (run->options.interval == 0 || now < run->due)
			continue;
		report(run, now);
		set_due(run, now);
		if (run->reports == run->options.count)
			return;
	}
}

static struct ring_buffer *open_rings(struct run *run)
{
	struct ring_buffer *ring;

	ring = ring_buffer__new(bpf_map__fd(run->skel->maps.events), on_event,
				run, NULL);
	if (ring == NULL)
		err(1, "cannot open the ring buffer");
	if ((run->options.flame != NULL || run->options.sink_samples) &&
	    ring_buffer__add(ring, bpf_map__fd(run->skel->maps.samples),
			     flame_sample, NULL) != 0)
		err(1, "cannot open the ring buffer of --flame");
	return ring;
}

static bool write_pictures(struct run *run, unsigned long long now)
{
	bool written = true;

	if (run->options.heatmap != NULL) {
		latencies_sample(run->skel, now);
		written = latencies_write(run->options.heatmap);
	}
	if (run->options.flame != NULL)
		written &= flame_write(run->options.flame, run->lost_samples);
	return written;
}

/* A closed pipe is not reported: its reader has had enough. */
static bool close_output(struct run *run)
{
	flush(run);
	if (fclose(stdout) != 0 && run->failed == 0)
		run->failed = errno;
	if (run->failed != 0 && run->failed != EPIPE)
		warnx("standard output: %s", strerror(run->failed));
	return run->failed == 0;
}

int run_main(int argc, char **argv)
{
	static struct run run;
	struct ring_buffer *ring;
	unsigned long long now;
	bool good;

	options_parse(argc, argv, &run.options);
	find_files(&run.options, &run.found);
	upgrade_begin(&run.options, &run.found);
	if ((run.options.heatmap != NULL &&
	     !picture_check(run.options.heatmap)) ||
	    (run.options.flame != NULL && !picture_check(run.options.flame)))
		exit(1);
	sinks_open(&run.options);
	run.skel = attach(&run.options, &run.found);
	ring = open_rings(&run);
	catch_signals();
	log_columns(stdout, &run.options);
	upgrade_look(&run.options, run.skel, &run.found, now_ns());
	run.reported = now_ns();
	latencies_begin(run.reported, SWEEP_NS);
	tally_begin(run.skel, run.reported);
	fputs("Collecting data, press ctrl-C to stop...\n", stderr);

	watch(&run, ring);

	run.skel->bss->began = 0;
	now = now_ns();
	run.until = 0;
	ring_buffer__consume(ring);
	if (run.options.count == 0 || run.reports < run.options.count)
		report(&run, now);
	good = write_pictures(&run, now);
	good &= sinks_close(&run.options);
	good &= close_output(&run);
	leave();
	return good ? 0 : 1;
}
