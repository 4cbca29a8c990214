/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.c - the times that a history has.
 *
 *	FROM                 TO                   EVERY   HOST
 *	2026-11-16 10:00:00  2026-11-23 08:12:00  minute  alpha
 *	2026-11-23 08:12:00  2026-11-23 10:00:00  second  alpha
 *
 * or in JSON, in one line:
 *
 *	{"from":"2026-11-23T08:12:00.000+01:00",
 *	 "to":"2026-11-23T10:00:00.000+01:00","every_s":1,"host":"alpha"}
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
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

static void print_json(const struct stretch *s)
{
	char from[WHEN_SIZE], to[WHEN_SIZE];
	json_t *object = memory_of(json_pack("{s:s, s:s, s:i, s:o}",
		"from", when_json(s->begin, from), "to", when_json(s->end, to),
		"every_s", s->minute ? 60 : 1, "host", text_json(s->host)));

	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static void print(const struct stretch *s, bool json)
{
	char when[WHEN_SIZE];

	if (s->begin == 0)
		return;
	if (json) {
		print_json(s);
		return;
	}
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

void history_list(struct history *h, bool json)
{
	struct stretch s = { 0 };
	struct history_tick tick;

	if (!json)
		puts("FROM                 TO                   EVERY   HOST");
	while (history_next(h, &tick)) {
		if (!continues(&s, &tick)) {
			print(&s, json);
			s.begin = tick.report->end_ns -
				tick.report->elapsed_ns;
			s.minute = tick.minute;
			snprintf(s.host, sizeof(s.host), "%s", tick.host);
		}
		s.end = tick.report->end_ns;
	}
	print(&s, json);
}
