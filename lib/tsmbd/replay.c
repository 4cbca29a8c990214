/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - tsmbd replay and tsmbd merge: their options, and what merge knows
 * of the nodes of a cluster. lib/replay does the rest.
 */
#include <getopt.h>
#include <string.h>

#include "history/sink.h"
#include "replay/merge.h"
#include "replay/replay.h"
#include "settings/values.h"
#include "commands.h"
#include "options_check.h"
#include "parse.h"
#include "report.h"
#include "rows.h"

#define DEFAULT_FILE	"/var/lib/tsmbd/history.db"

static const char replay_usage[] =
"Usage: tsmbd replay [--history=FILE] [--from=TIME] [--to=TIME] [OPTION]...\n"
"Prints the reports of a time that 'tsmbd --history' has recorded.\n"
"\n"
"      --history=FILE    where it was recorded (" DEFAULT_FILE ")\n"
"      --from=TIME       from then on: -2h, -30m, 10:00, '2026-11-23 10:00' or\n"
"                        @SECONDS since 1970 (from the beginning)\n"
"      --to=TIME         until then (now)\n"
"      --list            print the times that were recorded\n"
"\n"
"These options are those of tsmbd: -j, -i, -c, -d, -s, --top, --by, --lines,\n"
"--oplocks, --slow, --errors, --heatmap and --html. See tsmbd(1).\n";

static void refuse_what_is_live(const struct options *o)
{
	const char *what = NULL;

	if (o->flame != NULL)
		what = "--flame";
	if (o->exits)
		what = "--exit";
	if (o->pid != 0 || o->name == NULL || strcmp(o->name, "smbd") != 0)
		what = "a choice of processes";
	if (o->files.count > 0)
		what = "-f";
	if (options_filter(o))
		what = "a choice of requests";
	if (what != NULL)
		values_refuse("%s is not possible with replay: the history "
			      "does not have what it needs", what);
}

static void parse_replay(int argc, char **argv, void *options,
			 struct replay_asked *asked)
{
	struct replay_need *need = asked->needs;
	struct options *o = options;

	options_parse(argc, argv, o);
	refuse_what_is_live(o);
	if (o->history.history == NULL)
		o->history.history = DEFAULT_FILE;
	options_check_files(o, o->history.history);
	/* the page says what is slow */
	o->sink_slow = true;
	o->sink_slow_ms = HISTORY_SLOW_MS;
	asked->interval = o->interval;
	asked->count = o->count;
	asked->json = o->json;
	asked->lines = o->slow || o->errors;
	asked->heatmap = o->heatmap;
	if (o->calls)
		*need++ = (struct replay_need){ "syscalls", "-s" };
	if (o->errors)
		*need++ = (struct replay_need){ "failures", "--errors" };
}

static bool prints(const void *options, const void *row)
{
	const struct options *o = options;
	const struct slow_row *slow = row;

	return slow->kind == TSMBD_EVENT_ERROR ? o->errors :
	       options_prints_slow(o, slow->total_ns);
}

int replay_main(int argc, char **argv)
{
	static const struct replay_command command = {
		.program = &smbd_program, .name = "tsmbd replay",
		.usage = replay_usage, .parse = parse_replay,
		.prints = prints,
	};

	return replay_run(&command, argc, argv);
}

static const char merge_usage[] =
"Usage: tsmbd merge [OPTION]... FILE...\n"
"Prints one report of several: of what 'tsmbd --json' has printed to files, of\n"
"the standard input (-), or of histories of 'tsmbd --history'.\n"
"\n"
"  -j, --json            print a JSON object\n"
"  -d, --distributions   print histograms\n"
"      --by=ORDER        sort names by requests (the default), bytes, time or\n"
"                        errors\n"
"      --lines=NUMBER    print NUMBER rows of each table of names (10)\n"
"      --from=TIME       of histories: from then on, as with 'tsmbd replay'\n"
"      --to=TIME         of histories: until then\n";

enum { BY = 256, LINES };

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "distributions", no_argument, NULL, 'd' },
	{ "by", required_argument, NULL, BY },
	{ "lines", required_argument, NULL, LINES },
	{ NULL, 0, NULL, 0 },
};

static const char *const orders[] = { "requests", "bytes", "time", "errors" };

static void set_option(struct options *o, int option)
{
	switch (option) {
	case 'j':
		o->json = true;
		return;
	case 'd':
		o->distributions = true;
		return;
	case BY:
		o->top_order = TSMBD_BY_REQUESTS +
			value_choice("--by", optarg, orders, 4);
		return;
	case LINES:
		o->top_lines = value_number("--lines", optarg, 1, 1000000000);
		return;
	default:
		values_hint();
	}
}

static int parse_merge(int argc, char **argv, void *options,
		       struct merge_asked *asked)
{
	char *none[] = { argv[0], NULL };
	struct options *o = options;
	int option;

	options_parse(1, none, o);
	optind = 0;
	while ((option = getopt_long(argc, argv, "jd", long_options,
				     NULL)) != -1) {
		values_check_word(argv, long_options, option);
		set_option(o, option);
	}
	asked->json = o->json;
	return optind;
}

/*
 * Returns the host of a node, or "" if no report, or more than one, is of it.
 * Numbers are those of one cluster: nothing in a report tells which.
 */
static const char *host_of(const struct hosts *hosts, unsigned long long vnn)
{
	const char *host = "";
	size_t i;

	for (i = 0; i < hosts_count(hosts); i++) {
		const struct report *r = hosts_sum(hosts, i);

		if (vnn == 0 || server_row(r)->vnn != vnn)
			continue;
		if (host[0] != '\0')
			return "";
		host = r->hosts;
	}
	return host;
}

/* The waits of each host get its name as their node. */
static void name_waits(const struct hosts *hosts, const struct report *r)
{
	struct waited *w;

	REPORT_FOR_EACH_ROW(w, r, SMBD_WAITS) {
		if (w->node[0] == '\0')
			snprintf(w->node, TSMBD_NODE, "%.*s", TSMBD_NODE - 1,
				 r->hosts);
		if (w->holder_node[0] == '\0')
			snprintf(w->holder_node, TSMBD_NODE, "%.*s",
				 TSMBD_NODE - 1, host_of(hosts, w->holder_vnn));
	}
}

static void join(const struct hosts *hosts)
{
	size_t i;

	for (i = 0; i < hosts_count(hosts); i++)
		name_waits(hosts, hosts_sum(hosts, i));
}

static void show(void *options, unsigned int tables)
{
	struct options *o = options;

	o->tops = tables >> SMBD_CLIENTS & ((1U << TSMBD_KINDS) - 1);
	o->oplocks = (tables & 1U << SMBD_WAITS) != 0;
	o->calls = (tables & 1U << SMBD_CALLS) != 0;
}

int merge_main(int argc, char **argv)
{
	static const struct merge_command command = {
		.program = &smbd_program, .name = "tsmbd merge",
		.usage = merge_usage, .prints = "tsmbd --json",
		.records = "tsmbd --history", .parse = parse_merge,
		.join = join, .show = show,
	};

	return merge_run(&command, argc, argv);
}
