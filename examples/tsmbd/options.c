/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.c - from argv to struct options, or a message and exit(1).
 *
 *	tsmbd -p 4711 -i 10 --top=files --slow=50
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "tsmbd.h"

static const char usage[] =
"Usage: tsmbd [OPTION]... [PID]\n"
"Shows where the time of smbd goes. All smbd processes of the machine are\n"
"traced, those that start later too; Ctrl-C ends it and prints the report.\n"
"\n"
"Which processes\n"
"  -p, --pid=PID         this one and its children only\n"
"  -n, --name=NAME       look for processes of this name (smbd)\n"
"  -f, --file=FILE       trace the probes in this program or library; no\n"
"                        process needs to run yet (may be repeated)\n"
"Report\n"
"  -s, --syscalls        time in system calls, and a table of them\n"
"  -d, --distributions   how long requests and disk I/O took, as histograms\n"
"  -i, --interval=SEC    a report every SEC seconds, of these seconds\n"
"  -c, --count=COUNT     end after COUNT reports (of 1 second without -i)\n"
"  -j, --json            one JSON object per report\n"
"      --top=WHAT        who caused most: clients, users, shares or files\n"
"      --by=ORDER        in order of requests (as if not given), bytes, time\n"
"      --lines=NUMBER    lines of that (10)\n"
"      --heatmap=FILE    write a picture (SVG): time, latency, number\n"
"      --flame=FILE      write a picture: what the CPUs execute (flame graph)\n"
"  -F, --frequency=HZ    samples a second for that, on each CPU (99)\n"
"Lines as things happen\n"
"      --slow=MS         requests that took longer than MS milliseconds\n"
"      --exit            connections cut off and processes that exit, and why\n"
"      --oplocks         oplocks and leases broken: who waits for whom\n"
"\n"
"  -h, --help            this\n"
"      --version\n"
"\n"
"Needs root, and an smbd that was built with the probes. See tsmbd(1).\n";

enum {
	TOP = 256, BY, LINES, HEATMAP, FLAME, SLOW, EXIT, OPLOCKS,
	VERSION,
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
	{ "heatmap", required_argument, NULL, HEATMAP },
	{ "flame", required_argument, NULL, FLAME },
	{ "frequency", required_argument, NULL, 'F' },
	{ "slow", required_argument, NULL, SLOW },
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

static const char *const orders[] = {
	[TSMBD_BY_REQUESTS] = "requests",
	[TSMBD_BY_BYTES] = "bytes",
	[TSMBD_BY_TIME] = "time",
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
		warnx("%s: '%s' is no number above 0", what, text);
		try_help();
	}
	return (unsigned int)value;
}

static double milliseconds(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end != '\0' || !(value >= 0 && value < 1e9)) {
		warnx("--slow: '%s' is no number of milliseconds", text);
		try_help();
	}
	return value;
}

/* The place of text in the list, which may have gaps. */
static unsigned int choice(const char *what, const char *text,
			   const char *const *list, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (list[i] != NULL && strcmp(text, list[i]) == 0)
			return i;
	}
	warnx("%s: there is no '%s'", what, text);
	try_help();
	return 0;
}

static void add_file(struct options *o, const char *file)
{
	if (o->num_files == TSMBD_MAX_FILES)
		errx(1, "-f: more than %d files", TSMBD_MAX_FILES);
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
		o->interval = number("-i", optarg);
		return;
	case 'c':
		o->count = number("-c", optarg);
		return;
	case 'j':
		o->json = true;
		return;
	case TOP:
		o->top_by = choice("--top", optarg, tops, COUNT(tops));
		return;
	case BY:
		o->ordered = true;
		o->top_order = choice("--by", optarg, orders, COUNT(orders));
		return;
	case LINES:
		o->top_lines = number("--lines", optarg);
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

/* An option without effect: somebody expects one. */
static void refuse_contradictions(const struct options *o)
{
	const char *why = NULL;

	if (o->hertz > 0 && o->flame == NULL)
		why = "-F is for --flame";
	if ((o->ordered || o->top_lines > 0) && o->top_by == TSMBD_TOP_NONE)
		why = "--by and --lines are for --top";
	if (o->name != NULL && o->pid != 0)
		why = "-n looks for processes, and there is a PID";
	if (o->name != NULL && o->num_files > 0)
		why = "-n looks for processes, -f needs none";
	if (o->heatmap != NULL && o->flame != NULL &&
	    strcmp(o->heatmap, o->flame) == 0)
		why = "--heatmap and --flame need a file each";
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
	if (o->count > 0 && o->interval == 0)
		o->interval = 1;
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
		warnx("what is '%s'?", argv[optind]);
		try_help();
	}
	refuse_contradictions(o);
	set_defaults(o);
}
