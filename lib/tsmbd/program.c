/* SPDX-License-Identifier: BSD-2-Clause */
/* program.c - what rooms of lib need to know of tsmbd. */
#include "history/sink.h"
#include "incident/incident.h"
#include "metrics/metrics.h"
#include "page/page.h"
#include "flame.h"
#include "incidents.h"
#include "log.h"
#include "parse.h"
#include "report.h"
#include "rows.h"
#include "sections.h"

static const struct sink *const sinks[] = {
	&history_sink,
	&metrics_sink,
	&incident_sink,
	&page_sink,
	NULL,
};

static bool wants_flame(const void *options)
{
	return ((const struct options *)options)->flame != NULL;
}

static unsigned long long lost_samples(const struct report *report)
{
	const struct server_row *server = server_row(report);

	return server == NULL ? 0 : server->lost[TSMBD_LOST_SAMPLES];
}

static const struct report_flames flames = {
	.wanted = wants_flame,
	.whole = flame_graph,
	.begin = flame_begin,
	.end = flame_end,
	.lost = lost_samples,
};

static void sort(const void *options, struct report *report)
{
	smbd_sort(report, ((const struct options *)options)->top_order);
}

static const char *asked(const void *options)
{
	return ((const struct options *)options)->errors ? "failures" : "";
}

static void add_lost(struct report *r, unsigned long long spans)
{
	if (server_row(r) != NULL)
		server_row(r)->lost[TSMBD_LOST_LINES] += spans;
}

const struct report_program smbd_program = {
	.name = "tsmbd",
	.version = TSMBD_VERSION,
	.tables = &smbd_tables,
	.settings = options_settings,
	.options_size = sizeof(struct options),
	.flames = &flames,
	.page = &smbd_page,
	.sinks = sinks,
	.metrics = &smbd_metrics,
	.shown = options_tables,
	.slow = SMBD_SLOW,
	.measures = &smbd_measures,
	.heat = &smbd_heat,
	.files = smbd_files,
	.complete = options_complete,
	.sort = sort,
	.asked = asked,
	.add_lost = add_lost,
	.print = smbd_print,
	.json = smbd_json,
	.line = log_row,
};
