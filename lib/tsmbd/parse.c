/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.c - parses argv, and the file of --config; prints a message and
 * exits if they are wrong.
 *
 *	tsmbd -p 4711 -i 10 --top=files --slow=50
 *
 * The file comes first, so that the command line changes what it says.
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "history/moment.h"
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

/* What getopt_long() returns for --version. */
enum { VERSION = 256 };

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, VERSION },
};

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
	{ "Which processes", process_settings, 0, NULL },
	{ "Report", report_settings, 0, NULL },
	{ "Which requests to count (names are separated by commas)",
	  filter_settings, 0, NULL },
	{ "Lines as things happen", line_settings, 0, NULL },
	{ "Service", service_settings, AT(service), NULL },
	{ "History", history_settings, AT(history), NULL },
	{ "Metrics", http_settings, AT(http), NULL },
	{ NULL, metrics_settings, AT(metrics), NULL },
	{ "Incidents", incident_settings, AT(incident), &smbd_measures },
	{ "Page", page_settings, AT(page), NULL },
	{ .rows = NULL },
};

enum { MOST_OPTIONS = 128 };

static void print_help(void)
{
	fputs(usage, stdout);
	settings_help(all_settings, stdout);
}

static void say_and_exit(const char *text)
{
	fputs(text, stdout);
	if (fflush(stdout) != 0)
		err(1, "standard output");
	exit(0);
}

/* Whether it adds to what was said before; another one replaces it. */
static bool may_repeat(int option)
{
	const struct setting *row = settings_find(all_settings, option);

	return row != NULL && (row->kind == SETTING_LIST ||
			       row->kind == SETTING_NAMES ||
			       row->kind == SETTING_BITS);
}

/* The options of all tables, and the end mark. */
static const struct option *list_options(void)
{
	static struct option list[MOST_OPTIONS];
	size_t count = settings_list(all_settings, list);

	memcpy(list + count, long_options, sizeof(long_options));
	return list;
}

static void note(int option)
{
	const struct option *one = list_options();

	while (one->name != NULL && one->val != option)
		one++;
	if (one->name != NULL)
		values_note(one->name);
}

static void parse_one(int option, const char *value, void *options)
{
	note(option);
	if (option == 'h') {
		print_help();
		say_and_exit(usage_end);
	} else if (option == VERSION) {
		say_and_exit("tsmbd " TSMBD_VERSION "\n");
	} else if (!settings_set(all_settings, option, options, value)) {
		values_hint();
	}
}

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

static const char letters[] = "p:n:f:sdi:c:jF:h";

/* The file of the last --config, or NULL. */
static const char *find_config(int argc, char **argv)
{
	const struct option *list = list_options();
	const char *path = NULL;
	int index = 0;
	int option;

	opterr = 0;
	optind = 0;
	while ((option = getopt_long(argc, argv, letters, list,
				     &index)) != -1) {
		if (option >= SETTINGS_FIRST &&
		    strcmp(list[index].name, "config") == 0)
			path = optarg;
	}
	opterr = 1;
	optind = 0;
	return path;
}

bool options_load(int argc, char **argv, struct config *config)
{
	const char *path = find_config(argc, argv);

	*config = (struct config){ .path = NULL };
	return path == NULL || config_load(path, config);
}

void options_parse(int argc, char **argv, struct options *o)
{
	struct config config;

	if (!options_load(argc, argv, &config))
		exit(1);
	options_parse_loaded(argc, argv, &config, o);
}

void options_moment(const char *what, const char *text, unsigned long long *ns)
{
	char word[VALUES_WORD];

	if (!moment_parse(text, sdtkit_nanoseconds(CLOCK_REALTIME), ns))
		values_refuse("invalid value '%s' for %s: use a time such as "
			      "-2h, 10:00, '2026-11-23 10:00' or @1795428000",
			      values_word(text, word), what);
}

/* Options that make no sense in a file. */
static const char *const excluded[] = {
	"config", "check-config", "help", "version", "daemon", NULL,
};

static const char *instead_of(const char *key)
{
	return strstr(key, "user") == NULL ? NULL :
		"use 'user' for those whose requests are counted, or 'run-as' "
		"for the user of the service";
}

void options_parse_loaded(int argc, char **argv, struct config *config,
			  void *options)
{
	static const struct config_rules rules = {
		may_repeat, parse_one, excluded, instead_of,
	};
	struct options *o = options;
	int option;

	*o = (struct options){ .pid = 0 };
	values_begin();
	settings_defaults(all_settings, o);
	config_parse(config, list_options(), &rules, o);
	while ((option = getopt_long(argc, argv, letters, list_options(),
				     NULL)) != -1) {
		values_check_word(argv, list_options(), option);
		parse_one(option, optarg, o);
	}
	if (optind < argc && o->pid == 0)
		o->pid = (pid_t)value_number("PID", argv[optind++], 1, MOST);
	if (optind < argc)
		values_refuse("unexpected argument '%s': only one PID may be "
			      "given", argv[optind]);
	options_check(o);
	set_defaults(o);
}
