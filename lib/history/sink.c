/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.c - reports and slow requests go to the history.
 *
 * A report tells its end by the clock that nobody sets, CLOCK_MONOTONIC. The
 * time of day is noted with it, so both survive in the record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/when.h"
#include "history/sink.h"
#include "history/write.h"
#include "tsmbd/options.h"
#include "tsmbd/report.h"
#include "tsmbd/rows.h"
#include "tsmbd/tally.h"

static struct history_writer *writer;

static bool wanted(const struct sink_setup *setup)
{
	const struct history_options *o = sink_options(setup, history_settings);

	return o->history != NULL;
}

/* "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" as 16 bytes. */
static void read_boot(unsigned char boot[HISTORY_BOOT])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	unsigned int byte;
	int i;

	for (i = 0; file != NULL && i < HISTORY_BOOT; i++) {
		if (fscanf(file, i == 4 || i == 6 || i == 8 || i == 10 ?
			   "-%2x" : "%2x", &byte) != 1)
			break;
		boot[i] = (unsigned char)byte;
	}
	if (file != NULL)
		fclose(file);
}

static unsigned int what_is_recorded(const struct options *o)
{
	return HISTORY_NAMES | HISTORY_WAITS | HISTORY_SLOW |
		(o->calls ? HISTORY_CALLS : 0) |
		(o->distributions ? HISTORY_SIZES : 0) |
		(o->errors ? HISTORY_FAILED : 0);
}

static void open_history(const struct sink_setup *setup,
			 struct sink_needs *needs)
{
	const struct options *o = setup->options;
	struct history_run run = { .recorded = what_is_recorded(o) };

	needs->tables |= SMBD_NAMES | 1U << SMBD_WAITS;
	sink_need_slow(needs, HISTORY_SLOW_MS);
	read_boot(run.boot);
	gethostname(run.host, sizeof(run.host) - 1);
	writer = history_create(o->history.history, (unsigned long long)
				o->history.history_size << 20, &run);
	if (writer == NULL)
		exit(1);
}

static struct history_time time_of(unsigned long long mono_ns,
				   unsigned long long elapsed_ns)
{
	return (struct history_time){
		.begin_ns = mono_ns - elapsed_ns,
		.wall_ns = when_offset() + mono_ns,
		.mono_ns = mono_ns,
		.elapsed_ns = elapsed_ns,
	};
}

static void take(const struct sink_setup *setup, const void *report)
{
	const struct smbd_report *r = report;
	const struct history_time time = time_of(r->end_ns, r->elapsed_ns);

	(void)setup;
	if (r->elapsed_ns > 0)
		history_write(writer, &time, r);
}

static void event(const struct sink_setup *setup, const void *event)
{
	const struct tsmbd_event *e = event;
	const struct history_time time = time_of(e->time, 0);
	char name[TSMBD_NAME];

	(void)setup;
	if (e->kind != TSMBD_EVENT_SLOW && e->kind != TSMBD_EVENT_ERROR)
		return;
	client_name(e->pid, e->remote, name);
	name[TSMBD_ADDRESS - 1] = '\0';
	history_write_request(writer, &time, (const void *)e, name);
}

static bool close_history(const struct sink_setup *setup)
{
	bool good = history_finish(writer);

	(void)setup;
	writer = NULL;
	return good;
}

const struct sink history_sink = {
	.group = "History",
	.wanted = wanted,
	.open = open_history,
	.take_old = take,
	.event_old = event,
	.close = close_history,
};
