/* SPDX-License-Identifier: BSD-2-Clause */
/* replay.c - ticks of a history are added up to reports, which are printed. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/when.h"
#include "history/list.h"
#include "history/moment.h"
#include "history/options.h"
#include "history/read.h"
#include "page/options.h"
#include "page/page.h"
#include "page/recorded.h"
#include "picture/picture.h"
#include "replay/replay.h"
#include "report/heat.h"
#include "settings/values.h"

/* Without a report for as long, there is a gap that is said. */
static const unsigned long long GAP_NS = 3000000000ULL;
static const unsigned long long SECOND_NS = 1000000000ULL;

struct replay {
	const struct replay_command *command;
	struct sink_setup setup;
	struct replay_asked asked;
	struct replay_period period;
	bool list;
	bool begun;			/* the output */
	bool found;			/* a name that was asked for */
	bool any_line;			/* a slow span was printed */
	const char *path;		/* of the history */
	const char *html;		/* or NULL */
	struct history *history;
	struct report *sum;
	struct heat *heat;
	void *row;			/* of slow spans */
	unsigned long long begin;	/* of the first report */
	unsigned long long index;	/* of the report that is added up */
	unsigned long long last;	/* end of the last tick */
	unsigned int reports;
};

static const struct replay_period all_times = { 0, ~0ULL };

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

int replay_options(char **argv, const char *usage,
		   struct replay_period *period, bool *list)
{
	char **to = argv + 1;
	const char *value;
	char **from;

	*period = all_times;
	for (from = to; *from != NULL && strcmp(*from, "--") != 0; from++) {
		if (list != NULL && strcmp(*from, "--list") == 0) {
			*list = true;
		} else if (usage != NULL && (strcmp(*from, "--help") == 0 ||
					     strcmp(*from, "-h") == 0)) {
			fputs(usage, stdout);
			exit(fflush(stdout) != 0);
		} else if ((value = value_of("--from", &from)) != NULL) {
			moment_option("--from", value, &period->from_ns);
		} else if ((value = value_of("--to", &from)) != NULL) {
			moment_option("--to", value, &period->to_ns);
		} else {
			*to++ = *from;
		}
	}
	while (*from != NULL)
		*to++ = *from++;
	*to = NULL;
	return (int)(to - argv);
}

/* Rows that have no name are there always. */
bool replay_finds(const struct report *report, char *const *words)
{
	size_t t;

	if (words == NULL || *words == NULL)
		return true;
	for (t = 0; t < report->tables->count; t++) {
		if (report_table(report, t)->num_keys > 0 &&
		    report->rows[t].count > 0)
			return true;
	}
	return false;
}

void replay_complain(char *const *words, const char *command)
{
	warnx("nothing in this time has the name '%s'%s: '%s' without a name "
	      "prints all", *words, words[1] != NULL ?
	      ", nor another one that was given" : "", command);
}

bool replay_written(void)
{
	errno = EIO;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	warn("standard output");
	return false;
}

static void parse(struct replay *r, int argc, char **argv)
{
	const struct history_options *history;
	const struct page_options *page;
	void *options = memory_zeros(1, r->setup.program->options_size);

	r->setup.options = options;
	argc = replay_options(argv, r->command->usage, &r->period, &r->list);
	r->command->parse(argc, argv, options, &r->asked);
	r->found = r->asked.rows == NULL || *r->asked.rows == NULL;
	if (r->list)
		r->period = all_times;
	if (r->period.from_ns >= r->period.to_ns)
		values_refuse("--from is not before --to");
	history = sink_options(&r->setup, history_settings);
	r->path = history->history;
	page = sink_options(&r->setup, page_settings);
	r->html = page == NULL || r->list ? NULL : page->html;
	if (!picture_check("--heatmap", r->asked.heatmap) ||
	    !picture_check("--html", r->html))
		exit(1);
}

static void refuse_what_is_missing(const struct replay *r)
{
	const struct replay_need *need;

	for (need = r->asked.needs; need->word != NULL; need++) {
		if (!history_recorded(r->history, need->word))
			values_refuse("%s is not possible with this history: "
				      "it was recorded without %s",
				      need->option, need->option);
	}
}

static void say_gap(const struct replay *r, unsigned long long from,
		    unsigned long long to)
{
	char a[WHEN_SIZE], b[WHEN_SIZE];

	if (from + GAP_NS < to && !r->asked.quiet)
		warnx("history: nothing was recorded from %s to %s",
		      when_report(from, a), when_report(to, b));
}

static void begin_output(struct replay *r)
{
	if (r->command->begin != NULL && !r->begun)
		r->command->begin();
	r->begun = true;
}

static void print(struct replay *r)
{
	const struct report_program *program = r->setup.program;

	if (r->sum->elapsed_ns == 0)
		return;
	report_choose(r->sum, r->asked.rows);
	r->found |= replay_finds(r->sum, r->asked.rows);
	/* a file of before stays as it is if there is nothing but the time */
	if (r->asked.interval == 0 && !r->found) {
		report_clear(r->sum);
		return;
	}
	begin_output(r);
	program->sort(r->setup.options, r->sum);
	report_write(program, stdout, r->setup.options, r->asked.json, r->sum,
		     r->reports++ > 0);
	report_clear(r->sum);
}

/* Prints a slow span, or with NULL the titles of the columns. */
static void print_line(struct replay *r, const void *row)
{
	const struct report_program *program = r->setup.program;

	if (row != NULL)
		begin_output(r);
	r->any_line |= row != NULL;
	program->line(stdout, r->setup.options,
		      &program->tables->table[program->slow], row);
}

static void print_lines(struct replay *r, unsigned long long until)
{
	const struct report_program *program = r->setup.program;
	const struct report_table *slow =
		&program->tables->table[program->slow];

	if (!r->asked.lines && r->html == NULL)
		return;
	while (history_next_row(r->history, until, r->row)) {
		if (!report_fits(slow, r->row, r->asked.rows))
			continue;
		if (r->asked.lines &&
		    r->command->prints(r->setup.options, r->row))
			print_line(r, r->row);
		if (r->html != NULL)
			recorded_row(r->row);
	}
}

static void begin(struct replay *r, const struct report *tick)
{
	unsigned long long from_ns = r->period.from_ns;

	r->begin = tick->end_ns - tick->elapsed_ns;
	r->last = r->begin;
	if (from_ns != 0) {
		say_gap(r, from_ns, r->begin);
		if (from_ns < r->begin && r->asked.interval != 0)
			r->begin -= (r->begin - from_ns) % r->asked.interval;
	}
	if (r->asked.lines)
		print_line(r, NULL);
	if (r->asked.heatmap != NULL)
		r->heat = heat_new(r->setup.program, HEAT_TITLE, r->last,
				   SECOND_NS);
}

/* The report to which a tick belongs: by its middle, as its end may be late. */
static unsigned long long index_of(const struct replay *r,
				   const struct report *tick)
{
	unsigned long long middle = tick->end_ns - tick->elapsed_ns / 2;

	if (r->asked.interval == 0 || middle < r->begin)
		return 0;
	return (middle - r->begin) / r->asked.interval;
}

static void add(struct replay *r, const struct history_tick *tick)
{
	unsigned long long index;

	if (r->last == 0)
		begin(r, tick->report);
	say_gap(r, r->last, tick->report->end_ns - tick->report->elapsed_ns);
	index = index_of(r, tick->report);
	if (index != r->index)
		print(r);
	r->index = index;
	r->last = tick->report->end_ns;
	print_lines(r, r->last);
	/* the report that is printed is chosen from later, which is faster */
	if (r->html != NULL || r->heat != NULL)
		report_choose(tick->report, r->asked.rows);
	if (r->html != NULL)
		recorded_take(tick);
	report_add(r->sum, tick->report);
	if (r->heat != NULL)
		heat_add(r->heat, tick->report);
}

static bool is_enough(const struct replay *r)
{
	return r->asked.count > 0 && r->reports == r->asked.count;
}

/* Returns false, after a message, if no row has one of the names. */
static bool say_what_is_missing(const struct replay *r)
{
	if (r->asked.lines && !r->any_line && !r->asked.quiet)
		warnx("no slow %s of that length was recorded in this time: "
		      "the service records those that its own --slow names",
		      r->setup.program->heat->noun);
	if (!r->found)
		replay_complain(r->asked.rows, r->command->name);
	return r->found;
}

static void read_ticks(struct replay *r)
{
	const struct report_program *program = r->setup.program;
	struct history_tick tick;

	r->sum = report_new(program->tables);
	r->row = memory_zeros(1,
			      program->tables->table[program->slow].row_size);
	while (!is_enough(r) && history_next(r->history, &tick))
		add(r, &tick);
	if (!is_enough(r))
		print(r);
	if (r->last == 0)
		errx(1, "history: nothing was recorded in this time: '%s "
		     "--list' prints what there is", r->command->name);
	free(r->row);
	report_free(r->sum);
}

int replay_run(const struct replay_command *command, int argc, char **argv)
{
	static struct replay r;
	bool good = true;

	r.command = command;
	r.setup.program = command->program;
	values_command(command->name);
	parse(&r, argc, argv);
	when_recorded();
	if (r.html != NULL)
		recorded_begin(&r.setup);
	r.history = history_open(r.path, command->program, r.period.from_ns,
				 r.period.to_ns);
	if (r.history == NULL)
		return 1;
	if (r.list) {
		begin_output(&r);
		history_list(r.history, r.asked.json);
	} else {
		refuse_what_is_missing(&r);
		read_ticks(&r);
		good = say_what_is_missing(&r);
	}
	history_damage(r.history);
	history_close(r.history);
	if (r.heat != NULL)
		good &= heat_write(r.heat, r.asked.heatmap);
	if (r.html != NULL)
		good &= page_write(&r.setup);
	return replay_written() && good ? 0 : 1;
}
