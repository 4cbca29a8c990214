/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorders.c - processes -> counters.
 *
 *	4711 -> its recorder
 *	4720, which 4711 has forked -> the same one
 *	4731 has none -> is asked again, less and less often
 *
 * A process that has just begun may not have opened its recorder yet, and one
 * that executes a program has another one than before. A counter is read until
 * no process has led to it in some looks: what was counted last is not lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/tool.h"
#include "serve/recorders.h"
#include "serve/usage.h"
#include "top/counters.h"

enum { MOST_LOOKS = 12, UNUSED_LOOKS = 3 };

struct asked {
	pid_t pid;
	unsigned long long image;	/* what it executed then */
	struct counter *counter;	/* or NULL */
	unsigned int misses;		/* in turn, without all spans */
	unsigned int wait;		/* looks until it is asked again */
};

static const struct plan *plan;
static unsigned long long since;
static struct asked *known;
static size_t num_known;
static char why[512];		/* of a process that has missed twice in turn */

void recorders_begin(const struct plan *the_plan, unsigned long long time)
{
	plan = the_plan;
	since = time;
}

/*
 * Each execve(2) has its own addresses. 0: the process has ended, or is stopped
 * and would not answer.
 */
static unsigned long long image_of(pid_t pid)
{
	unsigned long long code = 0, stack = 0;
	char text[USAGE_STAT];
	const char *at = usage_stat(pid, text, sizeof(text));
	int i;

	if (at != NULL && strncasecmp(at, " t", 2) == 0)
		return 0;
	for (i = 3; at != NULL && i < 26; i++)
		at = strchr(at + 1, ' ');
	if (at == NULL || sscanf(at, "%llu %*u %llu", &code, &stack) != 2)
		return 0;
	return code ^ stack << 1;
}

static struct asked find(pid_t pid)
{
	size_t i;

	for (i = 0; i < num_known; i++) {
		if (known[i].pid == pid)
			return known[i];
	}
	return (struct asked){ .pid = pid };
}

static bool is_whole(const struct counter *counter)
{
	return counter != NULL && counter->num_spans >= plan->spans.count;
}

static void ask(struct asked *a)
{
	a->counter = counters_open(plan, a->pid, since);
	a->misses = is_whole(a->counter) ? 0 : a->misses + 1;
	a->wait = a->misses <= 1 ? 0 :
		  a->misses < MOST_LOOKS ? a->misses - 1 : MOST_LOOKS;
	/* nobody is told of the first one: the process may have just begun */
	if (a->misses < 2)
		return;
	if (a->counter == NULL)
		snprintf(why, sizeof(why), "process %d is not counted: %s",
			 (int)a->pid, counters_error());
	else
		snprintf(why, sizeof(why), "process %d: its recorder counts "
			 "only some of the spans", (int)a->pid);
}

/* A recorder may be closed, and its file may be cut. */
static void look_at(struct asked *a)
{
	unsigned long long image = image_of(a->pid);
	struct counter *c = a->counter;

	if (image == 0)
		return;
	if (c != NULL && (c->failed || sdtkit_count_is_closed(c->reader)))
		a->counter = NULL;
	if (image != a->image)
		*a = (struct asked){ .pid = a->pid, .image = image };
	if (a->counter != NULL && a->misses == 0)
		return;
	if (a->wait > 0)
		a->wait--;
	else
		ask(a);
}

void recorders_look(const pid_t *pid, size_t count)
{
	struct asked *now = tool_zeros(count + 1, sizeof(*now));
	struct counter *c;
	size_t i;

	for (c = counters_first(); c != NULL; c = c->next)
		c->unused++;
	for (i = 0; i < count; i++) {
		now[i] = find(pid[i]);
		look_at(&now[i]);
		if (now[i].counter != NULL)
			now[i].counter->unused = 0;
	}
	free(known);
	known = now;
	num_known = count;
}

static bool has_missed(unsigned int times)
{
	size_t i;

	for (i = 0; i < num_known; i++) {
		if (known[i].misses >= times)
			return true;
	}
	return false;
}

bool recorders_are_enough(void)
{
	return !has_missed(1);
}

const char *recorders_missing(void)
{
	return has_missed(2) ? why : NULL;
}

static void close_unused(void)
{
	struct counter *c = counters_first(), *next;

	for (; c != NULL; c = next) {
		next = c->next;
		if (c->unused >= UNUSED_LOOKS)
			counters_close(plan, c);
	}
}

void recorders_take(const struct serve_place *at, struct report *report)
{
	static unsigned long long before;
	struct program_row row = { .at = *at };
	struct lost_sum *lost = report_want(report, SERVE_LOST, NULL);
	size_t i;

	for (i = 0; i < num_known; i++)
		row.recorders += known[i].counter != NULL;
	report_add_row(report, SERVE_PROGRAMS, &row);
	lost->hits += counters_lost() - before;
	before = counters_lost();
	close_unused();
}
