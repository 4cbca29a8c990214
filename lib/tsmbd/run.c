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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/clock.h"
#include "settings/values.h"
#include "attach.h"
#include "counters.h"
#include "flame.h"
#include "hide.h"
#include "latencies.h"
#include "leave.h"
#include "log.h"
#include "metrics/privacy.h"
#include "options.h"
#include "parse.h"
#include "options_check.h"
#include "output.h"
#include "picture.h"
#include "probe_file.h"
#include "proc.h"
#include "purge.h"
#include "report.h"
#include "commands.h"
#include "service.h"
#include "service/plan.h"
#include "service/serve.h"
#include "signals.h"
#include "sinks/sink.h"
#include "rows.h"
#include "space.h"
#include "tally.h"
#include "top.h"
#include "tsmbd.skel.h"
#include "upgrade.h"
#include "waits.h"

static const unsigned long long SWEEP_NS = 250000000;

/* The kernel does not wake us for a line, see event.bpf.h: we have to poll. */
static const unsigned long long LINES_NS = 50000000;

/* What takes reports besides the printed one takes one a second. */
static const unsigned long long TICK_NS = 1000000000;

struct run {
	struct options options;
	struct sink_setup setup;	/* with these options */
	struct found found;
	struct tsmbd *skel;
	struct tally tally;		/* of processes that have ended */
	struct report *report;		/* since the last one */
	struct report *sum;		/* of ticks, to be printed */
	unsigned long long lost_lines;	/* which are missing in print */
	unsigned long long began;
	unsigned long long taken;	/* the time of the last report or tick */
	unsigned long long due;		/* the time of the next report */
	unsigned long long tick_due;	/* likewise */
	unsigned long long until;	/* lines are read until then; 0: all */
	unsigned int reports;
	bool ticks;			/* a report a second, for sinks */
	bool serves;			/* and prints nothing */
	unsigned long long lost_samples;
	int failed;			/* -errno of the standard output, or 0 */
};

static unsigned long long now_ns(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

/* After a failure of the standard output, only pictures are still written. */
static void flush(struct run *run)
{
	int ret = output_flush();

	if (ret == 0 || run->failed != 0)
		return;
	run->failed = ret;
	signals_end();
}

/* Sinks may want lines that are not asked for. */
static void print_event(struct run *run, const struct tsmbd_event *event)
{
	const struct tsmbd_request_event *slow = (const void *)event;
	const struct options *options = &run->options;

	if (event->kind == TSMBD_EVENT_SLOW &&
	    !options_prints_slow(options, event->time - slow->request.start))
		return;
	if (event->kind >= TSMBD_EVENT_BREAK_REQUEST && !options->oplocks)
		return;
	if (output_takes_line())
		log_event(output_file(), options, event);
	else
		run->lost_lines++;
}

static void hand_on_other(const struct run *run,
			  const struct tsmbd_event *event, size_t size)
{
	struct event_row row = { .end_ns = event->time };

	memcpy(&row.as, event, size < sizeof(row.as) ? size : sizeof(row.as));
	sinks_other(&run->setup, &log_events, &row);
}

/* For sinks here; those of a service elsewhere take slow requests only. */
static void hand_on_event(const struct run *run,
			  const struct tsmbd_event *event, size_t size)
{
	char client[TSMBD_NAME];
	struct slow_row row;

	if (event->kind == TSMBD_EVENT_GONE)
		return;
	if (event->kind != TSMBD_EVENT_SLOW &&
	    event->kind != TSMBD_EVENT_ERROR) {
		hand_on_other(run, event, size);
		return;
	}
	client_name(event->pid, event->remote, client);
	rows_slow(&row, (const void *)event, client);
	if (run->serves)
		serve_row(&smbd_tables.table[SMBD_SLOW], &row);
	sinks_row(&run->setup, &smbd_tables.table[SMBD_SLOW], &row);
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
	event = hide_event(&run->options, event, size);
	if (!run->serves && event->kind != TSMBD_EVENT_GONE)
		print_event(run, event);
	hand_on_event(run, event, size);
	if (run->until == 0)
		return 0;
	return signals_ended() || now_ns() >= run->until ? -EINTR : 0;
}

/* Prints all events that are in the ring buffer, and flushes the output. */
static void drain(struct run *run, struct ring_buffer *ring)
{
	ring_buffer__consume(ring);
	flush(run);
}

/* Takes what has happened since the last time. */
static void take(struct run *run, unsigned long long now)
{
	struct report *r = run->report;
	struct server_row *server;
	unsigned int bank;

	report_clear(r);
	tally_live(run->skel, now, &run->tally);
	server = server_row_new(r);
	server->tally = run->tally;
	server->vnn = run->skel->bss->local_node;
	run->tally = (struct tally){ 0 };
	bank = counters_take(run->skel, r);
	run->lost_samples += server->lost[TSMBD_LOST_SAMPLES];
	top_take(&run->options, run->skel, bank, r);
	waits_take(run->skel, bank, r);
	r->end_ns = now;
	r->elapsed_ns = now - run->taken;
	run->taken = now;
	privacy_report(run->options.metrics.privacy, r);
	smbd_sort(r, run->options.top_order);
}

static void tick(struct run *run, unsigned long long now)
{
	take(run, now);
	if (run->serves)
		server_row(run->report)->lost[TSMBD_LOST_LINES] += serve_lost();
	sinks_take(&run->setup, run->report);
	if (run->serves)
		serve_take(run->report);
	else
		report_add(run->sum, run->report);
}

static void print(struct run *run, const struct report *r)
{
	report_write(&smbd_program, output_file(), &run->options,
		     run->options.json, r, run->reports > 0);
	if (!signals_ended() && run->reports + 1 != run->options.count)
		log_columns(output_file(), &run->options);
	flush(run);
	run->reports++;
}

/* Prints what has happened since the last report. */
static void report(struct run *run, unsigned long long now)
{
	if (!run->ticks) {
		take(run, now);
		print(run, run->report);
		return;
	}
	tick(run, now);
	if (run->serves || (!signals_ended() && !output_takes_report()))
		return;
	server_row(run->sum)->lost[TSMBD_LOST_LINES] += run->lost_lines;
	run->lost_lines = 0;
	smbd_sort(run->sum, run->options.top_order);
	print(run, run->sum);
	report_clear(run->sum);
}

/* Returns the given time, or that of the next report if it is earlier. */
static unsigned long long due_before(const struct run *run,
				     unsigned long long time)
{
	if (run->options.interval != 0 && run->due < time)
		time = run->due;
	return run->ticks && run->tick_due < time ? run->tick_due : time;
}

/* Work that has to be done a few times a second, whatever the interval is. */
static void sweep(struct run *run, struct ring_buffer *ring,
		  unsigned long long now)
{
	run->until = due_before(run, now + SWEEP_NS);
	drain(run, ring);
	space_expire();
	tally_sweep(run->skel, &run->tally);
	if (run->options.heatmap != NULL)
		latencies_sample(run->skel, now);
	upgrade_look(&run->options, run->skel, &run->found, now);
}

static bool is_gone(const struct run *run)
{
	return run->options.pid != 0 && proc_is_gone(run->options.pid);
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
static unsigned long long next_due(const struct run *run,
				   unsigned long long interval,
				   unsigned long long now)
{
	return run->began + ((now - run->began) / interval + 1) * interval;
}

static void set_due(struct run *run, unsigned long long now)
{
	if (run->options.interval != 0 && run->due <= now)
		run->due = next_due(run, run->options.interval, now);
	run->tick_due = next_due(run, TICK_NS, now);
}

/* If the server is busy, this tick becomes longer. */
static bool may_tick(struct run *run, unsigned long long now)
{
	if (!run->serves || serve_ready())
		return true;
	run->tick_due = now + LINES_NS;
	return false;
}

static void report_if_due(struct run *run, unsigned long long now)
{
	if (run->options.interval != 0 && now >= run->due)
		report(run, now);
	else if (run->ticks && now >= run->tick_due && may_tick(run, now))
		tick(run, now);
	else
		return;
	set_due(run, now);
}

/* The lines of what it counts come before it. */
static void report_if_asked(struct run *run, struct ring_buffer *ring)
{
	if (!signals_took(SIGNAL_REPORT) || run->serves)
		return;
	run->until = now_ns() + SWEEP_NS;
	drain(run, ring);
	report(run, now_ns());
}

/* Returns whether to go on. */
static bool is_all_there(struct run *run, unsigned long long now)
{
	if (run->serves && !serve_turn(now))
		return false;
	if (!is_gone(run))
		return true;
	warnx("process %d has ended", (int)run->options.pid);
	return false;
}

static void watch(struct run *run, struct ring_buffer *ring)
{
	unsigned long long now = run->began;
	unsigned long long next_sweep = now + SWEEP_NS;

	run->due = now;
	set_due(run, now);
	while (!signals_ended()) {
		ring_buffer__poll(ring, wait_ms(run, next_sweep, now));
		drain(run, ring);
		if (signals_took(SIGNAL_RELOAD))
			serve_reload();
		report_if_asked(run, ring);
		now = now_ns();
		if (now >= next_sweep) {
			sweep(run, ring, now);
			next_sweep += SWEEP_NS;
			if (next_sweep <= now)
				next_sweep = now + SWEEP_NS;
			if (!is_all_there(run, now))
				return;
		}
		report_if_due(run, now);
		if (run->options.count != 0 &&
		    run->reports == run->options.count)
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
	int ret = output_close();

	if (run->failed == 0)
		run->failed = ret;
	if (run->failed != 0 && run->failed != -EPIPE)
		warnx("standard output: %s", strerror(-run->failed));
	return run->failed == 0;
}

/* Ends the tracing; what has happened since the last report is in one more. */
static bool finish(struct run *run, struct ring_buffer *ring)
{
	unsigned long long now;
	bool good;

	run->skel->bss->began = 0;
	signals_end();		/* also if it was the last process that ended */
	now = now_ns();
	run->until = 0;
	ring_buffer__consume(ring);
	if (run->serves) {
		if (serve_wait())
			tick(run, now_ns());
		good = sinks_close(&run->setup);
		return good & serve_end();
	}
	if (run->options.count == 0 || run->reports < run->options.count)
		report(run, now);
	good = write_pictures(run, now);
	return good & sinks_close(&run->setup);
}

/*
 * A service may get something to do by a reload, and a client may log on by the
 * name of the service's user, so neither is an error.
 */
static void warn_of_service(const struct run *run, const char *user)
{
	const struct options *options = &run->options;
	const struct texts *users = &options->filters[TSMBD_USERS];
	char option[VALUES_OPTION];
	int i;

	if (!options->service.daemon)
		return;
	if (!sinks_wanted(&run->setup))
		warnx("the service makes nothing: set listen, textfile, "
		      "history, html or when");
	for (i = 0; i < users->count && user != NULL; i++) {
		if (strcmp(users->items[i], user) == 0)
			warnx("%s = %s counts only requests of clients that "
			      "log on by this name: the user of the service "
			      "is set by run-as",
			      values_option("user", option), user);
	}
}

/* Reads those files that the options name and whose contents may be wrong. */
static void check_and_exit(const struct run *run)
{
	const char *user = NULL;

	if (run->options.service.daemon || run->options.service.run_as != NULL)
		user = serve_check(&smbd_service, &run->options.service);
	sinks_check(&run->setup);
	warn_of_service(run, user);
	plan_print(stdout, &smbd_service, &run->setup, user);
	exit(ferror(stdout) || fflush(stdout) != 0);
}

static void open_sinks(struct run *run)
{
	struct sink_needs needs = { 0 };

	if (run->serves) {
		serve_open_sinks(&run->setup, &run->options);
		return;
	}
	sinks_open(&run->setup, &needs);
	options_need(&run->options, &needs);
}

static void prepare(int argc, char **argv, struct run *run)
{
	struct options *options = &run->options;

	options_parse(argc, argv, options);
	run->report = report_new(&smbd_tables);
	run->sum = report_new(&smbd_tables);
	run->setup = (struct sink_setup){ &smbd_program, options, 0 };
	if (options->service.check_config)
		check_and_exit(run);
	run->serves = options->service.daemon;
	run->ticks = run->serves || sinks_wanted(&run->setup);
	/* its signals may come as soon as others know its number */
	if (run->serves) {
		signals_catch(true);
		warn_of_service(run, serve_begin(&smbd_service, argc, argv,
						 options));
	}
	find_files(options, &run->found);
	upgrade_begin(options, &run->found);
	if (!picture_check("--heatmap", options->heatmap) ||
	    !picture_check("--flame", options->flame))
		exit(1);
	open_sinks(run);
}

int run_main(int argc, char **argv)
{
	static struct run run;
	struct ring_buffer *ring;
	bool good;

	prepare(argc, argv, &run);
	run.skel = attach(&run.options, &run.found);
	ring = open_rings(&run);
	if (!run.serves) {
		signals_catch(false);
		output_begin(run.ticks);
		log_columns(output_file(), &run.options);
	}
	upgrade_look(&run.options, run.skel, &run.found, now_ns());
	run.began = run.taken = now_ns();
	latencies_begin(run.began, SWEEP_NS);
	tally_begin(run.skel, run.began);
	if (run.serves)
		serve_attached(&run.options);
	else
		fputs("Collecting data, press ctrl-C to stop...\n", stderr);

	watch(&run, ring);
	good = finish(&run, ring);
	leave();
	/* smbd does not pay for a reader that lets this wait */
	if (!run.serves)
		good &= close_output(&run);
	return good ? 0 : 1;
}
