/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.c - takes reports, and serves their sums.
 *
 *	main thread:   report -> totals_add() -> --textfile
 *	HTTP's thread: GET /metrics -> totals_copy() -> text, kept for a second
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/http.h"
#include "metrics.h"
#include "openmetrics.h"
#include "options.h"
#include "privacy.h"
#include "textfile.h"
#include "totals.h"

/* From here on an event may be an exemplar. */
static const double SLOW_MS = 100;
static const unsigned long long STALLED_NS = 10000000000ULL;

static const struct report_program *program;
static double start_time;
static pid_t tracer;			/* if that is another process */
static atomic_ullong last_report;	/* of CLOCK_MONOTONIC */

static unsigned long long resident_memory(pid_t pid)
{
	unsigned long long pages = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%*u %llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

/* The time that all threads of a process have run, in nanoseconds. */
static unsigned long long cpu_time(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) == 0 ?
	       sdtkit_nanoseconds(clock) : 0;
}

static struct own_totals own_totals(const struct metrics_totals *totals)
{
	unsigned long long monotonic = sdtkit_nanoseconds(CLOCK_MONOTONIC);
	unsigned long long real = sdtkit_nanoseconds(CLOCK_REALTIME);
	struct own_totals own = {
		program->name, program->version, .start_time = start_time,
	};

	own.report_time =
		(double)(real - (monotonic - totals->sum->end_ns)) / 1e9;
	own.cpu_ns = cpu_time(getpid());
	own.memory = resident_memory(getpid());
	if (tracer != 0) {
		own.cpu_ns += cpu_time(tracer);
		own.memory += resident_memory(tracer);
	}
	return own;
}

/*
 * Writes the sums to a new buffer, which the caller frees; NULL if there is no
 * memory. Any thread may call it.
 */
static char *metrics_text(enum metrics_format format, size_t *size)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct metrics_totals totals;
	struct own_totals own;
	char *text = NULL;
	bool good;
	FILE *out;

	out = open_memstream(&text, size);
	if (out == NULL)
		return NULL;
	pthread_mutex_lock(&lock);
	totals_copy(&totals);
	own = own_totals(&totals);
	metrics_write(out, format, &totals, &own);
	pthread_mutex_unlock(&lock);
	good = !ferror(out);
	good &= fclose(out) == 0;
	if (good)
		return text;
	free(text);
	return NULL;
}

static void write_textfile(const char *file)
{
	size_t size;
	char *text = metrics_text(METRICS_PROMETHEUS, &size);

	textfile_write(file, text, size);
	free(text);
}

/*
 * A client that knows OpenMetrics says so. All others get the older format,
 * which curl and browsers show as text.
 */
static bool wants_openmetrics(const struct http_request *request)
{
	const char *accept = http_header(request, "Accept");

	return accept != NULL &&
	       strstr(accept, "application/openmetrics-text") != NULL;
}

/*
 * What was sent last, for those who ask before there is a new report. What is
 * larger is given away: keeping it would take more memory than all the rest.
 */
enum { KEPT_MOST = 1 << 20 };
struct kept {
	unsigned long long report;
	char *text;
	size_t size;
};

static void get_metrics(const struct http_request *request,
			struct http_reply *reply)
{
	static const char *const types[] = {
		[METRICS_OPENMETRICS] = "application/openmetrics-text; "
			"version=1.0.0; charset=utf-8",
		[METRICS_PROMETHEUS] = "text/plain; version=0.0.4; "
			"charset=utf-8",
	};
	static struct kept formats[2];
	enum metrics_format format = wants_openmetrics(request) ?
		METRICS_OPENMETRICS : METRICS_PROMETHEUS;
	unsigned long long report = atomic_load(&last_report);
	struct kept *kept = &formats[format];

	if (kept->text == NULL || kept->report != report) {
		free(kept->text);
		kept->text = metrics_text(format, &kept->size);
		kept->report = report;
	}
	if (kept->text == NULL)
		return;
	reply->type = types[format];
	reply->size = kept->size;
	if (kept->size > KEPT_MOST) {
		reply->body = kept->text;
		kept->text = NULL;
		return;
	}
	reply->body = malloc(kept->size);
	if (reply->body != NULL)
		memcpy(reply->body, kept->text, kept->size);
}

static void get_health(const struct http_request *request,
		       struct http_reply *reply)
{
	unsigned long long report = atomic_load(&last_report);
	bool good = sdtkit_nanoseconds(CLOCK_MONOTONIC) - report < STALLED_NS;

	reply->status = good ? 200 : 503;
	reply->type = "text/plain; charset=utf-8";
	reply->body = strdup(good ? "ok\n" : "no report for ten seconds\n");
	if (reply->body != NULL)
		reply->size = strlen(reply->body);
}

static const struct metrics_options *
options_of(const struct sink_setup *setup)
{
	return sink_options(setup, metrics_settings);
}

/* The options of HTTP, or NULL if nothing is served. */
static const struct http_options *http_of(const struct sink_setup *setup)
{
	const struct http_options *http = sink_options(setup, http_settings);

	return http != NULL && http->listen != NULL ? http : NULL;
}

static bool wanted(const struct sink_setup *setup)
{
	return http_of(setup) != NULL || options_of(setup)->textfile != NULL;
}

static bool begin(const struct sink_setup *setup)
{
	const struct metrics_options *o = options_of(setup);

	return totals_begin(setup->program->tables, setup->program->metrics,
			    o->privacy != PRIVACY_OMIT, o->top_series);
}

static void open_metrics(const struct sink_setup *setup,
			 struct sink_needs *needs)
{
	const struct metrics_families *of = setup->program->metrics;
	const struct metrics_options *o = options_of(setup);
	size_t i;

	program = setup->program;
	tracer = setup->tracer;
	for (i = 0; i < of->num_tables; i++) {
		if (of->tables[i].way == METRICS_ROWS ||
		    o->privacy != PRIVACY_OMIT)
			needs->tables |= 1U << of->tables[i].table;
	}
	for (i = 0; i < of->num_families; i++) {
		if (of->families[i].exemplars.column != NULL)
			sink_need_slow(needs, SLOW_MS);
	}
	if (begin(setup))
		start_time = (double)sdtkit_nanoseconds(CLOCK_REALTIME) / 1e9;
	if (o->textfile != NULL)
		textfile_open(o->textfile);
	if (http_of(setup) == NULL)
		return;
	http_page("/metrics", get_metrics);
	http_page("/healthz", get_health);
	http_open(http_of(setup));
}

static void check(const struct sink_setup *setup)
{
	if (http_of(setup) != NULL)
		http_check(http_of(setup));
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Who scrapes must not be refused because of another option. */
static bool stays(const struct sink_setup *before, const struct sink_setup *now)
{
	const struct http_options *a = http_of(before), *b = http_of(now);

	return is_same(a != NULL ? a->listen : NULL,
		       b != NULL ? b->listen : NULL) &&
	       is_same(options_of(before)->textfile, options_of(now)->textfile);
}

static void reread(const struct sink_setup *setup)
{
	begin(setup);
	if (http_of(setup) != NULL)
		http_reread(http_of(setup));
}

/* The thread begins here, when all privileges have been given up. */
static void take(const struct sink_setup *setup, const struct report *report)
{
	const char *textfile = options_of(setup)->textfile;

	totals_add(report);
	atomic_store(&last_report, report->end_ns);
	if (textfile != NULL && textfile_is_due(report->end_ns))
		write_textfile(textfile);
	if (http_of(setup) == NULL)
		return;
	http_start();
	http_tick();
}

static void take_row(const struct sink_setup *setup,
		     const struct report_table *table, const void *row)
{
	totals_event(table, row);
}

static bool close_metrics(const struct sink_setup *setup)
{
	if (http_of(setup) != NULL)
		http_stop();
	if (options_of(setup)->textfile != NULL)
		write_textfile(options_of(setup)->textfile);
	return true;
}

const struct sink metrics_sink = {
	.group = "Metrics",
	.wanted = wanted,
	.check = check,
	.open = open_metrics,
	.reread = reread,
	.stays = stays,
	.take = take,
	.row = take_row,
	.close = close_metrics,
};
