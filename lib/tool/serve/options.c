/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.c - the command line of sdtkit serve, and its file.
 *
 *	sdtkit serve --listen=127.0.0.1 --history=/var/lib/sdtkit/history.db
 */
#include <getopt.h>
#include <string.h>

#include "lib/metrics/privacy.h"
#include "lib/service/check.h"
#include "lib/settings/parse.h"
#include "lib/settings/values.h"
#include "lib/spans/spans.h"
#include "serve/measures.h"
#include "serve/options.h"

static const char usage[] =
"Usage: sdtkit serve [OPTION]...\n"
"Tells Prometheus and a page where the time of all programs of this host goes\n"
"that have probes with spans, also of those that start later. It runs in the\n"
"foreground, for a service manager.\n"
"\n";

static const char usage_end[] =
"\n"
"  -h, --help            print this help\n"
"  -V, --version         print the version\n"
"\n"
"As an ordinary user, sdtkit serve counts the programs of this user that have a\n"
"recorder. Those without need root to begin with. See sdtkit-serve(8).\n";

#define OPTION(kind, member, name, argument, doc)			\
	SETTING(kind, struct serve_options, member, name, argument, doc)

static const struct setting program_settings[] = {
	{ OPTION(NAMES, only, "only", "NAMES",
		 "only programs of these names, as postgres,smbd"),
	  .most = SETTING_MAX_TEXTS },
	{ OPTION(MILLISECONDS, slow_ms, "slow", "MS",
		 "spans that take MS milliseconds or more are slow (50)") },
	{ OPTION(CHOICE, via, "via", "recorder|kernel",
		 "count by the recorders that processes have, or by the "
		 "kernel; without it, by recorders where all processes of a "
		 "program have one") },
	{ OPTION(NUMBER, budget, "budget", "PERCENT",
		 "let spans go whose probes take more than PERCENT of the "
		 "processor time of their program"), .least = 1, .most = 100 },
	{ .name = NULL },
};

#define OF_PROGRAM(kind, member, name, argument, doc)			\
	SETTING(kind, struct serve_section, member, name, argument, doc)

static const struct setting section_settings[] = {
	{ OF_PROGRAM(TEXT, file, "file", "FILE",
		     "the file that has its probes, if no process is to be "
		     "looked for") },
	{ OF_PROGRAM(TEXT, description, "description", "FILE",
		     "a manifest or a description of probes that have none") },
	{ OF_PROGRAM(LIST, spans, "span", "SPAN",
		     "count this span only (may be repeated): its name, a "
		     "pattern of probes, or a declaration, as with 'sdtkit top "
		     "--span'"), .most = SETTING_MAX_TEXTS },
	{ OF_PROGRAM(TEXT, by, "by", "ARG[,ARG]",
		     "group by these arguments, and not by the name") },
	{ OF_PROGRAM(MILLISECONDS, slow_ms, "slow", "MS",
		     "its spans that take MS milliseconds or more are slow") },
	{ OF_PROGRAM(NUMBER, budget, "budget", "PERCENT",
		     "its spans are let go if their probes take more of its "
		     "processor time"), .least = 1, .most = 100 },
	{ OF_PROGRAM(CHOICE, via, "via", "recorder|kernel",
		     "count it by its recorders, or by the kernel") },
	{ OF_PROGRAM(CHOICE, enable, "enable", "no|yes",
		     "no: it is not counted") },
	{ .name = NULL },
};

#define AT(member)	offsetof(struct serve_options, member)

const struct settings serve_settings[] = {
	{ "Programs", program_settings, 0, NULL, 0 },
	{ "In a section [PROGRAM] of the file", section_settings, AT(sections),
	  NULL, sizeof(struct serve_section) },
	{ "Service", service_settings, AT(service), NULL, 0 },
	{ "History", history_settings, AT(history), NULL, 0 },
	{ "Metrics and the page", http_settings, AT(http), NULL, 0 },
	{ NULL, metrics_settings, AT(metrics), NULL, 0 },
	{ "Incidents", incident_settings, AT(incident), &serve_measures, 0 },
	{ "Page", page_settings, AT(page), NULL, 0 },
	{ .rows = NULL },
};

static const char *const excluded[] = {
	"config", "check-config", "help", "version", "daemon", "socket",
	NULL,
};

static const char *instead_of(const char *key)
{
	return strcmp(key, "user") == 0 ? "use 'run-as'" : NULL;
}

static const struct settings_program parsed = {
	serve_settings, "hV", usage, usage_end,
	"sdtkit serve " TOOL_VERSION "\n", excluded, instead_of,
};

bool serve_options_load(int argc, char **argv, struct config *config)
{
	return settings_load(&parsed, argc, argv, config);
}

/*
 * Refuses declarations with mistakes. Whether a program has the probes that a
 * declaration names is known when the program runs.
 */
static void check_spans(const struct serve_section *section)
{
	const struct texts *spans = &section->spans;
	int i;

	for (i = 0; i < spans->count; i++) {
		if (serve_options_declares(spans->items[i]) &&
		    !spans_check_option(spans->items[i]))
			values_refuse("[%s]: %s", section->name,
				      spans_error());
	}
}

void serve_options_parse(int argc, char **argv, struct config *config,
			 void *options)
{
	struct serve_options *o = options;
	const struct serve_section *sections;
	size_t i;

	*o = (struct serve_options){ .slow_ms = 0 };
	values_command("sdtkit serve");
	settings_parse(&parsed, argc, argv, config, o);
	if (optind < argc)
		values_refuse("unexpected argument '%s': programs are found; "
			      "--only=NAMES chooses among them", argv[optind]);
	sections = o->sections.items;
	for (i = 0; i < o->sections.count; i++)
		check_spans(&sections[i]);
	o->page.served = true;
	check_sinks(serve_settings, o);
	check_refuse(o->metrics.privacy == PRIVACY_OMIT,
		     CHECK_GROUP("privacy"), "--privacy=omit leaves out spans "
		     "with their names: use --privacy=hash");
}

bool serve_options_declares(const char *span)
{
	return strstr(span, "..") != NULL;
}

double serve_options_slow_ms(const void *options)
{
	const struct serve_options *o = options;

	if (!o->sink_slow)
		return 0;
	return o->slow_ms > 0 ? o->slow_ms : o->sink_slow_ms;
}

const struct serve_section *
serve_options_section(const struct serve_options *o, const char *program)
{
	const struct serve_section *sections = o->sections.items;
	size_t i;

	for (i = 0; i < o->sections.count; i++) {
		if (strcmp(sections[i].name, program) == 0)
			return &sections[i];
	}
	return NULL;
}
