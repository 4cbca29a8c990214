/* SPDX-License-Identifier: BSD-2-Clause */
/* sinks.c - opens the sinks of a program, and hands its reports to them. */
#include <err.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sink.h"

static enum sinks_part part;

void sinks_restrict(enum sinks_part to)
{
	part = to;
}

static bool is_here(const struct sink *sink)
{
	return part == SINKS_ALL || sink->traces == (part == SINKS_TRACING);
}

/* Returns the next one that is wanted after one, or after NULL; or NULL. */
static const struct sink *next(const struct sink_setup *setup,
			       const struct sink *const **at)
{
	const struct sink *sink;

	*at = *at == NULL ? setup->program->sinks : *at + 1;
	for (; (sink = **at) != NULL; (*at)++) {
		if (is_here(sink) && sink->wanted(setup))
			return sink;
	}
	return NULL;
}

#define FOR_EACH_WANTED(sink, setup, at)				\
	for ((at) = NULL; ((sink) = next(setup, &(at))) != NULL;)

bool sinks_wanted(const struct sink_setup *setup)
{
	const struct sink *const *at = NULL;

	return next(setup, &at) != NULL;
}

void sink_need_slow(struct sink_needs *needs, double ms)
{
	if (!needs->slow || ms < needs->slow_ms)
		needs->slow_ms = ms;
	needs->slow = true;
}

static bool differs(const struct sink *sink, const struct sink_setup *a,
		    const struct sink_setup *b)
{
	return settings_differ(a->program->settings, a->options, b->options,
			       sink->group) &&
	       (sink->wanted(a) || sink->wanted(b));
}

/* Returns whether there is something to close or to open here. */
static bool changes(const struct sink *sink, const struct sink_setup *a,
		    const struct sink_setup *b)
{
	if (!is_here(sink) || !differs(sink, a, b))
		return false;
	return sink->stays == NULL || !sink->wanted(a) || !sink->wanted(b) ||
	       !sink->stays(a, b);
}

void sinks_check(const struct sink_setup *setup)
{
	const struct sink *const *at;
	const struct sink *sink;

	FOR_EACH_WANTED(sink, setup, at) {
		if (sink->check != NULL)
			sink->check(setup);
	}
}

static bool child_is_content(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/*
 * An open that fails ends the process, so another one tries it first. What it
 * has to say is said once: it is lost if all goes well.
 */
static bool can_open(const struct sink *sink, const struct sink_setup *setup)
{
	struct sink_needs needs = { 0 };
	pid_t child = fork();

	if (child == 0) {
		setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
		sink->open(setup, &needs);
		_exit(0);
	}
	return child_is_content(child);
}

/* Likewise, before anything is closed; but what it says is not lost. */
static bool are_files_good(const struct sink_setup *setup)
{
	pid_t child = fork();

	if (child == 0) {
		sinks_check(setup);
		fflush(stderr);
		_exit(0);
	}
	return child_is_content(child);
}

static bool can_open_all(const struct sink_setup *before,
			 const struct sink_setup *now)
{
	const struct sink *const *at;

	for (at = now->program->sinks; *at != NULL; at++) {
		if (changes(*at, before, now) && (*at)->wanted(now) &&
		    !can_open(*at, now))
			return false;
	}
	return true;
}

/* Returns whether sinks of another process have to change. */
static bool close_changed(const struct sink_setup *before,
			  const struct sink_setup *now)
{
	const struct sink *const *at;
	bool elsewhere = false;

	for (at = now->program->sinks; *at != NULL; at++) {
		if (!is_here(*at) && differs(*at, before, now))
			elsewhere = true;
		if (changes(*at, before, now) && (*at)->wanted(before) &&
		    (*at)->close != NULL)
			(*at)->close(before);
	}
	return elsewhere;
}

/* Opens what has been closed: with setup's options, which may be as before. */
static void open_again(const struct sink_setup *before,
		       const struct sink_setup *fresh,
		       const struct sink_setup *setup, bool reread,
		       struct sink_needs *needs)
{
	const struct sink *const *at;

	for (at = setup->program->sinks; *at != NULL; at++) {
		if (!is_here(*at) || !(*at)->wanted(setup))
			continue;
		if (changes(*at, before, fresh))
			(*at)->open(setup, needs);
		else if (reread && (*at)->reread != NULL)
			(*at)->reread(setup);
	}
}

/* First all are closed, which may be in the way of what is opened. */
enum sinks_reloaded sinks_reload(const struct sink_setup *setup, void *options,
				 const void *fresh, struct sink_needs *needs)
{
	const struct report_program *program = setup->program;
	struct sink_setup before = *setup, after = *setup;
	enum sinks_reloaded done = SINKS_RELOADED;
	void *copy;

	after.options = fresh;
	if (!are_files_good(&after))
		return SINKS_NOT_RELOADED;
	copy = malloc(program->options_size);
	if (copy == NULL)
		err(1, NULL);
	before.options = memcpy(copy, options, program->options_size);
	if (close_changed(&before, &after))
		done = SINKS_ELSEWHERE;
	settings_copy(program->settings, options, fresh);
	if (!can_open_all(&before, setup)) {
		settings_copy(program->settings, options, copy);
		done = SINKS_NOT_RELOADED;
	}
	open_again(&before, &after, setup, done != SINKS_NOT_RELOADED, needs);
	free(copy);
	return done;
}

void sinks_open(const struct sink_setup *setup, struct sink_needs *needs)
{
	const struct sink *const *at;
	const struct sink *sink;

	FOR_EACH_WANTED(sink, setup, at)
		sink->open(setup, needs);
}

void sinks_take(const struct sink_setup *setup, const struct report *report)
{
	const struct sink *const *at;
	const struct sink *sink;

	FOR_EACH_WANTED(sink, setup, at) {
		if (sink->take != NULL)
			sink->take(setup, report);
	}
}

void sinks_row(const struct sink_setup *setup, const struct report_table *table,
	       const void *row)
{
	const struct sink *const *at;
	const struct sink *sink;

	FOR_EACH_WANTED(sink, setup, at) {
		if (sink->row != NULL)
			sink->row(setup, table, row);
	}
}

void sinks_other(const struct sink_setup *setup,
		 const struct report_table *table, const void *row)
{
	const struct sink *const *at;
	const struct sink *sink;

	FOR_EACH_WANTED(sink, setup, at) {
		if (sink->other != NULL)
			sink->other(setup, table, row);
	}
}

bool sinks_close(const struct sink_setup *setup)
{
	const struct sink *const *at;
	const struct sink *sink;
	bool good = true;

	FOR_EACH_WANTED(sink, setup, at) {
		if (sink->close != NULL)
			good &= sink->close(setup);
	}
	return good;
}
