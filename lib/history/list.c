/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.c - the times that a history has.
 *
 *	FROM                 TO                   EVERY   HOST
 *	2026-11-16 10:00:00  2026-11-23 08:12:00  minute  alpha
 *	2026-11-23 08:12:00  2026-11-23 10:00:00  second  alpha
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/when.h"
#include "history/read.h"
#include "history/list.h"

/* Without a report for as long, there is a gap. */
static const unsigned long long GAP_NS = 3000000000ULL;

struct stretch {
	unsigned long long begin;	/* 0 if there is none yet */
	unsigned long long end;
	bool minute;
	char host[65];
};

static void print(const struct stretch *s)
{
	char when[WHEN_SIZE];

	if (s->begin == 0)
		return;
	printf("%s  ", when_report(s->begin, when));
	printf("%s  %s  ", when_report(s->end, when),
	       s->minute ? "minute" : "second");
	text_print(stdout, s->host, "");
	putchar('\n');
}

static bool continues(const struct stretch *s, const struct history_tick *tick)
{
	unsigned long long begin = tick->report->end_ns -
		tick->report->elapsed_ns;

	return s->begin != 0 && s->minute == tick->minute &&
	       strcmp(s->host, tick->host) == 0 && begin + GAP_NS > s->end &&
	       begin < s->end + GAP_NS;
}

bool history_list(const char *path, const struct report_program *program)
{
	struct stretch s = { 0 };
	struct history_tick tick;
	struct history *h = history_open(path, program, 0, ~0ULL);

	if (h == NULL)
		return false;
	puts("FROM                 TO                   EVERY   HOST");
	while (history_next(h, &tick)) {
		if (!continues(&s, &tick)) {
			print(&s);
			s.begin = tick.report->end_ns -
				tick.report->elapsed_ns;
			s.minute = tick.minute;
			snprintf(s.host, sizeof(s.host), "%s", tick.host);
		}
		s.end = tick.report->end_ns;
	}
	print(&s);
	history_damage(h);
	history_close(h);
	return true;
}
