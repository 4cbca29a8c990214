/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.c - parses argv; prints a message and exits if it is wrong.
 *
 *	tsmbd -p 4711 -i 10 --top=files --slow=50
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "options.h"

static const char usage[] =
"Usage: tsmbd [OPTION]... [PID]\n"
"Shows where the time of smbd goes. All smbd processes of the machine are\n"
"traced, also those that start later; Ctrl-C ends it and prints the report.\n"
"\n"
"Which processes\n"
"  -p, --pid=PID         trace only this process and its children\n"
"  -n, --name=NAME       look for processes of this name (smbd)\n"
"  -f, --file=FILE       trace the probes in this program or library, even if\n"
"                        no process runs it yet (may be repeated)\n"
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
"                        and which client waited for which\n"
"\n"
"  -h, --help            print this help\n"
"      --version         print the version\n"
"\n"
"tsmbd needs root, and an smbd that was built with probes. See tsmbd(1).\n";

enum {
	TOP = 256, BY, LINES, SHARE, CLIENT, USER, COMMAND, HEATMAP, FLAME,
	SLOW, ERRORS, EXIT, OPLOCKS, VERSION,
};

static const struct option long_options[] = {
	{ "pid", required_argument, NULL, 'p' },
	{ "name", required_argument, NULL, 'n' },
	{ "file", required_argument, NULL, 'f' },
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

static const char *const tops[] = {
	[TSMBD_CLIENTS] = "clients",
	[TSMBD_USERS] = "users",
	[TSMBD_SHARES] = "shares",
	[TSMBD_FILES] = "files",
};

static const char *const sort_orders[] = {
	[TSMBD_BY_REQUESTS] = "requests",
	[TSMBD_BY_BYTES] = "bytes",
	[TSMBD_BY_TIME] = "time",
	[TSMBD_BY_ERRORS] = "errors",
};

#define COUNT(list)	(sizeof(list) / sizeof((list)[0]))

static void try_help(void)
{
	fprintf(stderr, "Try 'tsmbd --help'.\n");
	exit(1);
}

static unsigned int number(const char *what, const char *text)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
	    value == 0 || value > 1000000000) {
		warnx("invalid value '%s' for %s: use a whole number from 1 "
		      "to 1000000000", text, what);
		try_help();
	}
	return (unsigned int)value;
}

/* Converts seconds to nanoseconds. */
static unsigned long long interval(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (*text == '\0' || text[strspn(text, "0123456789.")] != '\0' ||
	    *end != '\0' || value < 0.01 || value > 1e9) {
		warnx("invalid value '%s' for -i: use a number of seconds, "
		      "at least 0.01", text);
		try_help();
	}
	return (unsigned long long)(value * 1e9 + 0.5);
}

static double milliseconds(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end != '\0' || !(value >= 0 && value < 1e9)) {
		warnx("invalid value '%s' for --slow: use a number of "
		      "milliseconds", text);
		try_help();
	}
	return value;
}

static unsigned int choice(const char *what, const char *text,
			   const char *const *list, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (strcmp(text, list[i]) == 0)
			return i;
	}
	fprintf(stderr, "tsmbd: invalid value '%s' for %s: use ", text,
		what);
	for (i = 0; i < count; i++)
		fprintf(stderr, "%s%s", list[i],
			i + 2 < count ? ", " : i + 2 == count ? " or " : "\n");
	try_help();
	return 0;
}

/* Returns the next name of a list, or NULL; exits if a name is empty. */
static char *next_name(const char *what, char **rest)
{
	char *name = strsep(rest, ",");

	if (name == NULL || *name != '\0')
		return name;
	warnx("%s has an empty name: put one comma between two names", what);
	try_help();
	return NULL;
}

static char *copy(const char *text)
{
	char *names = strdup(text);

	if (names == NULL)
		err(1, NULL);
	return names;
}

static void add_tops(struct options *o, const char *text)
{
	char *names = copy(text);
	char *rest = names;
	char *name;

	while ((name = next_name("--top", &rest)) != NULL)
		o->tops |= 1U << choice("--top", name, tops, COUNT(tops));
	free(names);
}

/* The copy is not freed: the filter points into it. */
static void add_filter(struct filter *filter, const char *what,
		       const char *text)
{
	char *rest = copy(text);
	char *name;

	while ((name = next_name(what, &rest)) != NULL) {
		if (filter->count == TSMBD_MAX_WANTED)
			errx(1, "%s: at most %d names can be given", what,
			     TSMBD_MAX_WANTED);
		filter->names[filter->count++] = name;
	}
}

static void add_commands(struct options *o, const char *text)
{
	char *names = copy(text);
	char *rest = names;
	char *name;
	int op;

	while ((name = next_name("--command", &rest)) != NULL) {
		op = op_by_name(name);
		if (op < 0) {
			warnx("invalid value '%s' for --command: use names "
			      "of SMB2, as in create,query_directory", name);
			try_help();
		}
		o->commands |= 1U << op;
	}
	free(names);
}

static void add_file(struct options *o, const char *file)
{
	if (o->num_files == TSMBD_MAX_FILES)
		errx(1, "-f: at most %d files can be given", TSMBD_MAX_FILES);
	o->files[o->num_files++] = file;
}

static void say_and_exit(const char *text)
{
	fputs(text, stdout);
	if (fflush(stdout) != 0)
		err(1, "standard output");
	exit(0);
}

static void parse_one(int option, struct options *o)
{
	switch (option) {
	case 'p':
		o->pid = (pid_t)number("-p", optarg);
		return;
	case 'n':
		o->name = optarg;
		return;
	case 'f':
		add_file(o, optarg);
		return;
	case 's':
		o->calls = true;
		return;
	case 'd':
		o->distributions = true;
		return;
	case 'i':
		o->interval = interval(optarg);
		return;
	case 'c':
		o->count = number("-c", optarg);
		return;
	case 'j':
		o->json = true;
		return;
	case TOP:
		add_tops(o, optarg);
		return;
	case BY:
		o->ordered = true;
		o->top_order = choice("--by", optarg, sort_orders,
				      COUNT(sort_orders));
		return;
	case LINES:
		o->top_lines = number("--lines", optarg);
		return;
	case SHARE:
		add_filter(&o->filters[TSMBD_SHARES], "--share", optarg);
		return;
	case CLIENT:
		add_filter(&o->filters[TSMBD_CLIENTS], "--client", optarg);
		return;
	case USER:
		add_filter(&o->filters[TSMBD_USERS], "--user", optarg);
		return;
	case COMMAND:
		add_commands(o, optarg);
		return;
	case HEATMAP:
		o->heatmap = optarg;
		return;
	case FLAME:
		o->flame = optarg;
		return;
	case 'F':
		o->hertz = number("-F", optarg);
		return;
	case SLOW:
		o->slow = true;
		o->slow_ms = milliseconds(optarg);
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
		say_and_exit(usage);
		return;
	case VERSION:
		say_and_exit("tsmbd " TSMBD_VERSION "\n");
		return;
	default:
		try_help();
	}
}

/* Refuses options that would have no effect. */
static void refuse_contradictions(const struct options *o)
{
	const char *why = NULL;

	if (o->hertz > 0 && o->flame == NULL)
		why = "-F has no effect without --flame";
	if ((o->ordered || o->top_lines > 0) && o->tops == 0)
		why = "--by and --lines have no effect without --top";
	if (o->name != NULL && o->pid != 0)
		why = "-n and a PID exclude each other: use one of them";
	if (o->name != NULL && o->num_files > 0)
		why = "-n and -f exclude each other: use one of them";
	if (o->heatmap != NULL && o->flame != NULL &&
	    strcmp(o->heatmap, o->flame) == 0)
		why = "--heatmap and --flame cannot write to the same file";
	if (why == NULL)
		return;
	warnx("%s", why);
	try_help();
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

bool options_lines(const struct options *o)
{
	return o->slow || o->errors || o->exits || o->oplocks;
}

bool options_filter(const struct options *o)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		if (o->filters[kind].count > 0)
			return true;
	}
	return o->commands != ~0U;
}

void options_parse(int argc, char **argv, struct options *o)
{
	int option;

	*o = (struct options){ .pid = 0 };
	while ((option = getopt_long(argc, argv, "p:n:f:sdi:c:jF:h",
				     long_options, NULL)) != -1)
		parse_one(option, o);
	if (optind < argc && o->pid == 0)
		o->pid = (pid_t)number("PID", argv[optind++]);
	if (optind < argc) {
		warnx("unexpected argument '%s': only one PID may be given",
		      argv[optind]);
		try_help();
	}
	refuse_contradictions(o);
	set_defaults(o);
}
