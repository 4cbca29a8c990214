/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.c - parses argv, and the file of --config; prints a message and
 * exits if they are wrong.
 *
 *	tsmbd -p 4711 -i 10 --top=files --slow=50
 *
 * The file comes first, so that the command line changes what it says.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "service/check.h"
#include "settings/parse.h"
#include "settings/values.h"
#include "incidents.h"
#include "names.h"
#include "options.h"
#include "options_check.h"
#include "parse.h"
#include "report.h"

static const char usage[] =
"Usage: tsmbd [OPTION]... [PID]\n"
"       tsmbd serve [OPTION]...     run as a service, with metrics and a history\n"
"       tsmbd replay [OPTION]...    print again what --history has recorded\n"
"       tsmbd merge FILE...         add up reports of several servers\n"
"Shows where the time of smbd goes. All smbd processes of the machine are\n"
"traced, also those that start later; Ctrl-C ends it and prints the report.\n"
"\n";

static const char usage_end[] =
"\n"
"  -h, --help            print this help\n"
"      --version         print the version\n"
"\n"
"tsmbd needs root, and an smbd that was built with probes. See tsmbd(1).\n";

/* Values of numbers that have no limit of their own. */
enum { MOST = 1000000000 };

#define OPTION(kind, member, name, argument, doc)			\
	SETTING(kind, struct options, member, name, argument, doc)
#define FLAG(member, name, doc)	{ OPTION(FLAG, member, name, NULL, doc) }
#define FLAG_OF(letter_, member, name, doc)	{			\
	OPTION(FLAG, member, name, NULL, doc), .letter = letter_ }
#define NUMBER(letter_, member, name, argument, normal_, least_, doc)	{ \
	OPTION(NUMBER, member, name, argument, doc), .letter = letter_,	\
	.normal = normal_, .least = least_, .most = MOST }
#define FILTER(kind, name, doc)	{					\
	OPTION(NAMES, filters[TSMBD_##kind], name, "NAMES", doc),	\
	.most = TSMBD_MAX_WANTED }

static const struct setting process_settings[] = {
	NUMBER('p', pid, "pid", "PID", 0, 1,
	       "trace only this process and its children"),
	{ OPTION(TEXT, name, "name", "NAME",
		 "look for processes of this name (smbd)"), .letter = 'n' },
	{ OPTION(LIST, files, "file", "FILE",
		 "trace the probes in this program or library, even if no "
		 "process runs it yet (may be repeated)"),
	  .letter = 'f', .most = TSMBD_MAX_FILES },
	NUMBER(0, node, "node", "NUMBER", 0, 0,
	       "the number of this node of a cluster (ctdb pnn)"),
	{ .name = NULL },
};

static const struct setting report_settings[] = {
	FLAG_OF('s', calls, "syscalls",
		"print the time in system calls, and a table of them"),
	FLAG_OF('d', distributions, "distributions",
		"print histograms of the times of requests and disk I/O, and "
		"of the sizes of READ and WRITE requests"),
	{ OPTION(SECONDS, interval, "interval", "SEC",
		 "print a report every SEC seconds (may be 0.1)"),
	  .letter = 'i' },
	NUMBER('c', count, "count", "COUNT", 0, 1,
	       "end after COUNT reports (of 1 second without -i)"),
	FLAG_OF('j', json, "json",
		"print one JSON object per report and event"),
	{ OPTION(BITS, tops, "top", "clients|users|shares|files",
		 "list the busiest of these (may be repeated, or be a list "
		 "with commas)") },
	{ OPTION(CHOICE, top_order, "by", "requests|bytes|time|errors",
		 "sort these by that (requests)") },
	NUMBER(0, top_lines, "lines", "NUMBER", 10, 1,
	       "print NUMBER rows of each of these tables"),
	{ OPTION(TEXT, heatmap, "heatmap", "FILE",
		 "write a heat map (SVG): requests by time, latency") },
	{ OPTION(TEXT, flame, "flame", "FILE",
		 "write a flame graph (SVG) of what the CPUs execute") },
	NUMBER('F', hertz, "frequency", "HZ", 99, 1,
	       "take HZ samples a second on each CPU, for --flame"),
	{ .name = NULL },
};

static unsigned int command_bit(const char *what, const char *name)
{
	int op = op_by_name(name);
	char word[VALUES_WORD];

	if (op < 0)
		values_refuse("invalid value '%s' for %s: use names of SMB2, "
			      "as in create,query_directory",
			      values_word(name, word), values_name(what));
	return (unsigned int)op;
}

static const struct setting filter_settings[] = {
	FILTER(SHARES, "share", "only those on these shares"),
	FILTER(CLIENTS, "client",
	       "only those of the clients with these IP addresses"),
	FILTER(USERS, "user", "only those of these users"),
	{ OPTION(BITS, commands, "command", "NAMES",
		 "only these commands: create, read, write..."),
	  .bit = command_bit },
	{ .name = NULL },
};

static const struct setting line_settings[] = {
	{ OPTION(MILLISECONDS, slow_ms, "slow", "MS",
		 "print requests that took MS milliseconds or more") },
	FLAG(errors, "errors",
	     "print requests that failed, and what they asked for"),
	FLAG(exits, "exit", "print why connections and processes end"),
	FLAG(oplocks, "oplocks",
	     "print each step when an oplock or lease is broken, and which "
	     "client waited for which"),
	{ .name = NULL },
};

#define AT(member)	offsetof(struct options, member)

const struct settings all_settings[] = {
	{ "Which processes", process_settings, 0, NULL, 0 },
	{ "Report", report_settings, 0, NULL, 0 },
	{ "Which requests to count (names are separated by commas)",
	  filter_settings, 0, NULL, 0 },
	{ "Lines as things happen", line_settings, 0, NULL, 0 },
	{ "Service", service_settings, AT(service), NULL, 0 },
	{ "History", history_settings, AT(history), NULL, 0 },
	{ "Metrics", http_settings, AT(http), NULL, 0 },
	{ NULL, metrics_settings, AT(metrics), NULL, 0 },
	{ "Incidents", incident_settings, AT(incident), &smbd_measures, 0 },
	{ "Page", page_settings, AT(page), NULL, 0 },
	{ .rows = NULL },
};

static void set_defaults(struct options *o)
{
	o->slow = values_given("slow");
	if (values_given("node"))
		o->node++;
	if (o->name == NULL)
		o->name = "smbd";
	if (o->commands == 0)
		o->commands = ~0U;
	if (o->count > 0 && o->interval == 0)
		o->interval = 1000000000;
}

/* Options that make no sense in a file. */
static const char *const excluded[] = {
	"config", "check-config", "help", "version", "daemon", "socket",
	NULL,
};

static const char *instead_of(const char *key)
{
	return strstr(key, "user") == NULL ? NULL :
		"use 'user' for those whose requests are counted, or 'run-as' "
		"for the user of the service";
}

static const struct settings_program parsed = {
	all_settings, "p:n:f:sdi:c:jF:h", usage, usage_end,
	"tsmbd " TSMBD_VERSION "\n", excluded, instead_of,
};

bool options_load(int argc, char **argv, struct config *config)
{
	return settings_load(&parsed, argc, argv, config);
}

void options_parse(int argc, char **argv, struct options *o)
{
	struct config config;

	if (!options_load(argc, argv, &config))
		exit(1);
	options_parse_loaded(argc, argv, &config, o);
}

void options_parse_loaded(int argc, char **argv, struct config *config,
			  void *options)
{
	struct options *o = options;

	*o = (struct options){ .pid = 0 };
	settings_parse(&parsed, argc, argv, config, o);
	if (optind < argc && o->pid == 0)
		o->pid = (pid_t)value_number("PID", argv[optind++], 1, MOST);
	if (optind < argc)
		values_refuse("unexpected argument '%s': only one PID may be "
			      "given", argv[optind]);
	options_check(o);
	check_sinks(all_settings, o);
	set_defaults(o);
}
