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
"       tsmbd merge FILE|DIR...     add up reports of several servers\n"
"Shows where the time of smbd goes. All smbd processes of the machine are\n"
"traced, also those that start later; Ctrl-C ends it and prints the report.\n"
"\n"
"Which processes\n"
"  -p, --pid=PID         trace only this process and its children\n"
"  -n, --name=NAME       look for processes of this name (smbd)\n"
"  -f, --file=FILE       trace the probes in this program or library, even if\n"
"                        no process runs it yet (may be repeated)\n"
"      --node=NUMBER     the number of this node of a cluster (ctdb pnn)\n"
"Report\n"
"  -s, --syscalls        print the time in system calls, and a table of them\n"
"  -d, --distributions   print histograms of the times of requests and disk\n"
"                        I/O, and of the sizes of READ and WRITE requests\n"
"  -i, --interval=SEC    print a report every SEC seconds (may be 0.1)\n"
"  -c, --count=COUNT     end after COUNT reports (of 1 second without -i)\n"
"  -j, --json            print one JSON object per report and event\n"
"      --top=WHAT[,WHAT] list the busiest clients, users, shares or files\n"
"                        (may be repeated)\n"
"      --by=ORDER        sort these by requests (the default), bytes, time or\n"
"                        errors\n"
"      --lines=NUMBER    print NUMBER rows of each of these tables (10)\n"
"      --heatmap=FILE    write a heat map (SVG): requests by time, latency\n"
"      --flame=FILE      write a flame graph (SVG) of what the CPUs execute\n"
"  -F, --frequency=HZ    take HZ samples a second on each CPU, for --flame\n"
"                        (99)\n"
"Which requests to count (names are separated by commas)\n"
"      --share=NAMES     only those on these shares\n"
"      --client=NAMES    only those of the clients with these IP addresses\n"
"      --user=NAMES      only those of these users\n"
"      --command=NAMES   only these commands: create, read, write...\n"
"Lines as things happen\n"
"      --slow=MS         print requests that took MS milliseconds or more\n"
"      --errors          print requests that failed, and what they asked for\n"
"      --exit            print why connections and processes end\n"
"      --oplocks         print each step when an oplock or lease is broken,\n"
"                        and which client waited for which\n";

static const char usage_end[] =
"\n"
"  -h, --help            print this help\n"
"      --version         print the version\n"
"\n"
"tsmbd needs root, and an smbd that was built with probes. See tsmbd(1).\n";

/* What getopt_long() returns for an option without a letter. */
enum {
	TOP = 256, BY, LINES, SHARE, CLIENT, USER, COMMAND, HEATMAP, FLAME,
	SLOW, ERRORS, EXIT, OPLOCKS, NODE, VERSION,
};

static const struct option long_options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "file", required_argument, NULL, 'f' },
	{ "node", required_argument, NULL, NODE },
	{ "syscalls", no_argument, NULL, 's' },
	{ "distributions", no_argument, NULL, 'd' },
	{ "interval", required_argument, NULL, 'i' },
	{ "count", required_argument, NULL, 'c' },
	{ "json", no_argument, NULL, 'j' },
	{ "top", required_argument, NULL, TOP },
	{ "by", required_argument, NULL, BY },
	{ "lines", required_argument, NULL, LINES },
	{ "share", required_argument, NULL, SHARE },
	{ "client", required_argument, NULL, CLIENT },
	{ "user", required_argument, NULL, USER },
	{ "command", required_argument, NULL, COMMAND },
	{ "heatmap", required_argument, NULL, HEATMAP },
	{ "flame", required_argument, NULL, FLAME },
	{ "frequency", required_argument, NULL, 'F' },
	{ "slow", required_argument, NULL, SLOW },
	{ "errors", no_argument, NULL, ERRORS },
	{ "exit", no_argument, NULL, EXIT },
	{ "oplocks", no_argument, NULL, OPLOCKS },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, VERSION },
	{ NULL, 0, NULL, 0 },
};

#define AT(member)	offsetof(struct options, member)

const struct settings options_settings[] = {
	{ "Service", service_settings, AT(service), NULL },
	{ "History", history_settings, AT(history), NULL },
	{ "Metrics", http_settings, AT(http), NULL },
	{ NULL, metrics_settings, AT(metrics), NULL },
	{ "Incidents", incident_settings, AT(incident), &smbd_measures },
	{ "Page", page_settings, AT(page), NULL },
	{ .rows = NULL },
};

static const char *const tops[] = {
	[TSMBD_CLIENTS] = "clients",
	[TSMBD_USERS] = "users",
	[TSMBD_SHARES] = "shares",
	[TSMBD_FILES] = "files",
};

const char *const smbd_orders[] = {
	[TSMBD_BY_REQUESTS] = "requests",
	[TSMBD_BY_BYTES] = "bytes",
	[TSMBD_BY_TIME] = "time",
	[TSMBD_BY_ERRORS] = "errors",
};

/* Values of numbers that have no limit of their own. */
enum { MOST = 1000000000 };

enum { MOST_OPTIONS = 128 };

#define COUNT(list)	(sizeof(list) / sizeof((list)[0]))

static void add_tops(struct options *o, const char *text)
{
	char *names = value_copy(text);
	char *rest = names;
	char *name;

	while ((name = value_next_name("--top", &rest)) != NULL)
		o->tops |= 1U << value_choice("--top", name, tops, COUNT(tops));
	free(names);
}

/* The copy is not freed: the filter points into it. */
static void add_filter(struct filter *filter, const char *what,
		       const char *text)
{
	char *rest = value_copy(text);
	char *name;

	while ((name = value_next_name(what, &rest)) != NULL) {
		if (filter->count == TSMBD_MAX_WANTED)
			values_refuse("%s: at most %d names can be given",
				      values_name(what), TSMBD_MAX_WANTED);
		filter->names[filter->count++] = name;
	}
}

static void add_commands(struct options *o, const char *text)
{
	char *names = value_copy(text);
	char *rest = names;
	char word[VALUES_WORD];
	char *name;
	int op;

	while ((name = value_next_name("--command", &rest)) != NULL) {
		op = op_by_name(name);
		if (op < 0)
			values_refuse("invalid value '%s' for %s: use names of "
				      "SMB2, as in create,query_directory",
				      values_word(name, word),
				      values_name("--command"));
		o->commands |= 1U << op;
	}
	free(names);
}

static void add_file(struct options *o, const char *file)
{
	if (o->num_files == TSMBD_MAX_FILES)
		values_refuse("%s: at most %d files can be given",
			      values_name("-f"), TSMBD_MAX_FILES);
	o->files[o->num_files++] = file;
}

static void print_help(void)
{
	fputs(usage, stdout);
	settings_help(options_settings, stdout);
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
	const struct setting *row;

	switch (option) {
	case 'f':
	case TOP:
	case SHARE:
	case CLIENT:
	case USER:
	case COMMAND:
		return true;
	default:
		row = settings_find(options_settings, option);
		return row != NULL && row->kind == SETTING_LIST;
	}
}

/* The options of all tables, and the end mark. */
static const struct option *list_options(void)
{
	static struct option list[MOST_OPTIONS];
	size_t count = COUNT(long_options) - 1;

	memcpy(list, long_options, count * sizeof(list[0]));
	settings_list(options_settings, list + count);
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
	struct options *o = options;

	note(option);
	switch (option) {
	case 'p':
		o->pid = (pid_t)value_number("-p", value, 1, MOST);
		return;
	case 'n':
		o->name = value;
		return;
	case 'f':
		add_file(o, value);
		return;
	case NODE:
		o->node = value_number("--node", value, 0, MOST) + 1;
		return;
	case 's':
		o->calls = true;
		return;
	case 'd':
		o->distributions = true;
		return;
	case 'i':
		o->interval = value_seconds("-i", value);
		return;
	case 'c':
		o->count = value_number("-c", value, 1, MOST);
		return;
	case 'j':
		o->json = true;
		return;
	case TOP:
		add_tops(o, value);
		return;
	case BY:
		o->ordered = true;
		o->top_order = value_choice("--by", value, smbd_orders,
					    COUNT(smbd_orders));
		return;
	case LINES:
		o->top_lines = value_number("--lines", value, 1, MOST);
		return;
	case SHARE:
		add_filter(&o->filters[TSMBD_SHARES], "--share", value);
		return;
	case CLIENT:
		add_filter(&o->filters[TSMBD_CLIENTS], "--client", value);
		return;
	case USER:
		add_filter(&o->filters[TSMBD_USERS], "--user", value);
		return;
	case COMMAND:
		add_commands(o, value);
		return;
	case HEATMAP:
		o->heatmap = value;
		return;
	case FLAME:
		o->flame = value;
		return;
	case 'F':
		o->hertz = value_number("-F", value, 1, MOST);
		return;
	case SLOW:
		o->slow = true;
		o->slow_ms = value_milliseconds("--slow", value);
		return;
	case ERRORS:
		o->errors = true;
		return;
	case EXIT:
		o->exits = true;
		return;
	case OPLOCKS:
		o->oplocks = true;
		return;
	case 'h':
		print_help();
		say_and_exit(usage_end);
		return;
	case VERSION:
		say_and_exit("tsmbd " TSMBD_VERSION "\n");
		return;
	default:
		if (!settings_set(options_settings, option, o, value))
			values_hint();
	}
}

static void set_defaults(struct options *o)
{
	if (o->name == NULL)
		o->name = "smbd";
	if (o->top_lines == 0)
		o->top_lines = 10;
	if (o->hertz == 0)
		o->hertz = 99;
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

/* Those that make no sense in a file. */
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
			  struct options *o)
{
	static const struct config_rules rules = {
		may_repeat, parse_one, excluded, instead_of,
	};
	int option;

	*o = (struct options){ .pid = 0 };
	values_begin();
	settings_defaults(options_settings, o);
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
