/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit top: where does the time of a program go?
 *
 *	options -> find files -> catalogue -> plan -> engine -> [sweep, lines,
 *	sample -> view] -> outcome
 *
 * The programs in the kernel count; nothing happens here for each hit, except
 * for the lines of --slow.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "common/escape.h"
#include "common/options.h"
#include "common/out.h"
#include "common/tool.h"
#include "lib/uprobe/allowed.h"
#include "lib/uprobe/find.h"
#include "lib/uprobe/leave.h"
#include "lib/uprobe/proc.h"
#include "probes/no_probes.h"
#include "top/catalogue.h"
#include "top/command.h"
#include "top/counted.h"
#include "top/engine.h"
#include "top/flame.h"
#include "top/json.h"
#include "top/live.h"
#include "top/map.h"
#include "top/options.h"
#include "top/outcome.h"
#include "top/pictures.h"
#include "top/plan.h"
#include "top/sample.h"
#include "top/sweep.h"
#include "top/table.h"
#include "top/unknown.h"
#include "top/view.h"

enum { MAX_FILES = 256 };

static const unsigned long long SWEEP_NS = 250000000;

static volatile sig_atomic_t ended;

struct run {
	struct options options;
	struct found found;
	struct plan plan;
	struct engine engine;
	const struct view *view;
	struct report *pending;		/* of the next report */
	struct view_context context;
	struct ring_buffer *lines;
	unsigned long long interval_ns;
	unsigned long long reports;
	bool any;			/* something was counted */
	bool gone;			/* the process has ended */
};

static void end(int number)
{
	ended = 1;
}

/* Under nohup(1) SIGHUP stays ignored. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = end };
	struct sigaction old;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static const char *printable(const char *path, char *text, size_t size)
{
	escape_into(text, size, path, ESCAPE_PATH);
	return text;
}

static void complain_of_none(struct sdtkit_notes *notes, const char *path)
{
	char *why = no_probes_reason(notes, path, "sdtkit top", false);

	tool_complain("%s: no probes: %s", path, why);
	free(why);
}

static const struct finder finder = {
	.command = "sdtkit top",
	.file_option = "",
	.max_files = MAX_FILES,
	.read = catalog_read,
	.forget = catalog_forget,
	.name = printable,
};

/* The programs in the kernel see the process IDs of the first namespace. */
static bool check_namespace(const struct options *options)
{
	if (options->pid == 0 || allowed_sees_processes())
		return true;
	tool_complain("-p works in the first PID namespace only: give the FILE "
		      "in a container");
	return false;
}

/* Exits with a message if there is nothing. */
static void find(const struct options *options, struct found *found)
{
	struct sdtkit_notes *notes;
	int ret;

	*found = (struct found){ .finder = &finder };
	if (options->file != NULL)
		ret = find_file(found, options->file);
	else if (options->pid != 0)
		ret = find_family(found, options->pid);
	else
		ret = find_by_name(found, options->name);
	if (ret == 0)
		ret = find_check(found);
	if (ret == 0)
		return;
	if (options->via != TOOL_VIA_RECORDER && !check_namespace(options))
		exit(TOOL_TROUBLE);
	if (ret == -ENODATA && options->file != NULL &&
	    sdtkit_notes_open(options->file, &notes) == 0)
		complain_of_none(notes, options->file);
	else
		tool_complain("%s", find_error());
	exit(TOOL_TROUBLE);
}

static int on_line(void *context, void *data, size_t size)
{
	const struct run *run = context;

	if (run->view->line != NULL)
		run->view->line(&run->context, data);
	return 0;
}

/* Adds what has happened to the map and to the next report. */
static void collect(struct run *run)
{
	struct report *sample = sample_take(&run->engine, &run->plan, NULL,
					    NULL);

	if (run->options.heatmap != NULL)
		map_add(sample);
	report_add(run->pending, sample);
	report_free(sample);
}

static void report(struct run *run, bool last)
{
	collect(run);
	rows_finish(run->pending);
	run->view->show(&run->context, run->pending, last);
	out_flush();
	run->reports++;
	if (last) {
		outcome_tell(run->pending);
		run->any = outcome_any(run->pending);
	}
	report_clear(run->pending);
}

static bool is_gone(const struct run *run)
{
	return run->options.pid != 0 && proc_is_gone(run->options.pid);
}

/* Waits for a line, a key or the time; returns false to end. */
static bool wait_until(struct run *run, unsigned long long time)
{
	unsigned long long now = engine_now();
	struct pollfd fds[2] = {
		{ .fd = run->lines == NULL ? -1 :
			ring_buffer__epoll_fd(run->lines), .events = POLLIN },
		{ .fd = run->view->fd, .events = POLLIN },
	};
	int ms = time <= now ? 0 : (int)((time - now) / 1000000) + 1;

	if (poll(fds, 2, ms) < 0) {
		/* perhaps the size of the window has changed */
		return errno == EINTR && (run->view->key == NULL ||
					  run->view->key(&run->context));
	}
	if (fds[0].revents != 0)
		ring_buffer__consume(run->lines);
	out_flush();
	return fds[1].revents == 0 || run->view->key(&run->context);
}

/* Reports keep to the clock; those that are overdue are left out. */
static unsigned long long next_due(const struct run *run,
				   unsigned long long due)
{
	unsigned long long now = engine_now();

	due += run->interval_ns;
	if (due <= now)
		due += (now - due) / run->interval_ns * run->interval_ns +
			run->interval_ns;
	return due;
}

static unsigned long long earlier(unsigned long long a, unsigned long long b)
{
	return b != 0 && b < a ? b : a;
}

static void watch(struct run *run)
{
	unsigned long long now = run->engine.began_ns;
	unsigned long long until = run->options.wait_ns == 0 ? 0 :
		now + run->options.wait_ns;
	unsigned long long due = run->interval_ns == 0 ? 0 :
		now + run->interval_ns;

	while (!ended && !out_failed()) {
		if (!wait_until(run, earlier(earlier(now + SWEEP_NS, until),
					     due)))
			return;
		now = engine_now();
		if (run->engine.source == NULL)
			sweep(&run->engine, &run->plan, false);
		if (run->options.flame != NULL) {
			flame_refresh();
			ring_buffer__consume(run->lines);
		}
		if (until != 0 && now >= until)
			return;
		if (is_gone(run)) {
			run->gone = true;
			return;
		}
		if (run->options.heatmap != NULL)
			collect(run);
		if (due == 0 || now < due)
			continue;
		if (run->reports + 1 == run->options.count)
			return;
		report(run, false);
		due = next_due(run, due);
	}
}

/* The screen is for persons who wait for no particular end. */
static const struct view *choose_view(const struct options *options)
{
	if (options->json)
		return &view_json;
	if (options->plain || options->histograms || options->count > 0 ||
	    options->wait_ns > 0)
		return &view_table;
	return &view_live;
}

static const char *target_of(const struct options *options)
{
	static char text[64];

	if (options->file != NULL)
		return options->file;
	if (options->name != NULL)
		return options->name;
	snprintf(text, sizeof(text), "process %d", (int)options->pid);
	return text;
}

static bool begin_view(struct run *run)
{
	const struct options *options = &run->options;

	run->view = choose_view(options);
	run->context = (struct view_context){
		.engine = &run->engine,
		.plan = &run->plan,
		.target = target_of(options),
		.histograms = options->histograms,
		.several = options->interval_ns != 0,
	};
	/* without a message: standard output is not such a terminal */
	if (run->view == &view_live && !view_live.begin(&run->context))
		run->view = &view_table;
	run->interval_ns = options->interval_ns != 0 ? options->interval_ns :
		(unsigned long long)(run->view->interval * 1e9);
	return run->view == &view_live || run->view->begin == NULL ||
	       run->view->begin(&run->context);
}

/* The kernel may check programs for seconds, while the screen is blank. */
static void tell_of_attaching(const struct options *options)
{
	if (!options->quiet && choose_view(options) == &view_live &&
	    isatty(STDOUT_FILENO) && isatty(STDERR_FILENO))
		fputs("Attaching to the probes...\n", stderr);
}

/* The kernel counts from now on. */
static bool begin_kernel(struct run *run)
{
	const struct options *options = &run->options;
	const struct engine_options wanted = {
		.pid = options->pid,
		.slow_ms = options->slow_ms,
		.hertz = options->hertz,
	};

	if (!check_namespace(options))
		return false;
	tell_of_attaching(options);
	if (!engine_start(&run->engine, &run->plan, &run->found, &wanted) ||
	    !sweep_begin(&run->engine))
		return false;
	run->lines = ring_buffer__new(run->engine.lines, on_line, run, NULL);
	if (run->lines != NULL &&
	    (options->flame == NULL ||
	     ring_buffer__add(run->lines, run->engine.samples, flame_add,
			      NULL) == 0))
		return true;
	tool_complain("cannot open a ring buffer");
	return false;
}

static bool begin(struct run *run)
{
	const struct options *options = &run->options;
	enum counted counted;
	/* a line shows the arguments of the start; samples are taken between */
	const struct plan_options plan_options = {
		.by = options->by,
		.starts = options->slow_ms > 0 || options->flame != NULL,
	};
	const char *of_spans = options->flame != NULL ? "--flame" :
		options->heatmap != NULL ? "--heatmap" :
		options->slow_ms > 0 ? "--slow" : NULL;

	find(options, &run->found);
	if (!plan_spans(&run->plan, &run->found, options->words,
			options->num_words, &plan_options)) {
		if (options->file != NULL)
			unknown_in_file(options->file, options->words,
					options->num_words);
		return false;
	}
	if (of_spans != NULL && run->plan.spans.count == 0) {
		tool_complain("%s needs a span: name one, or declare it with "
			      "--span or --description", of_spans);
		return false;
	}
	if (options->flame != NULL && run->plan.num_filters > 0) {
		tool_complain("--flame and a filter cannot be used together: "
			      "samples come before the end of their span");
		return false;
	}
	rows_describe(&run->plan);
	run->pending = report_new(&top_tables);
	counted = counted_begin(&run->engine, &run->plan, &run->found,
				options);
	if (counted == COUNTED_FAILED ||
	    (counted == COUNTED_NOT && !begin_kernel(run)))
		return false;
	pictures_begin(options, &run->engine, &run->plan, &run->found,
		       SWEEP_NS);
	return begin_view(run);
}

/* The last report, and the picture. Returns the exit status. */
static int finish(struct run *run)
{
	bool good;

	engine_stop(&run->engine);
	if (run->engine.source == NULL) {
		ring_buffer__consume(run->lines);
		sweep(&run->engine, &run->plan, true);
	}
	if (run->view->end != NULL)
		run->view->end(&run->context);
	if (run->gone)
		tool_complain("process %d has ended", (int)run->options.pid);
	report(run, true);
	counted_end(&run->plan);
	out_flush();
	good = pictures_write(&run->options, &run->engine);
	if (!good)
		return TOOL_TROUBLE;
	return run->any ? TOOL_FOUND : TOOL_NONE;
}

/* Returns the exit status. */
static int trace(struct run *run)
{
	int status;

	catch_signals();
	if (!pictures_check(&run->options) || !begin(run))
		return TOOL_TROUBLE;
	if (run->view->fd < 0 && !run->options.quiet)
		fputs("Collecting data, press ctrl-C to stop...\n", stderr);
	watch(run);
	status = finish(run);
	leave();
	return status;
}

int tool_top(int argc, char **argv)
{
	static struct run run;
	int option = options_read(argc, argv, &run.options);

	/* lib/uprobe has err(3) */
	program_invocation_short_name = argv[0];
	return option == -1 ? trace(&run) : tool_option_status(option);
}
