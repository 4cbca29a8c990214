/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * incident.c - watches the conditions of --when, and has incidents saved.
 *
 *	report of a second -> past.c: what happened last
 *		-> measure.c, trigger.c: is there an incident?
 *		-> record.c: before, during, after -> save.c
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "incident.h"
#include "options.h"
#include "room.h"
#include "save.h"
#include "trigger.h"

/* Lines of requests that took longer are kept, if no condition has a time. */
static const double SLOW_MS = 100;

static struct watch {
	struct condition condition;
	struct trigger trigger;
	struct record *record;		/* NULL: nothing is to be saved */
	char saved[PATH_MAX];		/* where this incident is, or "" */
	double worst[CONDITION_TERMS];
} watches[PAST_CONDITIONS];

_Static_assert((int)MOST_CONDITIONS <= (int)PAST_CONDITIONS,
	       "conditions that can be given");

static const struct incident_options *options_of(const struct sink_setup *setup)
{
	return sink_options(setup, incident_settings);
}

static bool wanted(const struct sink_setup *setup)
{
	return options_of(setup)->when.count > 0;
}

/* The tables with which it compares, and the least time of one request. */
static void add_needs(const struct condition *c, struct sink_needs *needs,
		      double *least)
{
	int i;

	for (i = 0; i < c->num_terms; i++) {
		const struct term *term = &c->terms[i];

		needs->tables |= 1U << term->measure->table;
		if (term->measure->how <= MEASURE_MEAN && term->limit < *least)
			*least = term->limit;
	}
}

static void drop(struct watch *w)
{
	record_free(w->record);
	w->record = NULL;
}

static void open_sink(const struct sink_setup *setup, struct sink_needs *needs)
{
	const struct incident_options *options = options_of(setup);
	const struct report_file *file;
	char message[CONDITION_MESSAGE];
	double least = INFINITY;
	int i;

	for (i = 0; i < PAST_CONDITIONS; i++)
		drop(&watches[i]);
	memset(watches, 0, sizeof(watches));
	for (i = 0; i < options->when.count; i++) {
		if (!condition_parse(setup->program->measures,
				     options->when.items[i],
				     &watches[i].condition, message))
			errx(1, "--when: %s", message);
		add_needs(&watches[i].condition, needs, &least);
	}
	past_begin(setup->program);
	if (options->save == NULL)
		return;
	if (!room_open(setup->program, options->save))
		exit(1);
	sink_need_slow(needs, isinf(least) ? SLOW_MS : least / 1e6);
	for (file = setup->program->files; file->name != NULL; file++)
		needs->tables |= (unsigned int)file->needed << file->table;
	needs->samples = true;
}

/* "p99(CREATE) is 81.2 ms and count(CREATE) is 20" */
static const char *values_text(const struct condition *c, const double *values,
			       const char *verb, char *text, size_t size)
{
	char name[CONDITION_LABEL], value[CONDITION_LABEL];
	size_t used = 0;
	int i;

	for (i = 0; i < c->num_terms && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, "%s%s %s %s",
			i == 0 ? "" : ", ", condition_name(&c->terms[i], name),
			verb, isnan(values[i]) ? "unknown" :
			condition_value(&c->terms[i], values[i], value));
	return text;
}

static void say_begin(const struct watch *w, const double *values)
{
	char text[4 * CONDITION_TEXT];

	values_text(&w->condition, values, "is", text, sizeof(text));
	if (w->trigger.left_out > 0)
		warnx("incident: %s: %s (since the last one that was "
		      "reported, there were %u more)", w->condition.text, text,
		      w->trigger.left_out);
	else
		warnx("incident: %s: %s", w->condition.text, text);
}

static void say_over(const struct watch *w)
{
	unsigned long long ns = w->trigger.last - w->trigger.since;
	char text[4 * CONDITION_TEXT];

	values_text(&w->condition, w->worst, "reached", text, sizeof(text));
	warnx("incident is over after %llu s: %s: %s%s%s",
	      (ns + 500000000) / 1000000000, w->condition.text, text,
	      w->saved[0] != '\0' ? "; saved in " : "", w->saved);
}

static bool save_record(const struct sink_setup *setup, struct watch *w)
{
	bool good;

	w->record->over = w->trigger.state == TRIGGER_IDLE;
	memcpy(w->record->worst, w->worst, sizeof(w->worst));
	good = save(setup->options, options_of(setup), w->record, w->saved);
	drop(w);
	return good;
}

static void note_worst(struct watch *w, const double *values)
{
	int i;

	for (i = 0; i < w->condition.num_terms; i++)
		w->worst[i] = condition_worse(&w->condition.terms[i],
					      w->worst[i], values[i]);
}

/* It held for the first time, and may become an incident. */
static void start(const struct sink_setup *setup, struct watch *w)
{
	int i;

	for (i = 0; i < CONDITION_TERMS; i++)
		w->worst[i] = NAN;
	w->saved[0] = '\0';
	drop(w);
	if (options_of(setup)->save != NULL)
		w->record = record_begin(setup->program, &w->condition,
					 (int)(w - watches), w->trigger.since);
}

static void fire(const struct sink_setup *setup, struct watch *w,
		 const double *values)
{
	if (!w->trigger.reported) {
		drop(w);
		return;
	}
	say_begin(w, values);
	if (w->record != NULL) {
		w->record->fired = w->trigger.fired;
		w->record->left_out = w->trigger.left_out;
		if (setup->program->flames != NULL)
			w->record->flame = setup->program->flames->begin();
	}
	w->trigger.left_out = 0;
}

static void finish(const struct sink_setup *setup, struct watch *w)
{
	if (w->record != NULL)
		save_record(setup, w);
	if (w->trigger.reported)
		say_over(w);
}

static void save_long(const struct sink_setup *setup, struct watch *w,
		      unsigned long long now)
{
	if (w->record == NULL || w->trigger.state != TRIGGER_INCIDENT ||
	    now - w->record->fired + TRIGGER_HALF < RECORD_LONGEST)
		return;
	if (save_record(setup, w))
		warnx("incident goes on: %s; saved in %s", w->condition.text,
		      w->saved);
}

/* A tick is what is kept of a report. */
static void take_one(const struct sink_setup *setup, struct watch *w,
		     const struct report *report, const struct report *tick)
{
	struct moment *moment = past_moment();
	enum trigger_state was = w->trigger.state;
	double values[CONDITION_TERMS] = { 0 };
	enum verdict verdict;
	int i;

	verdict = measure_condition(&w->condition, report, values);
	moment->verdict[w - watches] = (unsigned char)verdict;
	for (i = 0; i < CONDITION_TERMS; i++)
		moment->values[w - watches][i] = values[i];
	trigger_take(&w->trigger, &w->condition, verdict, moment->begin_ns,
		     moment->end_ns);
	if (was == TRIGGER_IDLE && w->trigger.state != TRIGGER_IDLE)
		start(setup, w);
	if (verdict == VERDICT_HOLDS)
		note_worst(w, values);
	if (w->record != NULL)
		record_add(w->record, tick, verdict == VERDICT_HOLDS);
	if (was != TRIGGER_INCIDENT && w->trigger.state == TRIGGER_INCIDENT)
		fire(setup, w, values);
	else if (was == TRIGGER_WAITS && w->trigger.state == TRIGGER_IDLE)
		drop(w);
	else if (was == TRIGGER_INCIDENT && w->trigger.state == TRIGGER_IDLE)
		finish(setup, w);
	else
		save_long(setup, w, moment->end_ns);
}

static void take(const struct sink_setup *setup, const struct report *report)
{
	const struct report *tick;
	int i;

	if (report->elapsed_ns == 0)
		return;
	tick = past_add(report);
	for (i = 0; i < options_of(setup)->when.count; i++)
		take_one(setup, &watches[i], report, tick);
}

static void take_row(const struct sink_setup *setup,
		     const struct report_table *table, const void *row)
{
	if (options_of(setup)->save != NULL)
		past_row(table, row);
}

/* What is known of an incident that is not over is saved. */
static bool close_sink(const struct sink_setup *setup)
{
	bool good = true;
	int i;

	for (i = 0; i < options_of(setup)->when.count; i++) {
		struct watch *w = &watches[i];

		if (w->record == NULL || w->trigger.state != TRIGGER_INCIDENT)
			continue;
		if (save_record(setup, w))
			warnx("incident goes on: %s; saved in %s",
			      w->condition.text, w->saved);
		else
			good = false;
	}
	return good;
}

const struct sink incident_sink = {
	.group = "Incidents",
	.traces = true,
	.wanted = wanted,
	.open = open_sink,
	.take = take,
	.row = take_row,
	.other = take_row,
	.close = close_sink,
};
