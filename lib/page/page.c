/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.c - takes reports for the page, and writes it: with --html at the end,
 * and once a minute, so that somebody may look at it meanwhile. With --listen
 * the page is served as well: it needs more than metrics do, so only if --html
 * asks for it.
 */
#include <err.h>
#include <stdlib.h>

#include "html.h"
#include "page.h"
#include "picture.h"
#include "recorded.h"
#include "sampled.h"
#include "sampler.h"
#include "served.h"
#include "store.h"
#include "tsmbd/rows.h"

/* As that of a history, which has the same names. */
enum { MODE = 0640 };

/* Requests that are kept unless --slow says another time. */
static const double SLOW_MS = 50;

static const unsigned long long WRITE_NS = 60000000000ULL;

static unsigned long long written;	/* when the file was, or 0 */

static bool wanted(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	return options->page.html != NULL;
}

/* A service has them in another process, which asks for it: service/link.h. */
static bool wants_samples(const struct options *options)
{
	return options->page.html_flame && options->flame == NULL;
}

static void open_page(const struct sink_setup *setup, struct sink_needs *needs)
{
	const struct options *options = setup->options;

	if (!picture_check("--html", options->page.html))
		exit(1);
	needs->tables |= SMBD_NAMES | 1U << SMBD_WAITS;
	sink_need_slow(needs, SLOW_MS);
	needs->samples |= wants_samples(options);
	recorded_load(setup);
	if (options->http.listen != NULL)
		served_open(options);
}

static bool write_page(const struct options *options, bool quiet)
{
	struct picture file;
	struct page_view view;

	if (!(quiet ? picture_open_quietly :
		      picture_open)(&file, options->page.html, MODE))
		return false;
	view_begin(&view, options, 0);
	view.flame = sampled(options);
	html_write(file.file, &view, NULL, NULL);
	view_end(&view);
	return picture_close(&file);
}

bool page_write(const struct options *options)
{
	return write_page(options, false);
}

/* Says once that writing fails, and once that it works again. */
static void write_again(const struct options *options)
{
	static bool failed;
	bool good = write_page(options, failed);

	if (good && failed)
		warnx("%s: written again", options->page.html);
	failed = !good;
}

static void take(const struct sink_setup *setup, const void *taken)
{
	const struct options *options = setup->options;
	const struct smbd_report *report = taken;

	store_take(report);
	if (options->http.listen != NULL)
		served_tick(options, report->end_ns);
	if (wants_samples(options) && !served_is_watched())
		sampled_drop();
	if (wants_samples(options) && setup->tracer == 0)
		sampler_turn(served_is_watched(), report->end_ns, sampled_take);
	if (written == 0)
		written = report->end_ns;
	if (report->end_ns < written + WRITE_NS)
		return;
	written = report->end_ns;
	write_again(options);
}

bool page_wants_samples(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	return options->page.html != NULL && wants_samples(options) &&
	       served_is_watched();
}

static void event(const struct sink_setup *setup, const void *event)
{
	(void)setup;
	store_event(event);
}

static bool close_page(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	served_close();
	return page_write(options);
}

const struct sink page_sink = {
	.wanted = wanted,
	.open = open_page,
	.take_old = take,
	.event_old = event,
	.close = close_page,
};
