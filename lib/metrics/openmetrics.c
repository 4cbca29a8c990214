/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * openmetrics.c - writes the sums as OpenMetrics 1.0.0 or in the older text
 * format of Prometheus.
 *
 *	# TYPE smbd_requests counter
 *	# HELP smbd_requests Requests that had their result.
 *	smbd_requests_total{command="read"} 4
 *	# EOF
 *
 * Seconds are written with all nine digits of the nanoseconds, as integers are
 * divided: a double would lose some after months.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "tsmbd/names.h"
#include "openmetrics.h"

/* The buckets of a histogram: 2^3 to 2^27 us. */
enum { FIRST_BUCKET = 3, LAST_BUCKET = 27, COMMAND_SIZE = 32 };

struct writer {
	FILE *out;
	enum metrics_format format;
	const char *name;		/* of the family */
	const char *suffix;		/* of its samples */
	char commands[TSMBD_OPS][COMMAND_SIZE];
};

static void family(struct writer *w, const char *name, const char *type,
		   const char *unit, const char *help)
{
	bool old = w->format == METRICS_PROMETHEUS;
	const char *suffix = "";

	if (strcmp(type, "counter") == 0)
		suffix = "_total";
	if (strcmp(type, "info") == 0)
		suffix = "_info";
	if (old && strcmp(type, "info") == 0)
		type = "gauge";
	fprintf(w->out, "# TYPE %s%s %s\n", name, old ? suffix : "", type);
	if (!old && unit != NULL)
		fprintf(w->out, "# UNIT %s %s\n", name, unit);
	fprintf(w->out, "# HELP %s%s %s\n", name, old ? suffix : "", help);
	w->name = name;
	w->suffix = suffix;
}

/* The set has made all names valid UTF-8 without ends of lines. */
static void label_value(const struct writer *w, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\n') {
			fputs("\\n", w->out);
			continue;
		}
		if (*text == '"' || *text == '\\')
			putc('\\', w->out);
		putc(*text, w->out);
	}
}

/* Writes one label, or the next one. */
static void label(const struct writer *w, const char *name, const char *value,
		  bool first)
{
	if (first)
		fprintf(w->out, "%s%s{", w->name, w->suffix);
	fprintf(w->out, "%s%s=\"", first ? "" : ",", name);
	label_value(w, value);
	putc('"', w->out);
}

static void integer(const struct writer *w, unsigned long long value)
{
	fprintf(w->out, "} %llu\n", value);
}

static void seconds(const struct writer *w, unsigned long long ns)
{
	fprintf(w->out, "} %llu.%09llu\n", ns / 1000000000, ns % 1000000000);
}

/* A metric without labels. */
static void plain(const struct writer *w, unsigned long long value)
{
	fprintf(w->out, "%s%s %llu\n", w->name, w->suffix, value);
}

static void plain_time(const struct writer *w, double value)
{
	fprintf(w->out, "%s%s %.3f\n", w->name, w->suffix, value);
}

static void histogram(const struct writer *w, const char *name,
		      const char *value, const unsigned long long *slots,
		      unsigned long long count, unsigned long long ns)
{
	unsigned long long sum = 0;
	int bucket, i = 0;

	for (bucket = FIRST_BUCKET; bucket <= LAST_BUCKET; bucket++) {
		while (i < bucket)
			sum += slots[i++];
		fprintf(w->out, "%s_bucket{%s=\"%s\",le=\"%.9g\"} %llu\n",
			w->name, name, value, ldexp(1e-6, bucket), sum);
	}
	fprintf(w->out, "%s_bucket{%s=\"%s\",le=\"+Inf\"} %llu\n"
		"%s_count{%s=\"%s\"} %llu\n"
		"%s_sum{%s=\"%s\"} %llu.%09llu\n", w->name, name, value, count,
		w->name, name, value, count, w->name, name, value,
		ns / 1000000000, ns % 1000000000);
}

/* "SMB2_OP_CREATE" -> "create" */
static void name_commands(struct writer *w)
{
	unsigned int op;
	const char *from;
	char *to;

	for (op = 0; op < TSMBD_OPS; op++) {
		from = name_of_op(op) + strlen("SMB2_OP_");
		for (to = w->commands[op]; *from != '\0'; from++)
			*to++ = (char)tolower((unsigned char)*from);
		*to = '\0';
	}
}

/* A counter of each command; field is its offset in struct op_totals. */
static void by_command(const struct writer *w, const struct totals_since *t,
		       size_t field)
{
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		label(w, "command", w->commands[op], true);
		integer(w, *(const unsigned long long *)(const void *)
			((const char *)&t->ops[op] + field));
	}
}

static void errors(const struct writer *w, const struct totals_since *t)
{
	char buffer[NAME_SIZE];
	int op, i;

	for (i = 0; i < t->num_errors; i++) {
		const struct error_count *e = &t->errors[i];

		label(w, "command", w->commands[e->opcode], true);
		label(w, "status", name_of_status(e->status, buffer), false);
		integer(w, e->count);
	}
	for (op = 0; op < TSMBD_OPS; op++) {
		label(w, "command", w->commands[op], true);
		label(w, "status", "other", false);
		integer(w, t->ops[op].errors > t->ops[op].listed ?
			t->ops[op].errors - t->ops[op].listed : 0);
	}
}

enum { LIMIT = 4 };	/* the last one, if there is any */

static void time_parts(const struct writer *w, const struct totals_since *t)
{
	unsigned int op;
	size_t i;

	for (op = 0; op < TSMBD_OPS; op++) {
		const struct op_totals *o = &t->ops[op];
		unsigned long long limit = o->limit_ns < o->waited_ns ?
			o->limit_ns : o->waited_ns;
		const struct {
			const char *name;
			unsigned long long ns;
		} parts[] = {
			{ "running", o->run_ns }, { "ctdb", o->ctdb_ns },
			{ "oplock", o->oplock_ns },
			{ name_of_wait(op), o->waited_ns - limit },
			{ "limit", limit },
		};

		for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
			if (parts[i].ns == 0 && i == LIMIT)
				continue;
			label(w, "command", w->commands[op], true);
			label(w, "part", parts[i].name, false);
			seconds(w, parts[i].ns);
		}
	}
}

/* Most servers have none: then they have no such series. */
static void limits(struct writer *w, const struct totals_since *t)
{
	bool any = false;
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		if (t->ops[op].limited == 0)
			continue;
		if (!any)
			family(w, "smbd_limited_requests", "counter", NULL,
			       "Requests that waited for limits of a share.");
		any = true;
		label(w, "command", w->commands[op], true);
		integer(w, t->ops[op].limited);
	}
}

static void kept_handles(struct writer *w, const struct totals_since *t)
{
	const struct op_totals *o = &t->ops[TSMBD_CREATE];

	if (o->kept == 0)
		return;
	family(w, "smbd_kept_handle_opens", "counter", NULL,
	       "Opens that met the handle of a client that is away.");
	label(w, "result", "refused", true);
	integer(w, o->refused);
	label(w, "result", "allowed", true);
	integer(w, o->kept - o->refused);
}

static void requests(struct writer *w, const struct totals_since *t)
{
	int op;

	family(w, "smbd_requests", "counter", NULL,
	       "Requests that had their result.");
	by_command(w, t, offsetof(struct op_totals, count));
	family(w, "smbd_errors", "counter", NULL, "Requests that failed.");
	errors(w, t);
	family(w, "smbd_received_bytes", "counter", "bytes",
	       "Bytes of requests, after decryption.");
	by_command(w, t, offsetof(struct op_totals, bytes_in));
	family(w, "smbd_sent_bytes", "counter", "bytes",
	       "Bytes of replies, before encryption.");
	by_command(w, t, offsetof(struct op_totals, bytes_out));
	family(w, "smbd_request_duration_seconds", "histogram", "seconds",
	       "Time from the dispatch of a request until its result.");
	for (op = 0; op < TSMBD_OPS; op++)
		histogram(w, "command", w->commands[op], t->ops[op].slots,
			  t->ops[op].count, t->ops[op].total_ns);
	family(w, "smbd_request_time_seconds", "counter", "seconds",
	       "Time of requests by what they ran or waited for.");
	time_parts(w, t);
	limits(w, t);
	kept_handles(w, t);
	family(w, "smbd_disk_duration_seconds", "histogram", "seconds",
	       "Time of system calls that read and write files.");
	histogram(w, "direction", "read", t->disk[0].slots, t->disk[0].count,
		  t->disk[0].ns);
	histogram(w, "direction", "write", t->disk[1].slots, t->disk[1].count,
		  t->disk[1].ns);
}

static void gauge(struct writer *w, const char *name, unsigned long long value,
		  const char *help)
{
	family(w, name, "gauge", NULL, help);
	plain(w, value);
}

static void processes(struct writer *w, const struct totals_since *t)
{
	static const char *const phases[TSMBD_PHASES] = {
		[TSMBD_WAIT] = "wait", [TSMBD_RECEIVE] = "receive",
		[TSMBD_PARSE] = "parse", [TSMBD_RUN] = "run",
		[TSMBD_SEND] = "send", [TSMBD_CTDB] = "ctdb",
		[TSMBD_OTHER] = "other",
	};
	int i;

	family(w, "smbd_process_seconds", "counter", "seconds",
	       "Time of the main threads of processes with clients, by phase.");
	for (i = 0; i < TSMBD_PHASES; i++) {
		label(w, "phase", phases[i], true);
		seconds(w, t->phase_ns[i]);
	}
	family(w, "smbd_events", "counter", NULL,
	       "Events that tevent has handled.");
	plain(w, t->events);
	family(w, "smbd_ctdb_requests", "counter", NULL,
	       "Requests that were sent to ctdb.");
	plain(w, t->ctdb_requests);
	gauge(w, "smbd_connections", t->connected,
	      "Processes that serve a client.");
	gauge(w, "smbd_sessions", t->sessions,
	      "Sessions that began after tsmbd did.");
	gauge(w, "smbd_open_files", t->opens,
	      "Files, directories and pipes that clients have open.");
	gauge(w, "smbd_requests_in_progress", t->under_way,
	      "Requests without a result, except those that wait for changes.");
	gauge(w, "smbd_notifies_in_progress", t->notifies,
	      "Requests that wait for changes.");
}

static const char *const kinds[TOTALS_SETS] = {
	[TSMBD_CLIENTS] = "client", [TSMBD_USERS] = "user",
	[TSMBD_SHARES] = "share",
};

static void named_value(const struct writer *w, const char *kind,
			const char *name, const struct series_value *v,
			int which)
{
	label(w, kind, name, true);
	if (which == 3)
		seconds(w, v->ns);
	else
		integer(w, which == 0 ? v->requests :
			which == 1 ? v->errors : v->bytes);
}

static void named_family(struct writer *w, int kind,
			 const struct set_totals *set, int which)
{
	static const struct {
		const char *name;
		const char *unit;
		const char *help;
	} values[] = {
		{ "requests", NULL, "Requests" },
		{ "errors", NULL, "Requests that failed" },
		{ "bytes", "bytes", "Bytes in both directions" },
		{ "seconds", "seconds", "Time of requests" },
	};
	char name[64], help[64];
	int i;

	snprintf(name, sizeof(name), "smbd_%s_%s", kinds[kind],
		 values[which].name);
	snprintf(help, sizeof(help), "%s, by %s.", values[which].help,
		 kinds[kind]);
	family(w, name, "counter", values[which].unit, help);
	for (i = 0; i < set->count; i++)
		named_value(w, kinds[kind], set->named[i].name,
			    &set->named[i].value, which);
	named_value(w, kinds[kind], "other", &set->other, which);
}

static void pair_values(const struct writer *w, const char *share,
			const struct series_pair *pairs, bool all, bool time)
{
	int op;

	for (op = 0; op < TSMBD_OPS; op++) {
		if (!all && !pairs[op].shown)
			continue;
		label(w, "share", share, true);
		label(w, "command", w->commands[op], false);
		if (time)
			seconds(w, pairs[op].ns);
		else
			integer(w, pairs[op].requests);
	}
}

static void pairs(struct writer *w, const struct set_totals *set, bool time)
{
	int i;

	family(w, time ? "smbd_share_command_seconds" :
			 "smbd_share_command_requests", "counter",
	       time ? "seconds" : NULL,
	       time ? "Time of requests, by share and command." :
		      "Requests, by share and command.");
	for (i = 0; i < set->count; i++)
		pair_values(w, set->named[i].name, set->named[i].pairs, false,
			    time);
	pair_values(w, "other", set->other_pairs, true, time);
}

static void names(struct writer *w, const struct totals_since *t)
{
	int kind, which;

	for (kind = 0; kind < TOTALS_SETS; kind++) {
		for (which = 0; which < 4; which++)
			named_family(w, kind, &t->sets[kind], which);
	}
	pairs(w, &t->sets[TSMBD_SHARES], false);
	pairs(w, &t->sets[TSMBD_SHARES], true);
}

static void lost(struct writer *w, const struct totals_since *t)
{
	static const char *const what[TSMBD_LOST_KINDS] = {
		[TSMBD_LOST_PROCESSES] = "processes",
		[TSMBD_LOST_REQUESTS] = "requests",
		[TSMBD_LOST_DETAILS] = "details",
		[TSMBD_LOST_ERRORS] = "errors",
		[TSMBD_LOST_TOP] = "top",
		[TSMBD_LOST_WAITS] = "waits",
		[TSMBD_LOST_LINES] = "lines",
		[TSMBD_LOST_SAMPLES] = "samples",
	};
	int i;

	family(w, "tsmbd_lost", "counter", NULL, "What could not be counted.");
	for (i = 0; i < TSMBD_LOST_KINDS; i++) {
		label(w, "what", what[i], true);
		integer(w, t->lost[i]);
	}
}

static void tsmbd(struct writer *w, const struct totals_since *t,
		  const struct own_totals *own)
{
	family(w, "tsmbd_build", "info", NULL, "The version of tsmbd.");
	label(w, "version", TSMBD_VERSION, true);
	integer(w, 1);
	family(w, "tsmbd_start_time_seconds", "gauge", "seconds",
	       "When tsmbd started, since 1970.");
	plain_time(w, own->start_time);
	family(w, "tsmbd_last_report_time_seconds", "gauge", "seconds",
	       "Until when the numbers count, since 1970.");
	plain_time(w, own->report_time);
	family(w, "tsmbd_cpu_seconds", "counter", "seconds",
	       "Time that tsmbd has used.");
	plain_time(w, (double)own->cpu_ns / 1e9);
	family(w, "tsmbd_resident_memory_bytes", "gauge", "bytes",
	       "Memory of tsmbd.");
	plain(w, own->memory);
	family(w, "tsmbd_reports", "counter", NULL,
	       "How often the numbers were updated.");
	plain(w, t->reports);
	lost(w, t);
}

void metrics_write(FILE *out, enum metrics_format format,
		   const struct totals_since *totals,
		   const struct own_totals *own)
{
	struct writer w = { .out = out, .format = format };

	name_commands(&w);
	requests(&w, totals);
	processes(&w, totals);
	if (totals->has_names)
		names(&w, totals);
	tsmbd(&w, totals, own);
	if (format == METRICS_OPENMETRICS)
		fputs("# EOF\n", out);
}
