/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c - says what a service would do.
 *
 *	the configuration is good: the service
 *	  traces processes that are called smbd
 *	  runs as the user nobody
 *	  serves metrics at 127.0.0.1:10445
 *
 * A line that is missing here tells an operator of a '#' that is still there.
 */
#include "history/options.h"
#include "http/listen.h"
#include "http/options.h"
#include "incident/options.h"
#include "metrics/options.h"
#include "page/options.h"
#include "settings/values.h"
#include "check.h"
#include "options.h"
#include "plan.h"

static void print_metrics(FILE *out, const struct sink_setup *setup)
{
	const struct http_options *http = sink_options(setup, http_settings);
	const struct metrics_options *o = sink_options(setup, metrics_settings);
	const struct page_options *page = sink_options(setup, page_settings);
	char word[VALUES_WORD];

	if (http->listen != NULL)
		fprintf(out, "  serves metrics%s at %s%s%s%s%s\n",
			page->html != NULL || page->served ?
			" and the page" : "",
			listen_implied(http->listen),
			*listen_implied(http->listen) != '\0' ? ":" : "",
			values_word(http->listen, word),
			http->tls_cert != NULL ? ", by TLS" : "",
			http->auth != NULL ? ", to who has a password" : "");
	if (o->textfile != NULL)
		fprintf(out, "  writes metrics to %s\n",
			values_word(o->textfile, word));
}

static void print_files(FILE *out, const struct sink_setup *setup)
{
	const struct history_options *history =
		sink_options(setup, history_settings);
	const struct incident_options *incident =
		sink_options(setup, incident_settings);
	const struct page_options *page = sink_options(setup, page_settings);
	char word[VALUES_WORD];

	if (history->history != NULL)
		fprintf(out, "  keeps a history of at most %u MiB in %s\n",
			history->history_size,
			values_word(history->history, word));
	if (incident->when.count > 0)
		fprintf(out, "  watches for incidents: %d condition%s\n",
			incident->when.count,
			incident->when.count > 1 ? "s" : "");
	if (incident->save != NULL)
		fprintf(out, "  saves at most %u MiB of incidents in %s\n",
			incident->save_size, values_word(incident->save, word));
	if (page->html != NULL)
		fprintf(out, "  writes the page to %s\n",
			values_word(page->html, word));
}

void plan_print(FILE *out, const struct service_program *program,
		const struct sink_setup *setup, const char *user)
{
	const struct service_options *o =
		sink_options(setup, service_settings);
	bool makes_nothing = !sinks_wanted(setup);

	check_places(setup->program->settings, setup->options);
	if (!o->daemon) {
		fputs("the configuration is good\n", out);
		return;
	}
	fprintf(out, "the configuration %s the service\n", makes_nothing ?
		"has no mistakes, but" : "is good:");
	program->plan(out, setup->options);
	if (user != NULL)
		fprintf(out, "  runs as the user %s\n", user);
	print_metrics(out, setup);
	print_files(out, setup);
	if (makes_nothing)
		fputs("  makes nothing\n", out);
}
