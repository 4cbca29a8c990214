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
#include <unistd.h>

#include "base/when.h"
#include "settings/values.h"
#include "history/list.h"
#include "history/read.h"
#include "history/sink.h"
#include "commands.h"
#include "latencies.h"
#include "log.h"
#include "page/page.h"
#include "page/recorded.h"
#include "picture.h"
#include "report.h"
#include "rows.h"
#include "options_check.h"
#include "output.h"
#include "parse.h"

#define DEFAULT_FILE	"/var/lib/tsmbd/history.db"

/* Without a report for as long, there is a gap that is said. */
static const unsigned long long GAP_NS = 3000000000ULL;
static const unsigned long long SECOND_NS = 1000000000ULL;

static const char usage[] =
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

struct replay {
	struct options options;
	const char *path;
	unsigned long long from_ns;
	unsigned long long to_ns;
	bool list;
	struct history *history;
	struct report *sum;
	unsigned long long begin;	/* of the first report */
	unsigned long long index;	/* of the report that is added up */
	unsigned long long last;	/* end of the last tick */
	unsigned int reports;
};

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
			options_moment("--from", value, &r->from_ns);
		} else if ((value = value_of("--to", &from)) != NULL) {
			options_moment("--to", value, &r->to_ns);
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
	if (o->files.count > 0)
		what = "-f";
	if (options_filter(o))
		what = "a choice of requests";
	if (what != NULL)
		values_refuse("%s is not possible with replay: the history "
			      "does not have what it needs", what);
}

static void refuse_what_is_missing(const struct replay *r)
{
	const struct {
		bool asked;
		const char *needs;
		const char *option;
		const char *how;
	} rows[] = {
		{ r->options.calls, "syscalls", "-s", "-s" },
		{ r->options.errors, "failures", "--errors", "--errors" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].asked &&
		    !history_recorded(r->history, rows[i].needs))
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
		r->options.history.history : DEFAULT_FILE;
	if (r->from_ns >= r->to_ns)
		values_refuse("--from is not before --to");
	options_check_files(&r->options, r->path);
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
	if (r->sum->elapsed_ns == 0)
		return;
	smbd_sort(r->sum, r->options.top_order);
	smbd_write(stdout, &r->options, r->sum, r->reports > 0);
	report_clear(r->sum);
	r->reports++;
}

static void print_requests(struct replay *r, unsigned long long until)
{
	const struct options *o = &r->options;
	struct slow_row row;

	if (!o->slow && !o->errors && o->page.html == NULL)
		return;
	while (history_next_row(r->history, until, &row)) {
		if (row.kind == TSMBD_EVENT_ERROR ? o->errors :
		    o->slow && (double)row.total_ns / 1e6 >= o->slow_ms)
			log_row(stdout, o, &smbd_tables.table[SMBD_SLOW],
				&row);
		if (o->page.html != NULL)
			recorded_row(&row);
	}
}

static void begin(struct replay *r, const struct report *tick)
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
				   const struct report *tick)
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
	report_add(r->sum, tick->report);
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
	const struct sink_setup setup = { .program = &smbd_program,
		.options = &r.options };
	struct history_tick tick;
	bool good = true;

	values_command("tsmbd replay");
	parse(&r, argc, argv);
	when_recorded();
	recorded_begin(&setup);
	if (r.list)
		return history_list(r.path, &smbd_program) &&
		       output_written() ? 0 : 1;
	r.history = history_open(r.path, &smbd_program, r.from_ns, r.to_ns);
	if (r.history == NULL)
		return 1;
	refuse_what_is_missing(&r);
	r.sum = report_new(&smbd_tables);
	while (!is_enough(&r) && history_next(r.history, &tick))
		add(&r, &tick);
	if (!is_enough(&r))
		print(&r);
	if (r.last == 0)
		errx(1, "history: nothing was recorded in this time: 'tsmbd "
		     "replay --list' prints what there is");
	history_damage(r.history);
	history_close(r.history);
	report_free(r.sum);
	if (r.options.heatmap != NULL)
		good = latencies_write(r.options.heatmap);
	if (r.options.page.html != NULL)
		good &= page_write(&setup);
	return output_written() && good ? 0 : 1;
}
