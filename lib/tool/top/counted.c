/* SPDX-License-Identifier: BSD-2-Clause */
/* counted.c - whether recorders count for sdtkit top, and what is not counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "lib/uprobe/allowed.h"
#include "top/counted.h"
#include "top/counters.h"

/* What is open of the processes, and what is not. */
struct opening {
	const struct plan *plan;
	const struct found *found;
	const struct options *options;
	pid_t opener;			/* of the recorder that -p has, or 0 */
	bool whole;			/* all that was asked for is counted */
	char why[512];			/* of the last process without */
};

static void open_one(struct opening *o, pid_t pid)
{
	const struct counter *counter = counters_open(o->plan, pid, UINT64_MAX);

	if (counter == NULL) {
		snprintf(o->why, sizeof(o->why), "process %d: %s", (int)pid,
			 counters_error());
		o->whole = false;
		return;
	}
	/* A child's numbers are not only its own. */
	if (pid == o->options->pid && !sdtkit_count_is_opener(counter->reader))
		o->opener = sdtkit_count_pid(counter->reader);
	if (o->opener != 0 || counter->num_spans < o->plan->spans.count)
		o->whole = false;
}

/* Whether a process has any of the files with probes. */
static bool has_probes(const struct found *found, pid_t pid)
{
	bool *mapped = tool_zeros((size_t)found->num_files + 1,
				  sizeof(*mapped));
	bool any = false;
	int i;

	find_mapped(pid, mapped);
	for (i = 0; i < found->num_files; i++)
		any = any || mapped[i];
	free(mapped);
	return any;
}

static void open_all(struct opening *o)
{
	int i;

	o->whole = true;
	for (i = 0; i < o->found->processes; i++) {
		if (has_probes(o->found, o->found->pids[i]))
			open_one(o, o->found->pids[i]);
	}
}

static void close_all(const struct plan *plan)
{
	while (counters_first() != NULL)
		counters_close(plan, counters_first());
}

static bool is_counted(size_t span)
{
	const struct counter *c = counters_first();
	size_t i;

	for (; c != NULL; c = c->next) {
		for (i = 0; i < SDTKIT_COUNT_SPANS; i++) {
			if (c->span[i] == (int)span)
				return true;
		}
	}
	return false;
}

/* What a recorder cannot do, or NULL. */
static const char *missing(const struct plan *plan,
			   const struct options *options)
{
	return options->slow_ms > 0 ? "--slow" :
	       options->flame != NULL ? "--flame" :
	       options->by != NULL ? "--by" :
	       plan->num_rates > 0 ? "probes without a span" : NULL;
}

/* Says what is not among the numbers, and what else is. */
static void tell_of_rest(const struct opening *o)
{
	char *text;
	FILE *file = tool_open_text(&text);
	size_t i;

	for (i = 0; i < o->plan->spans.count; i++) {
		const struct span *span = &o->plan->spans.span[i];

		if (!is_counted(i))
			fprintf(file, " %s:%s", span->provider,
				span->text->name);
	}
	tool_close_text(file);
	if (text[0] != '\0')
		tool_complain("not counted by a recorder:%s", text);
	free(text);
	if (o->opener != 0)
		tool_complain("process %d counts together with process %d, "
			      "which has forked it, and with all other children "
			      "of that one", (int)o->options->pid,
			      (int)o->opener);
	if (o->why[0] != '\0')
		tool_complain("not counted: %s", o->why);
}

/* --via=recorder */
static enum counted insist(const struct opening *o)
{
	const char *what = missing(o->plan, o->options);

	if (what != NULL)
		tool_complain("--via=recorder and %s cannot be used together",
			      what);
	else if (counters_first() == NULL)
		tool_complain("%s", o->why[0] != '\0' ? o->why :
			      "no process has the probes");
	if (what != NULL || counters_first() == NULL)
		return COUNTED_FAILED;
	if (!o->whole)
		tell_of_rest(o);
	return COUNTED;
}

/* It sees processes of a name that begin later, too. */
static bool kernel_may(const struct options *options)
{
	char text[ALLOWED_TEXT];

	return allowed_to_trace("sdtkit top", text) &&
	       (options->pid == 0 || allowed_sees_processes());
}

enum counted counted_begin(struct engine *engine, const struct plan *plan,
			   const struct found *found,
			   const struct options *options)
{
	struct opening o = { .plan = plan, .found = found,
		.options = options };
	enum counted counted = COUNTED_NOT;

	if (options->via == TOOL_VIA_KERNEL || options->file != NULL)
		return COUNTED_NOT;
	if (missing(plan, options) == NULL)
		open_all(&o);
	if (o.whole && counters_first() != NULL && options->pid != 0)
		counted = COUNTED;
	else if (options->via == TOOL_VIA_RECORDER ||
		 (counters_first() != NULL && !kernel_may(options)))
		counted = insist(&o);
	if (counted == COUNTED)
		counters_begin(engine, true);
	else
		close_all(plan);
	return counted;
}

void counted_end(const struct plan *plan)
{
	unsigned long long lost = counters_lost();

	if (lost > 0)
		tool_complain("%llu hit%s were lost, as recorders had no room "
			      "for the threads", lost, tool_plural(lost));
	close_all(plan);
}
