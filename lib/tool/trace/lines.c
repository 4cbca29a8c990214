/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of sdtkit trace.
 *
 *	  0.013412  4711       smb2:request_start(mid=1, opcode=0)
 *	  0.013988  4711/4715  smb2:request_end(mid=1, opcode=0, status=0)
 *
 * The columns are time, process and, unless it is the first of the process,
 * thread. The columns before the probe contain no blanks.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/out.h"
#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/lines.h"
#include "trace/output.h"
#include "trace/tracing.h"

enum {
	/* Wide enough for "4711/4715". */
	PROCESS_WIDTH = 9,
	SECOND = 1000000000,
};

static int put_seconds(char *to, size_t size, uint64_t ns)
{
	return snprintf(to, size, "%3" PRIu64 ".%06" PRIu64 "  ",
			ns / SECOND, ns % SECOND / 1000);
}

static int put_clock(char *to, size_t size, uint64_t epoch)
{
	time_t seconds = (time_t)(epoch / SECOND);
	char clock[sizeof("23:59:60")];
	struct tm local;

	localtime_r(&seconds, &local);
	strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	return snprintf(to, size, "%s.%06" PRIu64 "  ", clock,
			epoch % SECOND / 1000);
}

static int put_time(const struct tracing *tracing, uint64_t time, char *to,
		    size_t size)
{
	/* Hits of two threads may come out of the order of their times. */
	static uint64_t before;
	uint64_t start = time > tracing->start ? time - tracing->start : 0;
	uint64_t delta = time > before && before != 0 ? time - before : 0;

	before = time;
	switch (tracing->time) {
	case TIME_DELTA:
		return put_seconds(to, size, delta);
	case TIME_CLOCK:
		return put_clock(to, size, tracing->start_epoch + start);
	case TIME_EPOCH:
		return put_seconds(to, size, tracing->start_epoch + start);
	case TIME_NONE:
		return 0;
	default:
		return put_seconds(to, size, start);
	}
}

static int put_process(const struct sdtkit_tap_event *event, char *to,
		       size_t size)
{
	char text[sizeof("-2147483648/-2147483648")];

	if (event->pid == 0)
		snprintf(text, sizeof(text), "?");
	else if (event->pid == event->tid)
		snprintf(text, sizeof(text), "%d", (int)event->pid);
	else
		snprintf(text, sizeof(text), "%d/%d", (int)event->pid,
			 (int)event->tid);
	return snprintf(to, size, "%-*s  ", PROCESS_WIDTH, text);
}

/* Writes the line with the name of the probe in colour; it begins at name. */
static void write_coloured(const char *line, size_t name)
{
	size_t length = strcspn(line + name, "(");
	char *text;
	int all;

	all = asprintf(&text, "%.*s%s%.*s%s%s", (int)name, line,
		       out_style_text(OUT_NAME), (int)length, line + name,
		       out_style_text(OUT_PLAIN), line + name + length);
	if (all < 0)
		tool_no_memory();
	tracing_write_line(text, (size_t)all);
	free(text);
}

void tracing_print_line(const struct tracing *tracing,
			const struct sdtkit_tap_event *event)
{
	static char *line;
	static size_t capacity = 4096;
	size_t length, needed;

	if (line == NULL)
		line = malloc(capacity);
	if (line == NULL)
		tool_no_memory();
	/*
	 * Called exactly once for each hit, since it remembers the time for the
	 * difference that the next line shows.
	 */
	length = (size_t)put_time(tracing, event->time, line, capacity);
	length += (size_t)put_process(event, line + length, capacity - length);
	for (;;) {
		needed = length + sdtkit_tap_format(event, line + length,
						    capacity - length);
		if (needed < capacity)
			break;
		capacity = needed + 1;
		line = realloc(line, capacity);
		if (line == NULL)
			tool_no_memory();
	}
	if (tracing_output_is_coloured())
		write_coloured(line, length);
	else
		tracing_write_line(line, needed);
}

void tracing_print_gap(const struct tracing *tracing, uint64_t lost,
		       uint64_t time)
{
	char line[128];
	size_t length;

	length = (size_t)put_time(tracing, time, line, sizeof(line));
	length += (size_t)snprintf(line + length, sizeof(line) - length,
				   "%-*s  (%" PRIu64 " hit%s lost here)",
				   PROCESS_WIDTH, "-", lost,
				   lost == 1 ? " was" : "s were");
	tracing_write_line(line, length);
}
