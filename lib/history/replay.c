/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay.c - tsmbd replay: the reports of a time that is over.
 *
 *	tsmbd replay --from -2h --to -1h -i 600 --top=clients
 *
 * Ticks of the history are added up to reports, which are printed as those of
 * a running smbd are. An option that needs what was not recorded is refused.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/when.h"
#include "settings/values.h"
#include "history/add.h"
#include "history/directory.h"
#include "history/moment.h"
#include "history/read.h"
#include "history/replay.h"
#include "history/sink.h"
#include "history/stream.h"
#include "tsmbd/latencies.h"
#include "tsmbd/log.h"
#include "page/page.h"
#include "page/recorded.h"
#include "picture.h"

#define DEFAULT_DIRECTORY	"/var/lib/tsmbd/history"

/* Without a report for as long, there is a gap that is said. */
static const unsigned long long GAP_NS = 3000000000ULL;
static const unsigned long long SECOND_NS = 1000000000ULL;

static const char usage[] =
"Usage: tsmbd replay [--history=DIR] [--from=TIME] [--to=TIME] [OPTION]...\n"
"Prints the reports of a time that 'tsmbd --history' has recorded.\n"
"\n"
"      --history=DIR     where it was recorded (" DEFAULT_DIRECTORY ")\n"
"      --from=TIME       from then on: -2h, -30m, 10:00, '2026-11-23 10:00' or\n"
"                        @SECONDS since 1970 (from the beginning)\n"
"      --to=TIME         until then (now)\n"
"      --list            print the times that were recorded\n"
"\n"
"These options are those of tsmbd: -j, -i, -c, -d, -s, --top, --by, --lines,\n"
"--oplocks, --slow, --errors, --heatmap and --html. See tsmbd(1).\n";

struct replay {
	struct options options;
	const char *path;
	unsigned long long from_ns;
	unsigned long long to_ns;
	bool list;
	struct history *history;
	struct smbd_report sum;
	unsigned long long begin;	/* of the first report */
	unsigned long long index;	/* of the report that is added up */
	unsigned long long last;	/* end of the last tick */
	unsigned int reports;
};

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (unsigned long long)ts.tv_sec * SECOND_NS +
	       (unsigned long long)ts.tv_nsec;
}

/* Returns the value if an argument is --name=VALUE or --name VALUE. */
static const char *value_of(const char *name, char ***argument)
{
	size_t length = strlen(name);
	const char *text = **argument;

	if (strncmp(text, name, length) != 0)
		return NULL;
	if (text[length] == '=')
		return text + length + 1;
	if (text[length] != '\0')
		return NULL;
	if ((*argument)[1] == NULL)
		values_refuse("%s needs a value", name);
	return *++*argument;
}

static void set_moment(const char *what, const char *text,
		       unsigned long long *ns)
{
	char word[VALUES_WORD];

	if (!moment_parse(text, now_ns(), ns))
		values_refuse("invalid value '%s' for %s: use a time such as "
			      "-2h, 10:00, '2026-11-23 10:00' or @1795428000",
			      values_word(text, word), what);
}

/* Takes the options that only replay has out of argv; returns the new argc. */
static int take_options(struct replay *r, char **argv)
{
	char **to = argv + 1;
	const char *value;
	char **from;

	for (from = argv + 1; *from != NULL; from++) {
		if (strcmp(*from, "--list") == 0) {
			r->list = true;
		} else if (strcmp(*from, "--help") == 0 ||
			   strcmp(*from, "-h") == 0) {
			fputs(usage, stdout);
			exit(fflush(stdout) != 0);
		} else if ((value = value_of("--from", &from)) != NULL) {
			set_moment("--from", value, &r->from_ns);
		} else if ((value = value_of("--to", &from)) != NULL) {
			set_moment("--to", value, &r->to_ns);
		} else {
			*to++ = *from;
		}
	}
	*to = NULL;
	return (int)(to - argv);
}

static void refuse_what_is_live(const struct options *o)
{
	const char *what = NULL;

	if (o->flame != NULL)
		what = "--flame";
	if (o->exits)
		what = "--exit";
	if (o->pid != 0 || o->name == NULL || strcmp(o->name, "smbd") != 0)
		what = "a choice of processes";
	if (o->num_files > 0)
		what = "-f";
	if (options_filter(o))
		what = "a choice of requests";
	if (what != NULL)
		values_refuse("%s is not possible with replay: the history "
			      "does not have what it needs", what);
}

/* What any part of the history has. */
static unsigned int recorded(const char *path)
{
	unsigned int all = 0;
	struct segment_entry *entries;
	struct segment_info info;
	char name[NAME_MAX];
	int directory, i;

	directory = directory_open(path);
	if (directory < 0)
		exit(1);
	for (i = segments_list(directory, &entries) - 1; i >= 0; i--) {
		segment_name(name, entries[i].ring, entries[i].number);
		if (segment_info(&info, directory, name) == 0)
			all |= info.recorded;
	}
	free(entries);
	close(directory);
	return all;
}

static void refuse_what_is_missing(const struct replay *r)
{
	const struct {
		bool asked;
		unsigned int needs;
		const char *option;
		const char *how;
	} rows[] = {
		{ r->options.calls, HISTORY_CALLS, "-s", "-s" },
		{ r->options.tops != 0, HISTORY_NAMES, "--top", "--history" },
		{ r->options.oplocks, HISTORY_WAITS, "--oplocks",
		  "--history" },
		{ r->options.slow, HISTORY_SLOW, "--slow", "--history" },
		{ r->options.errors, HISTORY_FAILED, "--errors", "--errors" },
	};
	unsigned int has = recorded(r->path);
	size_t i;

	for (i = 0; has != 0 && i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].asked && !(has & rows[i].needs))
			values_refuse("%s is not possible with this history: "
				      "it was recorded without %s",
				      rows[i].option, rows[i].how);
	}
}

static void check_files(struct options *o)
{
	if (!picture_check("--heatmap", o->heatmap) ||
	    !picture_check("--html", o->page.html))
		exit(1);
	/* the page says what is slow */
	o->sink_slow = true;
	o->sink_slow_ms = HISTORY_SLOW_MS;
}

static void parse(struct replay *r, int argc, char **argv)
{
	r->to_ns = ~0ULL;
	argc = take_options(r, argv);
	options_parse(argc, argv, &r->options);
	refuse_what_is_live(&r->options);
	r->path = r->options.history.history != NULL ?
		r->options.history.history : DEFAULT_DIRECTORY;
	if (r->from_ns >= r->to_ns)
		values_refuse("--from is not before --to");
	if (!r->list)
		refuse_what_is_missing(r);
	check_files(&r->options);
}

static void say_gap(unsigned long long from, unsigned long long to)
{
	char a[WHEN_SIZE], b[WHEN_SIZE];

	if (from + GAP_NS < to)
		warnx("history: nothing was recorded from %s to %s",
		      when_report(from, a), when_report(to, b));
}

static void print(struct replay *r)
{
	if (r->sum.elapsed_ns == 0)
		return;
	smbd_report_sort(&r->sum, r->options.top_order);
	if (r->options.json)
		smbd_report_json(stdout, &r->options, &r->sum);
	else
		smbd_report_print(stdout, &r->options, &r->sum, r->reports > 0);
	smbd_report_clear(&r->sum);
	r->reports++;
}

static void print_requests(struct replay *r, unsigned long long until)
{
	static struct tsmbd_request_event e;
	const struct options *o = &r->options;
	double ms;

	if (!o->slow && !o->errors && o->page.html == NULL)
		return;
	while (history_next_request(r->history, until, &e)) {
		if (o->page.html != NULL)
			recorded_event(e);
		ms = (double)(e.event.time - e.request.start) / 1e6;
		if (e.event.kind == TSMBD_EVENT_ERROR ? o->errors :
		    o->slow && ms >= o->slow_ms)
			log_event(stdout, o, &e.event);
	}
}

static void begin(struct replay *r, const struct smbd_report *tick)
{
	r->begin = tick->end_ns - tick->elapsed_ns;
	if (r->from_ns != 0) {
		say_gap(r->from_ns, r->begin);
		if (r->from_ns < r->begin && r->options.interval != 0)
			r->begin -= (r->begin - r->from_ns) %
				r->options.interval;
	}
	r->last = tick->end_ns - tick->elapsed_ns;
	log_columns(stdout, &r->options);
	if (r->options.heatmap != NULL)
		latencies_begin_recorded(r->last, SECOND_NS);
}

/* The report to which a tick belongs: by its middle, as its end may be late. */
static unsigned long long index_of(const struct replay *r,
				   const struct smbd_report *tick)
{
	unsigned long long middle = tick->end_ns - tick->elapsed_ns / 2;

	if (r->options.interval == 0 || middle < r->begin)
		return 0;
	return (middle - r->begin) / r->options.interval;
}

static void add(struct replay *r, const struct history_tick *tick)
{
	unsigned long long index;

	if (r->last == 0)
		begin(r, tick->report);
	say_gap(r->last, tick->report->end_ns - tick->report->elapsed_ns);
	index = index_of(r, tick->report);
	if (index != r->index)
		print(r);
	r->index = index;
	r->last = tick->report->end_ns;
	print_requests(r, r->last);
	if (r->options.page.html != NULL)
		recorded_take(tick);
	smbd_report_add(&r->sum, tick->report);
	if (r->options.heatmap != NULL)
		latencies_add_recorded(tick->report);
}

static bool is_enough(const struct replay *r)
{
	return r->options.count > 0 && r->reports == r->options.count;
}

int replay_main(int argc, char **argv)
{
	static struct replay r;
	struct history_tick tick;
	bool good = true;

	values_command("tsmbd replay");
	parse(&r, argc, argv);
	when_recorded();
	if (r.list)
		return replay_list(r.path) && fflush(stdout) == 0 ? 0 : 1;
	r.history = history_open(r.path, r.from_ns, r.to_ns);
	if (r.history == NULL)
		return 1;
	while (!is_enough(&r) && history_next(r.history, &tick))
		add(&r, &tick);
	if (!is_enough(&r))
		print(&r);
	if (r.last == 0)
		errx(1, "history: nothing was recorded in this time: 'tsmbd "
		     "replay --list' prints what there is");
	history_damage(r.history);
	history_close(r.history);
	if (r.options.heatmap != NULL)
		good = latencies_write(r.options.heatmap);
	if (r.options.page.html != NULL)
		good &= page_write(&r.options);
	if (fflush(stdout) != 0) {
		warn("standard output");
		good = false;
	}
	return good ? 0 : 1;
}
