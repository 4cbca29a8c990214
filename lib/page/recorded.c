/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorded.c - what a history has goes to the page.
 *
 * Times of a history are those of the day. The store has the kernel's clock, as
 * nobody sets it: before the last boot its times are negative, which is right
 * for differences.
 */
#include <time.h>

#include "base/when.h"
#include "history/add.h"
#include "recorded.h"
#include "store.h"
#include "tsmbd/rows_back.h"

#define SECOND 1000000000ULL

static const unsigned long long HOURS_NS = 6 * 3600 * SECOND;
static const unsigned long long MINUTES_NS = 11 * 60 * SECOND;

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (unsigned long long)ts.tv_sec * SECOND +
	       (unsigned long long)ts.tv_nsec;
}

/* A minute has no seconds. */
static void take(const struct history_tick *tick, bool lists,
		 unsigned long long minutes_from)
{
	struct page_past past = {
		.end_ns = tick->report->end_ns - when_offset(),
		.lists = lists,
		.has_names = (tick->tables & SMBD_NAMES) != 0,
		.spans = 1U << PAGE_HOURS,
	};
	static struct smbd_report report;

	if (!tick->minute && tick->report->end_ns > minutes_from)
		past.spans |= 1U << PAGE_MINUTES;
	rows_back(&report, tick->report);
	store_take_past(&report, &past);
	smbd_report_clear(&report);
}

static void shift(struct tsmbd_request_event *e)
{
	e->event.time -= when_offset();
	e->request.start -= when_offset();
}

/* With --privacy, names that were recorded without it are not shown. */
static void load(struct history *h, bool lists, unsigned long long now)
{
	static struct tsmbd_request_event e;
	struct history_tick tick;
	struct slow_row row;
	unsigned int spans;

	while (history_next(h, &tick)) {
		while (lists &&
		       history_next_row(h, tick.report->end_ns, &row)) {
			rows_slow_back(&e, &row);
			spans = 1U << PAGE_HOURS;
			if (e.event.time + MINUTES_NS > now)
				spans |= 1U << PAGE_MINUTES;
			shift(&e);
			store_event_past(&e.event, spans);
		}
		take(&tick, lists, now - MINUTES_NS);
	}
}

void recorded_load(const struct sink_setup *setup)
{
	const struct options *options = setup->options;
	unsigned long long now = now_ns();
	struct history *h;

	if (options->history.history == NULL || page_store()->origin_ns != 0)
		return;
	h = history_open_coarse(options->history.history, setup->program,
				now - HOURS_NS, now - MINUTES_NS, now);
	if (h == NULL)
		return;
	load(h, options->metrics.privacy == 0, now);
	history_close(h);
}

void recorded_take(const struct history_tick *tick)
{
	static struct smbd_report report;

	take(tick, true, 0);
	rows_back(&report, tick->report);
	store_sum(&report);
	smbd_report_clear(&report);
}

void recorded_row(const void *row)
{
	static struct tsmbd_request_event e;

	rows_slow_back(&e, row);
	shift(&e);
	store_event(&e.event);
}
