/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * supervise.c - which programs are counted, and the report of a second.
 *
 *	[look for programs -> workers] -> reports of workers -> the sum ->
 *	the server: lib/service
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/base/clock.h"
#include "lib/metrics/privacy.h"
#include "lib/service/say.h"
#include "lib/service/serve.h"
#include "lib/settings/values.h"
#include "lib/uprobe/multi.h"
#include "serve/discover.h"
#include "serve/flames.h"
#include "serve/rows.h"
#include "serve/supervise.h"
#include "serve/usage.h"
#include "serve/workers.h"

static const unsigned long long SECOND_NS = 1000000000;
static const unsigned long long LOOK_NS = 5000000000ULL;
enum { BUSY_MS = 50 };

static volatile sig_atomic_t ended, reloads;

struct supervisor {
	const struct sink_setup *setup;
	const struct serve_options *options;
	struct discover *discover;
	struct report *report;
	unsigned long long began;
	unsigned long long taken;	/* the time of the last report */
	unsigned long long started;	/* that of the last worker */
	bool looked;			/* since then */
	int loading;			/* see struct worker_job */
};

static unsigned long long now_ns(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

static void note(int number)
{
	if (number == SIGHUP)
		reloads = 1;
	else
		ended = 1;
}

void supervise_catch_signals(void)
{
	const struct sigaction action = { .sa_handler = note };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

bool supervise_is_ending(void)
{
	return ended;
}

bool supervise_uses_perf_events(void)
{
	return !multi_exists();
}

/*
 * The spans of an interpreter are each call of a function: nobody pays for that
 * who has not asked for it.
 */
static bool is_interpreter(const struct supervisor *s,
			   const struct discover_group *group)
{
	const char *path = discover_description(s->discover, group, 0);

	return path != NULL && (strstr(path, "/python.json") != NULL ||
				strstr(path, "/ruby.json") != NULL);
}

static bool is_wanted(const struct discover_group *group, void *supervisor)
{
	const struct supervisor *s = supervisor;

	return !is_interpreter(s, group) ||
	       serve_options_section(s->options, group->program) != NULL;
}

static void set_spans(struct worker_job *job, const struct texts *spans)
{
	int i;

	for (i = 0; i < spans->count; i++) {
		if (serve_options_declares(spans->items[i]))
			job->span[job->num_spans++] = spans->items[i];
		else
			job->word[job->num_words++] = spans->items[i];
	}
}

static void start(struct supervisor *s,
		  const struct discover_group *group)
{
	const struct serve_section *section =
		serve_options_section(s->options, group->program);
	struct worker_job job = {
		.discover = s->discover,
		.group = group,
		.via = s->options->via,
		.kernel = s->options->kernel,
		.since = usage_is_new(group) ? s->began : now_ns(),
		.slow_ms = serve_options_slow_ms(s->options),
		.needs_slow = s->options->slow_ms > 0,
		.budget = s->options->budget,
		.samples = s->options->sink_samples,
		.loading = s->loading,
		.names = s->options->metrics.privacy == PRIVACY_NONE,
	};

	if (section != NULL) {
		set_spans(&job, &section->spans);
		job.by = section->by;
		job.needs_slow |= section->slow_ms > 0;
		if (section->via != TOOL_VIA_ANY)
			job.via = section->via;
		if (section->slow_ms > 0 && job.slow_ms > 0)
			job.slow_ms = section->slow_ms;
		if (section->budget > 0)
			job.budget = section->budget;
	}
	say("counting %s", group->program);
	workers_start(&job);
	s->started = now_ns();
}

static void look(struct supervisor *s)
{
	const struct discover_group *group = NULL;

	discover_look(s->discover, sdtkit_nanoseconds(CLOCK_BOOTTIME));
	usage_read(s->discover, is_wanted, s);
	s->looked = true;
	while ((group = discover_next(s->discover, group)) != NULL) {
		if (!is_wanted(group, s))
			continue;
		if (group->gone && workers_has(group->id)) {
			say("%s has ended", group->program);
			workers_end(group->id);
		} else if (!group->gone && !workers_has(group->id)) {
			start(s, group);
		}
	}
}

static void on_row(const void *row, void *context)
{
	const struct supervisor *s = context;
	struct slow_span slow;

	memcpy(&slow, row, sizeof(slow));
	privacy_row(s->options->metrics.privacy,
		    &serve_tables.table[SERVE_SLOW], &slow);
	serve_row(&serve_tables.table[SERVE_SLOW], &slow);
	sinks_row(s->setup, &serve_tables.table[SERVE_SLOW], &slow);
}

/* Processes, and their time, of the groups; those of a place have one row. */
static void add_programs(struct supervisor *s)
{
	const struct discover_group *group = NULL;
	const struct program_row *counted;
	struct program_row row;

	while ((group = discover_next(s->discover, group)) != NULL) {
		if (!is_wanted(group, s))
			continue;
		row = (struct program_row){
			.processes = usage_processes(group),
			.cpu_ns = usage_take_place(group),
		};
		groups_set_place(&row.at, group);
		counted = report_find(s->report, SERVE_PROGRAMS, &row);
		row.recorders = counted != NULL ? counted->recorders : 0;
		row.processes += counted != NULL ? counted->processes : 0;
		if (s->looked)
			workers_tell(group, usage_take(group));
		report_add_row(s->report, SERVE_PROGRAMS, &row);
	}
	s->looked = false;
}

static void tick(struct supervisor *s)
{
	struct report *r = s->report;
	unsigned long long now;
	struct lost_sum *lost;

	workers_await(on_row, s);
	now = now_ns();
	report_clear(r);
	workers_take(r);
	add_programs(s);
	lost = report_want(r, SERVE_LOST, NULL);
	lost->lines += serve_lost();
	r->end_ns = now;
	r->elapsed_ns = now - s->taken;
	s->taken = now;
	privacy_report(s->options->metrics.privacy, r);
	sinks_take(s->setup, r);
	serve_take(r);
	workers_sample();
}

static void complain(const char *sentence)
{
	tool_complain("%s", sentence);
}

static size_t set_sections(const struct serve_options *options,
			   struct discover_section sections[DISCOVER_GROUPS])
{
	const struct serve_section *from = options->sections.items;
	size_t count = options->sections.count;
	size_t i;

	if (count > DISCOVER_GROUPS)
		values_refuse("too many sections: the limit is %d",
			      DISCOVER_GROUPS);
	for (i = 0; i < count; i++)
		sections[i] = (struct discover_section){
			.program = from[i].name, .file = from[i].file,
			.describe = from[i].description,
			.ignored = from[i].enable == SERVE_DISABLED,
		};
	return count;
}

static int until(unsigned long long due, unsigned long long now)
{
	return due <= now ? 0 : (int)((due - now) / 1000000) + 1;
}

/* A worker soon has to know how much time its program uses. */
static unsigned long long look_ns(const struct supervisor *s,
				  unsigned long long now)
{
	return now < s->started + LOOK_NS ? SECOND_NS : LOOK_NS;
}

static void watch(struct supervisor *s)
{
	unsigned long long look_due = 0, tick_due = s->taken + SECOND_NS;
	unsigned long long now;

	while (!ended && serve_turn(now = now_ns())) {
		workers_kill_stuck();
		if (now >= look_due) {
			look(s);
			look_due = now + look_ns(s, now);
		}
		if (reloads) {
			reloads = 0;
			serve_reload();
		}
		if (now >= tick_due && serve_ready()) {
			tick(s);
			tick_due += (now - tick_due) / SECOND_NS * SECOND_NS +
				SECOND_NS;
		}
		workers_wait(now >= tick_due ? BUSY_MS : until(tick_due, now),
			     on_row, s);
	}
}

bool supervise(const struct sink_setup *setup,
	       const struct serve_options *options)
{
	char manifests[PATH_MAX];
	struct discover_section sections[DISCOVER_GROUPS];
	const struct discover_options what = {
		.section = sections,
		.count = set_sections(options, sections),
		.manifests = discover_manifests(manifests) ? manifests : NULL,
		.only = &options->only,
		.own = !options->kernel,
		.say = complain,
	};
	struct supervisor s = {
		.setup = setup, .options = options,
		.discover = discover_new(&what),
		.report = report_new(&serve_tables), .taken = now_ns(),
		.began = now_ns(),
		.loading = memfd_create("sdtkit-loading", MFD_CLOEXEC),
	};

	if (s.discover == NULL)
		return false;
	watch(&s);
	workers_end_all(on_row, &s);
	if (serve_wait())
		tick(&s);
	discover_free(s.discover);
	close(s.loading);
	report_free(s.report);
	return true;
}
