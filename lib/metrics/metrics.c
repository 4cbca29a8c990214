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
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "http/http.h"
#include "metrics.h"
#include "openmetrics.h"
#include "privacy.h"
#include "textfile.h"
#include "tsmbd/rows.h"

static const unsigned long long STALLED_NS = 10000000000ULL;

static double start_time;
static pid_t tracer;			/* if that is another process */
static atomic_ullong last_report;	/* of CLOCK_MONOTONIC */

static unsigned long long clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (unsigned long long)ts.tv_sec * 1000000000ULL +
	       (unsigned long long)ts.tv_nsec;
}

/* Opens a file of /proc/PID. */
static FILE *open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

static unsigned long long resident_memory(pid_t pid)
{
	FILE *file = open_proc(pid, "statm");
	unsigned long long pages = 0;

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

	return clock_getcpuclockid(pid, &clock) == 0 ? clock_ns(clock) : 0;
}

static struct own_totals own_totals(const struct totals_since *totals)
{
	unsigned long long monotonic = clock_ns(CLOCK_MONOTONIC);
	unsigned long long real = clock_ns(CLOCK_REALTIME);
	struct own_totals own = { .start_time = start_time };

	own.report_time = (double)(real - (monotonic - totals->end_ns)) / 1e9;
	own.cpu_ns = cpu_time(getpid());
	own.memory = resident_memory(getpid());
	if (tracer != 0) {
		own.cpu_ns += cpu_time(tracer);
		own.memory += resident_memory(tracer);
	}
	return own;
}

char *metrics_text(enum metrics_format format, size_t *size)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct totals_since totals;
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

/* What was sent last, for those who ask before there is a new report. */
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
	reply->body = malloc(kept->size);
	reply->size = kept->size;
	if (reply->body != NULL)
		memcpy(reply->body, kept->text, kept->size);
}

static void get_health(const struct http_request *request,
		       struct http_reply *reply)
{
	unsigned long long report = atomic_load(&last_report);
	bool good = clock_ns(CLOCK_MONOTONIC) - report < STALLED_NS;

	(void)request;
	reply->status = good ? 200 : 503;
	reply->type = "text/plain; charset=utf-8";
	reply->body = strdup(good ? "ok\n" : "no report for ten seconds\n");
	if (reply->body != NULL)
		reply->size = strlen(reply->body);
}

static bool wanted(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	return options->http.listen != NULL ||
	       options->metrics.textfile != NULL;
}

static void open_metrics(const struct sink_setup *setup,
			 struct sink_needs *needs)
{
	const struct options *options = setup->options;
	const struct metrics_options *o = &options->metrics;
	bool has_names = o->privacy != PRIVACY_OMIT;

	tracer = setup->tracer;
	if (has_names)
		needs->tables |= 1U << SMBD_CLIENTS | 1U << SMBD_USERS |
			1U << SMBD_SHARES | 1U << SMBD_SHARE_COMMANDS;
	if (totals_begin(has_names, (int)o->top_series))
		start_time = (double)clock_ns(CLOCK_REALTIME) / 1e9;
	if (o->textfile != NULL)
		textfile_open(o->textfile);
	if (options->http.listen == NULL)
		return;
	http_page("/metrics", get_metrics);
	http_page("/healthz", get_health);
	http_open(&options->http);
}

static void check(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	if (options->http.listen != NULL)
		http_check(&options->http);
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Who scrapes must not be refused because of another option. */
static bool stays(const struct sink_setup *then, const struct sink_setup *setup)
{
	const struct options *before = then->options;
	const struct options *now = setup->options;

	return is_same(before->http.listen, now->http.listen) &&
	       is_same(before->metrics.textfile, now->metrics.textfile);
}

static void reread(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	totals_begin(options->metrics.privacy != PRIVACY_OMIT,
		     (int)options->metrics.top_series);
	if (options->http.listen != NULL)
		http_reread(&options->http);
}

/* The thread begins here, when all privileges have been given up. */
static void take(const struct sink_setup *setup, const void *taken)
{
	const struct options *options = setup->options;
	const struct smbd_report *report = taken;

	totals_add(report);
	atomic_store(&last_report, report->end_ns);
	if (options->metrics.textfile != NULL)
		textfile_tick(options->metrics.textfile, report->end_ns);
	if (options->http.listen == NULL)
		return;
	http_start();
	http_tick();
}

static bool close_metrics(const struct sink_setup *setup)
{
	const struct options *options = setup->options;

	if (options->http.listen != NULL)
		http_stop();
	if (options->metrics.textfile != NULL)
		textfile_write(options->metrics.textfile);
	return true;
}

const struct sink metrics_sink = {
	.group = "Metrics",
	.wanted = wanted,
	.check = check,
	.open = open_metrics,
	.reread = reread,
	.stays = stays,
	.take_old = take,
	.close = close_metrics,
};
