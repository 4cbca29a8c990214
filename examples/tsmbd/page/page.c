/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.c - takes reports for the page, and writes it: with --html at the end,
 * and once a minute, so that somebody may look at it meanwhile. With --listen
 * the page is served as well: it needs more than metrics do, so only if --html
 * asks for it.
 */
#include <stdlib.h>

#include "data.h"
#include "html.h"
#include "page.h"
#include "picture.h"
#include "served.h"
#include "store.h"

/* Requests that are kept unless --slow says another time. */
static const double SLOW_MS = 50;

static const unsigned long long WRITE_NS = 60000000000ULL;

static unsigned long long written;	/* when the file was, or 0 */

static bool wanted(const struct options *options)
{
	return options->serve.html != NULL;
}

static void open_page(struct options *options)
{
	if (!picture_check(options->serve.html))
		exit(1);
	options->sink_tops |= (1U << TSMBD_KINDS) - 1;
	options->sink_waits = true;
	if (!options->sink_slow || options->sink_slow_ms > SLOW_MS)
		options->sink_slow_ms = SLOW_MS;
	options->sink_slow = true;
	if (options->serve.listen != NULL)
		served_open(options);
}

static bool write_page(const struct options *options)
{
	struct picture file;
	json_t *data;
	char *text;

	if (!picture_open(&file, options->serve.html))
		return false;
	data = page_data(options, 0, &text);
	html_write(file.file, data, text);
	json_decref(data);
	free(text);
	return picture_close(&file);
}

static void take(const struct options *options, const struct report *report)
{
	store_take(report);
	if (options->serve.listen != NULL)
		served_tick(options, report->end_ns);
	if (written == 0)
		written = report->end_ns;
	if (report->end_ns < written + WRITE_NS)
		return;
	written = report->end_ns;
	write_page(options);
}

static void event(const struct options *options,
		  const struct tsmbd_event *event)
{
	(void)options;
	store_event(event);
}

static bool close_page(const struct options *options)
{
	served_close();
	return write_page(options);
}

const struct sink page_sink = {
	.wanted = wanted,
	.open = open_page,
	.take = take,
	.event = event,
	.close = close_page,
};
