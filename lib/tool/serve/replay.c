/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - the options of sdtkit replay and sdtkit merge; lib/replay does the
 * rest.
 *
 *	sdtkit replay --from=-2h postgres:query --heatmap=map.svg
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/out.h"
#include "common/patterns.h"
#include "common/terminal.h"
#include "common/tool.h"
#include "lib/replay/merge.h"
#include "lib/replay/replay.h"
#include "lib/settings/parse.h"
#include "lib/settings/values.h"
#include "serve/options.h"
#include "serve/print.h"
#include "serve/program.h"
#include "serve/replay.h"
#include "serve/rows.h"

enum { SECOND_NS = 1000000000 };

#define DEFAULT_FILE	"/var/lib/sdtkit/history.db"

static const char replay_usage[] =
"Usage: sdtkit replay [OPTION]... [PATTERN]...\n"
"Prints the report of a time that 'sdtkit serve --history' has recorded. A\n"
"PATTERN is the name of a program, a span, or both, as in postgres:query or\n"
"'postgres:*': only these are printed.\n"
"\n"
"      --from=TIME       from then on: -2h, -30m, 10:00, '2026-11-23 10:00' or\n"
"                        @SECONDS since 1970 (from the beginning)\n"
"      --to=TIME         until then (now)\n"
"      --list            print the times that were recorded\n";

static const char merge_usage[] =
"Usage: sdtkit merge [OPTION]... FILE... [PATTERN]...\n"
"Prints one report of several: of what 'sdtkit replay --json' has printed to\n"
"files, of the standard input (-), or of histories of 'sdtkit serve'. A PATTERN\n"
"has a colon, as postgres:query or 'postgres:*': only what it names is printed.\n"
"\n"
"      --from=TIME       of histories: from then on, as with 'sdtkit replay'\n"
"      --to=TIME         of histories: until then\n";

static const char usage_end[] =
"  -h, --help            print this help\n"
"  -V, --version         print the version\n"
"\n"
"See sdtkit-serve(8).\n";

#define OPTION(kind, member, name, argument, doc)			\
	SETTING(kind, struct serve_options, member, name, argument, doc)

static const struct setting replay_rows[] = {
	{ OPTION(TEXT, history.history, "history", "FILE",
		 "where it was recorded (" DEFAULT_FILE ")") },
	{ OPTION(SECONDS, printed.interval, "interval", "SECONDS",
		 "print a report for each such time"), .letter = 'i' },
	{ OPTION(NUMBER, printed.count, "count", "N", "end after N reports"),
	  .letter = 'c', .least = 1, .most = 1000000000 },
	{ OPTION(MILLISECONDS, printed.slow_ms, "slow", "MS",
		 "print a line for each slow span that took that long") },
	{ OPTION(TEXT, printed.heatmap, "heatmap", "FILE",
		 "write a heat map (SVG): spans by time and duration") },
	{ OPTION(TEXT, page.html, "html", "FILE",
		 "write a page (HTML) with charts, heat maps and tables") },
	{ .name = NULL },
};

static const struct setting printed_rows[] = {
	{ OPTION(FLAG, printed.json, "json", NULL,
		 "print JSON, an object on a line"), .letter = 'j' },
	{ OPTION(FLAG, printed.distribution, "distribution", NULL,
		 "print a histogram of the times of each span"), .letter = 'd' },
	{ OPTION(TEXT, printed.output, "output", "FILE", "write there"),
	  .letter = 'o' },
	{ OPTION(FLAG, printed.quiet, "quiet", NULL,
		 "do not say where reports have gaps or filters"),
	  .letter = 'q' },
	{ OPTION(TEXT, printed.sort, "sort", "NAME",
		 "sort spans by this column, or by name (sum)") },
	{ OPTION(NUMBER, printed.lines, "lines", "N",
		 "print N rows of each table of names"),
	  .normal = SERVE_LINES, .least = 1, .most = 1000000000 },
	{ OPTION(TEXT, printed.columns, "columns", "NAME,...",
		 "print these columns, in this order: count,errors,p99") },
	{ OPTION(NUMBER, printed.width, "width", "NUMBER",
		 "of a line; what has no room is left out (the terminal's)"),
	  .least = 0, .most = 10000 },
	{ OPTION(CHOICE, printed.color, "color", "auto|always|never",
		 "use colours") },
	{ .name = NULL },
};

static const struct settings settings[] = {
	{ NULL, replay_rows, 0, NULL, 0 },
	{ NULL, printed_rows, 0, NULL, 0 },
	{ .rows = NULL },
};

static const char *const colours[] = { "auto", "auto", "always", "never" };

static void parse(const struct settings *list, const char *letters,
		  const char *usage, int argc, char **argv, void *options)
{
	const struct settings_program program = {
		list, letters, usage, usage_end, "sdtkit " TOOL_VERSION "\n",
		NULL, NULL,
	};
	struct config no_file = { .path = NULL };
	struct serve_options *o = options;

	optind = 0;
	settings_parse(&program, argc, argv, &no_file, options);
	if (o->printed.columns != NULL)
		serve_check_columns(o->printed.columns);
	if (o->printed.sort != NULL)
		serve_check_sort(o->printed.sort);
	out_set_colour(colours[o->printed.color]);
	if (o->printed.output != NULL && !tool_set_output(o->printed.output))
		exit(1);
	if (!values_given("width"))
		o->printed.width = (unsigned int)terminal_width(STDOUT_FILENO);
}

static void parse_replay(int argc, char **argv, void *options,
			 struct replay_asked *asked)
{
	struct serve_options *o = options;

	parse(settings, "i:c:jdo:qhV", replay_usage, argc, argv, o);
	if (o->printed.interval != 0 && o->printed.interval < SECOND_NS)
		values_refuse("--interval: a history has a report for each "
			      "second: use 1 or more");
	if (o->history.history == NULL) {
		o->history.history = DEFAULT_FILE;
		if (access(DEFAULT_FILE, F_OK) != 0)
			errx(1, "%s: %s: use --history=FILE", DEFAULT_FILE,
			     strerror(errno));
	}
	o->printed.words = argv + optind;
	*asked = (struct replay_asked){
		.interval = o->printed.interval, .count = o->printed.count,
		.json = o->printed.json, .quiet = o->printed.quiet,
		.lines = values_given("slow"),
		.heatmap = o->printed.heatmap, .rows = o->printed.words,
	};
}

static bool is_printed(const void *options, const void *row)
{
	const struct serve_options *o = options;
	const struct slow_span *slow = row;

	return (double)slow->total_ns >= o->printed.slow_ms * 1e6;
}

int replay_command(int argc, char **argv)
{
	const struct replay_command command = {
		.program = &serve_program, .name = argv[0],
		.parse = parse_replay, .begin = out_begin,
		.prints = is_printed,
	};

	return replay_run(&command, argc, argv);
}

/* Takes the patterns out of the words; the others move to the front. */
static char **take_patterns(char **words)
{
	size_t count = 0, left = 0, taken = 0, i;
	char **patterns;

	while (words[count] != NULL)
		count++;
	patterns = tool_zeros(count + 1, sizeof(*patterns));
	for (i = 0; i < count; i++) {
		if (patterns_is_one(words[i]))
			patterns[taken++] = words[i];
		else
			words[left++] = words[i];
	}
	words[left] = NULL;
	return patterns;
}

static int parse_merge(int argc, char **argv, void *options,
		       struct merge_asked *asked)
{
	struct serve_options *o = options;

	parse(settings + 1, "jdo:qhV", merge_usage, argc, argv, o);
	o->printed.words = take_patterns(argv + optind);
	*asked = (struct merge_asked){ o->printed.json, o->printed.quiet,
		o->printed.words };
	return optind;
}

int merge_command(int argc, char **argv)
{
	const struct merge_command command = {
		.program = &serve_program, .name = argv[0],
		.prints = "sdtkit replay --json",
		.records = "sdtkit serve --history", .parse = parse_merge,
		.begin = out_begin,
	};

	return merge_run(&command, argc, argv);
}
