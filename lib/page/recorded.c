/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorded.c - what a history has goes to the page.
 *
 * Times of a history are those of the day. The store has the kernel's clock, as
 * nobody sets it: before the last boot its times are negative, which is right
 * for differences.
 */
#include <err.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/when.h"
#include "history/options.h"
#include "recorded.h"
#include "section.h"
#include "store.h"

#define SECOND 1000000000ULL

static const unsigned long long HOURS_NS = 6 * 3600 * SECOND;
static const unsigned long long MINUTES_NS = 11 * 60 * SECOND;

static unsigned int listed;	/* a bit for each table of names */

/* A minute has no seconds. */
static void take(const struct history_tick *tick, bool lists,
		 unsigned long long minutes_from)
{
	struct page_past past = {
		.end_ns = tick->report->end_ns - when_offset(),
		.lists = lists,
		.has_names = (tick->tables & listed) != 0,
		.spans = 1U << PAGE_HOURS,
	};

	if (!tick->minute && tick->report->end_ns > minutes_from)
		past.spans |= 1U << PAGE_MINUTES;
	store_take_past(tick->report, &past);
}

/* With --privacy, names that were recorded without it are not shown. */
static void load(struct history *h, const struct report_program *program,
		 bool lists, unsigned long long now)
{
	unsigned long long *row =
		malloc(program->tables->table[program->slow].row_size);
	struct history_tick tick;
	unsigned int spans;

	if (row == NULL)
		err(1, NULL);
	while (history_next(h, &tick)) {
		while (lists &&
		       history_next_row(h, tick.report->end_ns, row)) {
			spans = 1U << PAGE_HOURS;
			if (*row + MINUTES_NS > now)
				spans |= 1U << PAGE_MINUTES;
			*row -= when_offset();
			store_event_past(row, spans);
		}
		take(&tick, lists, now - MINUTES_NS);
	}
	free(row);
}

void recorded_load(const struct sink_setup *setup)
{
	const struct history_options *options =
		sink_options(setup, history_settings);
	unsigned long long now = sdtkit_nanoseconds(CLOCK_REALTIME);
	struct history *h;

	recorded_begin(setup);
	if (options == NULL || options->history == NULL ||
	    page_store()->origin_ns != 0)
		return;
	h = history_open_coarse(options->history, setup->program,
				now - HOURS_NS, now - MINUTES_NS, now);
	if (h == NULL)
		return;
	load(h, setup->program, setup->program->page->names(setup->options),
	     now);
	history_close(h);
}

void recorded_begin(const struct sink_setup *setup)
{
	const struct page_list *list;

	for (list = setup->program->page->lists; list->key != NULL; list++) {
		if (setup->program->tables->table[list->table].by_name)
			listed |= 1U << list->table;
	}
	store_open(setup->program);
}

void recorded_take(const struct history_tick *tick)
{
	take(tick, true, 0);
	store_sum(tick->report);
}

void recorded_row(void *row)
{
	*(unsigned long long *)row -= when_offset();
	store_event(row);
}
