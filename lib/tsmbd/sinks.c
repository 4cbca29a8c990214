/* SPDX-License-Identifier: BSD-2-Clause */
/* sinks.c - the table of what takes reports. */
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "history/sink.h"
#include "incident/incident.h"
#include "metrics/metrics.h"
#include "page/page.h"
#include "rows.h"
#include "sinks.h"

static const struct sink *const sinks[] = {
	&history_sink,
	&metrics_sink,
	&incident_sink,
	&page_sink,
	NULL,
};

static enum sinks_part part;

void sinks_restrict(enum sinks_part to)
{
	part = to;
}

static bool is_here(const struct sink *sink)
{
	return part == SINKS_ALL || sink->traces == (part == SINKS_TRACING);
}

/* Returns the next one that is wanted, or NULL. */
static const struct sink *next(const struct options *options,
			       const struct sink *const **rest)
{
	const struct sink *sink;

	while ((sink = **rest) != NULL) {
		(*rest)++;
		if (is_here(sink) && sink->wanted(options))
			return sink;
	}
	return NULL;
}

bool sinks_wanted(const struct options *options)
{
	const struct sink *const *rest = sinks;

	return next(options, &rest) != NULL;
}

static bool differs(const struct sink *sink, const struct options *a,
		    const struct options *b)
{
	return settings_differ(options_settings, a, b, sink->group) &&
	       (sink->wanted(a) || sink->wanted(b));
}

/* Returns whether there is something to close or to open here. */
static bool changes(const struct sink *sink, const struct options *a,
		    const struct options *b)
{
	if (!is_here(sink) || !differs(sink, a, b))
		return false;
	return sink->stays == NULL || !sink->wanted(a) || !sink->wanted(b) ||
	       !sink->stays(a, b);
}

/*
 * An open that fails ends the process, so another one tries it first. What it
 * has to say is said once: it is lost if all goes well.
 */
static bool can_open(const struct sink *sink, struct options *options)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
		sink->open(options);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

void sinks_check(const struct options *options)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;

	while ((sink = next(options, &rest)) != NULL) {
		if (sink->check != NULL)
			sink->check(options);
	}
}

/* Likewise, before anything is closed; but what it says is not lost. */
static bool are_files_good(const struct options *options)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		sinks_check(options);
		fflush(stderr);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool can_open_all(const struct options *before, struct options *options)
{
	const struct sink *const *at;

	for (at = sinks; *at != NULL; at++) {
		if (changes(*at, before, options) && (*at)->wanted(options) &&
		    !can_open(*at, options))
			return false;
	}
	return true;
}

/* First all are closed, which may be in the way of what is opened. */
enum sinks_reloaded sinks_reload(struct options *options,
				 const struct options *fresh)
{
	const struct options before = *options;
	enum sinks_reloaded done = SINKS_RELOADED;
	const struct sink *const *at;

	if (!are_files_good(fresh))
		return SINKS_NOT_RELOADED;
	for (at = sinks; *at != NULL; at++) {
		if (!is_here(*at) && differs(*at, &before, fresh))
			done = SINKS_ELSEWHERE;
		if (changes(*at, &before, fresh) && (*at)->wanted(&before) &&
		    (*at)->close != NULL)
			(*at)->close(&before);
	}
	settings_copy(options_settings, options, fresh);
	if (!can_open_all(&before, options)) {
		settings_copy(options_settings, options, &before);
		done = SINKS_NOT_RELOADED;
	}
	for (at = sinks; *at != NULL; at++) {
		if (changes(*at, &before, fresh) && (*at)->wanted(options))
			(*at)->open(options);
		else if (done != SINKS_NOT_RELOADED && is_here(*at) &&
			 (*at)->wanted(options) && (*at)->reread != NULL)
			(*at)->reread(options);
	}
	return done;
}

void sinks_open(struct options *options)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;

	while ((sink = next(options, &rest)) != NULL)
		sink->open(options);
}

void sinks_take(const struct options *options, const struct smbd_report *report)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;

	static struct report rows = { .tables = &smbd_tables };
	bool filled = false;

	while ((sink = next(options, &rest)) != NULL) {
		if (sink->take != NULL)
			sink->take(options, report);
		if (sink->take_rows == NULL)
			continue;
		if (!filled)
			rows_fill(&rows, report);
		filled = true;
		sink->take_rows(options, &rows);
	}
}

/* Converts a line of --slow or --errors, once for all. */
static const struct slow_row *slow_of(const struct tsmbd_event *event,
				      struct slow_row *row)
{
	char client[TSMBD_NAME];

	client_name(event->pid, event->remote, client);
	rows_slow(row, (const void *)event, client);
	return row;
}

void sinks_event(const struct options *options,
		 const struct tsmbd_event *event)
{
	const struct sink *const *rest = sinks;
	struct slow_row row;
	const struct sink *sink;

	while ((sink = next(options, &rest)) != NULL) {
		if (sink->event != NULL)
			sink->event(options, event);
		if (sink->row != NULL && (event->kind == TSMBD_EVENT_SLOW ||
					  event->kind == TSMBD_EVENT_ERROR))
			sink->row(options, &smbd_tables.table[SMBD_SLOW],
				  slow_of(event, &row));
	}
}

bool sinks_close(const struct options *options)
{
	const struct sink *const *rest = sinks;
	const struct sink *sink;
	bool good = true;

	while ((sink = next(options, &rest)) != NULL) {
		if (sink->close != NULL)
			good &= sink->close(options);
	}
	return good;
}
