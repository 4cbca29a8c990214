/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.c - takes reports for the page, and writes it: with --html at the end,
 * and once a minute, so that somebody may look at it meanwhile. With --listen
 * the page is served as well, if --html asks for it or the program always does:
 * it needs more than metrics do.
 */
#include <err.h>
#include <stdlib.h>

#include "http/options.h"
#include "html.h"
#include "options.h"
#include "page.h"
#include "picture.h"
#include "recorded.h"
#include "sampled.h"
#include "sampler.h"
#include "served.h"
#include "store.h"

/* As that of a history, which has the same names. */
enum { MODE = 0640 };

/* Requests from this time on are slow, unless --slow says another one. */
static const double SLOW_MS = 50;

static const unsigned long long WRITE_NS = 60000000000ULL;

static unsigned long long written;	/* when the file was, or 0 */

static const struct page_options *own(const struct sink_setup *setup)
{
	return sink_options(setup, page_settings);
}

static bool is_served(const struct sink_setup *setup)
{
	const struct http_options *http = sink_options(setup, http_settings);

	return http != NULL && http->listen != NULL;
}

static bool wanted(const struct sink_setup *setup)
{
	return own(setup)->html != NULL ||
	       (own(setup)->served && is_served(setup));
}

/* A service has them in another process, which asks for it: service/link.h. */
static bool wants_samples(const struct sink_setup *setup)
{
	const struct report_flames *flames = setup->program->flames;

	return own(setup)->html_flame && flames != NULL &&
	       !flames->wanted(setup->options);
}

static void open_page(const struct sink_setup *setup, struct sink_needs *needs)
{
	const struct page_list *list = setup->program->page->lists;

	if (own(setup)->html != NULL &&
	    !picture_check("--html", own(setup)->html))
		exit(1);
	for (; list->key != NULL; list++)
		needs->tables |= 1U << list->table;
	sink_need_slow(needs, SLOW_MS);
	needs->samples |= wants_samples(setup);
	recorded_load(setup);
	if (is_served(setup))
		served_open(setup);
}

static bool write_page(const struct sink_setup *setup, bool quiet)
{
	struct picture file;
	struct page_view view;

	if (own(setup)->html == NULL)
		return true;
	if (!(quiet ? picture_open_quietly :
		      picture_open)(&file, own(setup)->html, MODE))
		return false;
	view_begin(&view, setup, 0);
	view.flame = sampled(setup);
	html_write(file.file, &view, NULL, NULL);
	view_end(&view);
	return picture_close(&file);
}

bool page_write(const struct sink_setup *setup)
{
	return write_page(setup, false);
}

/* Says once that writing fails, and once that it works again. */
static void write_again(const struct sink_setup *setup)
{
	static bool failed;
	bool good = write_page(setup, failed);

	if (good && failed)
		warnx("%s: written again", own(setup)->html);
	failed = !good;
}

static void take(const struct sink_setup *setup, const struct report *report)
{
	store_take(report);
	if (is_served(setup))
		served_tick(setup, report->end_ns);
	if (wants_samples(setup) && !served_is_watched())
		sampled_drop();
	if (wants_samples(setup) && setup->tracer == 0)
		sampler_turn(setup->program->flames, served_is_watched(),
			     report->end_ns, sampled_take);
	if (written == 0)
		written = report->end_ns;
	if (report->end_ns < written + WRITE_NS)
		return;
	written = report->end_ns;
	write_again(setup);
}

bool page_wants_samples(const struct sink_setup *setup)
{
	return wanted(setup) && wants_samples(setup) && served_is_watched();
}

static void take_row(const struct sink_setup *setup,
		     const struct report_table *table, const void *row)
{
	const struct report_program *program = setup->program;

	if (table == &program->tables->table[program->slow])
		store_event(row);
}

static bool close_page(const struct sink_setup *setup)
{
	served_close();
	return page_write(setup);
}

const struct sink page_sink = {
	.wanted = wanted,
	.open = open_page,
	.take = take,
	.row = take_row,
	.close = close_page,
};
