/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.c - lib/count's readers -> rows, which are those of the kernel then.
 *
 *	processes 4711 and 4720, which it has forked
 *	-> one counter: both count in the same file
 *	span 3 of that file -> span 0 of the plan, if they are declared alike
 *
 * A counter has counted since its recorder was opened, so a report is the
 * difference between two readings of each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/record/read.h"
#include "lib/report/report.h"
#include "top/counters.h"
#include "top/filter.h"
#include "top/sample.h"

enum { NO_SPAN = -1, NUMBERS = sizeof(struct top_stats) /
	sizeof(unsigned long long) };

static struct counter *counters;
static bool is_strict;
/* Of all counters since they were opened, also of those that are closed. */
static struct top_stats sums[TOP_SPANS];
static unsigned long long lost;

static void add_row(const struct counter *counter,
		    const struct sdtkit_count_sums *from, struct report *to)
{
	struct span_row row = {
		.key = { .other = from->is_other },
		.count = from->count,
		.errors = from->errors,
		.total_ns = from->total,
		.running_ns = from->running,
		.self_ns = from->self,
		.max_ns = from->most,
	};
	int i;

	if (from->count == 0 || counter->span[from->span] == NO_SPAN)
		return;
	row.key.span = (unsigned int)counter->span[from->span];
	for (i = 0; i < TOP_NAMES; i++)
		row.key.name[i] = from->name[i];
	for (i = 0; i < TOP_SUMS; i++)
		row.sum[i] = from->sum[i];
	memcpy(row.slots, from->slots, sizeof(row.slots));
	report_add_row(to, ROWS_SPANS, &row);
}

/*
 * Sets *change to what is new of a row. If no span is, the row is as before: what
 * a hit has added that is not counted yet belongs to a later report. A file that
 * is damaged may have less than before.
 */
static bool is_new(struct report *before, struct span_row *row,
		   struct span_row *change)
{
	const struct span_row *old = before == NULL ? NULL :
		report_find(before, ROWS_SPANS, row);

	*change = *row;
	if (old == NULL)
		return true;
	if (row->count <= old->count) {
		*row = *old;
		return false;
	}
	report_subtract_row(&top_table[ROWS_SPANS], change, old);
	return true;
}

/* A report has no more names than one of the kernel: others are one row. */
static void add_new(struct report *to, struct span_row *row)
{
	if (to->rows[ROWS_SPANS].count >= TOP_MAX_ROWS &&
	    report_find(to, ROWS_SPANS, row) == NULL)
		row->key = (struct top_row_key){ .span = row->key.span,
						 .other = true };
	report_add_row(to, ROWS_SPANS, row);
}

/* Adds the rows since the last call to a report; NULL: they are forgotten. */
static void take_rows(struct counter *counter, struct report *to)
{
	struct report *now = report_new(&top_tables);
	struct span_row *row, change;
	size_t i;

	for (i = 0; i < counter->counts->row_count; i++)
		add_row(counter, &counter->counts->rows[i], now);
	REPORT_FOR_EACH_ROW(row, now, ROWS_SPANS) {
		if (to == NULL || !is_new(counter->before, row, &change))
			continue;
		change.max_ns = rows_longest(&change, &change.max_ns, 1);
		add_new(to, &change);
	}
	if (counter->before != NULL)
		report_free(counter->before);
	counter->before = now;
}

static struct top_stats stats_of(const struct sdtkit_count_total *from)
{
	return (struct top_stats){
		.started = from->started,
		.ended = from->ended,
		.restarted = from->restarted,
		.unmatched = from->unmatched,
		.lost = from->lost,
		.deep = from->deep,
		.left = from->left,
		.unread = from->unread,
	};
}

/* Adds what is more than before, which may be nothing. */
static void add_stats(struct top_stats *to, const struct top_stats *now,
		      const struct top_stats *before)
{
	const unsigned long long *a = (const void *)now;
	const unsigned long long *b = (const void *)before;
	unsigned long long *sum = (void *)to;
	int i;

	for (i = 0; i < NUMBERS; i++)
		sum[i] += a[i] > b[i] ? a[i] - b[i] : 0;
}

static void take_stats(struct counter *counter, bool add)
{
	const struct sdtkit_count_counts *counts = counter->counts;
	size_t i;

	for (i = 0; i < counts->span_count; i++) {
		struct top_stats now = stats_of(&counts->totals[i]);

		if (add && counter->span[i] != NO_SPAN)
			add_stats(&sums[counter->span[i]], &now,
				  &counter->stats[i]);
		counter->stats[i] = now;
	}
	if (add && counts->lost > counter->lost)
		lost += counts->lost - counter->lost;
	counter->lost = counts->lost;
}

/* A file that somebody else has cut does not come back. */
static bool read_counter(struct counter *counter)
{
	if (counter->failed)
		return false;
	if (sdtkit_count_read(counter->reader, &counter->counts) == 0)
		return true;
	tool_complain("process %d: %s", (int)counter->pid,
		      sdtkit_record_error());
	if (is_strict)
		exit(TOOL_TROUBLE);
	counter->failed = true;
	return false;
}

/* How many of a span are under way, or of all counters for NULL. */
static unsigned long long under_way(const struct plan *plan,
				    const struct counter *one,
				    unsigned int span)
{
	static const struct top_stats none;
	struct total_row total = { .span = span };
	const struct counter *c;
	size_t i;

	for (c = one != NULL ? one : counters; c != NULL; c = c->next) {
		for (i = 0; i < SDTKIT_COUNT_SPANS; i++) {
			if (c->span[i] == (int)span)
				add_stats(&total.stats, &c->stats[i], &none);
		}
		if (c == one)
			break;
	}
	sample_under_way(plan, &total);
	return total.under_way;
}

static void read_all(const struct plan *plan, struct report *spans,
		     struct report *totals)
{
	struct total_row *total;
	struct counter *c;
	unsigned int i;

	for (c = counters; c != NULL; c = c->next) {
		if (!read_counter(c))
			continue;
		take_rows(c, spans);
		take_stats(c, true);
	}
	for (i = 0; i < plan->spans.count; i++) {
		total = report_append(totals, ROWS_TOTALS);
		total->span = i;
		total->stats = sums[i];
		total->under_way = under_way(plan, NULL, i);
	}
}

static bool find_text(unsigned long long hash, struct top_text *text)
{
	const struct counter *c = counters;
	const char *found = NULL;

	for (; c != NULL && found == NULL; c = c->next)
		found = sdtkit_count_text(c->reader, hash);
	if (found != NULL)
		snprintf(text->text, sizeof(text->text), "%s", found);
	return found != NULL;
}

/* Whether both are of the same description. */
static bool is_same(const struct span *span,
		    const struct sdtkit_count_span *counted)
{
	bool same = strcmp(span->provider, counted->provider) == 0 &&
		    strcmp(span->text->name, counted->name) == 0;
	int i;

	for (i = 0; same && i < SPAN_PROPERTIES; i++) {
		const char *value = span->text->value[i];

		same = strcmp(value != NULL ? value : "",
			      counted->properties[i]) == 0;
	}
	return same;
}

/* Whether it has a filter, if one is asked for; another is told of once. */
static bool is_filtered(const struct counter *counter, const struct plan *plan,
			size_t span, const struct sdtkit_count_span *counted)
{
	static bool told[TOP_SPANS];
	bool is_asked = filter_text(&plan->spans.span[span])[0] != '\0';

	if (!(counted->flags & SDTKIT_COUNT_FILTERED))
		return !is_asked;
	if (!is_asked && !told[span])
		tool_complain("process %d: a filter of its recorder leaves out "
			      "some of %s:%s", (int)counter->pid,
			      counted->provider, counted->name);
	told[span] = true;
	return true;
}

/* Sets which spans of the plan it has. */
static void match(struct counter *counter, const struct plan *plan)
{
	size_t i, j;

	for (i = 0; i < SDTKIT_COUNT_SPANS; i++) {
		counter->span[i] = NO_SPAN;
		if (i >= counter->counts->span_count)
			continue;
		for (j = 0; j < plan->spans.count; j++) {
			if (!is_same(&plan->spans.span[j],
				     &counter->counts->spans[i]) ||
			    !is_filtered(counter, plan, j,
					 &counter->counts->spans[i]))
				continue;
			counter->span[i] = (int)j;
			counter->num_spans++;
		}
	}
}

/* The counter of the file that this one has, too, or NULL. */
static struct counter *find_counter(const struct sdtkit_count_reader *reader)
{
	struct counter *c = counters;

	while (c != NULL && (c->failed || sdtkit_count_pid(c->reader) !=
			     sdtkit_count_pid(reader) ||
			     sdtkit_count_began(c->reader) !=
			     sdtkit_count_began(reader)))
		c = c->next;
	return c;
}

static void free_counter(struct counter *counter)
{
	sdtkit_count_close(counter->reader);
	if (counter->before != NULL)
		report_free(counter->before);
	free(counter);
}

/* Takes the reader over. */
static struct counter *add_counter(const struct plan *plan, pid_t pid,
				   struct sdtkit_count_reader *reader,
				   unsigned long long since)
{
	struct counter *counter = tool_zeros(1, sizeof(*counter));

	counter->pid = pid;
	counter->reader = reader;
	if (!read_counter(counter)) {
		free_counter(counter);
		return NULL;
	}
	match(counter, plan);
	if (sdtkit_count_began(reader) <= since) {
		take_rows(counter, NULL);
		take_stats(counter, false);
	}
	counter->next = counters;
	counters = counter;
	return counter;
}

/* "smb2:request/status!=0/ smb2:session", for who does not count yet. */
static char *patterns_of(const struct plan *plan)
{
	char *patterns;
	FILE *file = tool_open_text(&patterns);
	size_t i;

	for (i = 0; i < plan->spans.count; i++)
		fprintf(file, "%s%s:%s%s", i > 0 ? " " : "",
			plan->spans.span[i].provider,
			plan->spans.span[i].text->name,
			filter_text(&plan->spans.span[i]));
	tool_close_text(file);
	return patterns;
}

struct counter *counters_open(const struct plan *plan, pid_t pid,
			      unsigned long long since)
{
	struct sdtkit_count_reader *reader;
	char *patterns = patterns_of(plan);
	int ret = sdtkit_count_open_process(pid, patterns, &reader);
	struct counter *counter;

	free(patterns);
	if (ret < 0)
		return NULL;
	counter = find_counter(reader);
	if (counter == NULL)
		return add_counter(plan, pid, reader, since);
	sdtkit_count_close(reader);
	return counter;
}

const char *counters_error(void)
{
	return sdtkit_record_error();
}

struct counter *counters_first(void)
{
	return counters;
}

void counters_close(const struct plan *plan, struct counter *counter)
{
	struct counter **at = &counters;
	unsigned int i;

	for (i = 0; i < plan->spans.count; i++)
		sums[i].left += under_way(plan, counter, i);
	while (*at != counter)
		at = &(*at)->next;
	*at = counter->next;
	free_counter(counter);
}

void counters_begin(struct engine *engine, bool strict)
{
	static const struct engine_source source = { read_all, find_text };
	static const volatile unsigned long long none;
	static volatile unsigned int report;
	static unsigned long long began;

	is_strict = strict;
	*engine = (struct engine){ .source = &source, .report = &report,
		.began = &began, .lost_lines = &none,
		.lost_strings = &none, .lost_samples = &none,
		.lines = -1, .began_ns = engine_now() };
}

unsigned long long counters_lost(void)
{
	return lost;
}
