/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of sdtkit trace.
 *
 *	  0.013412  4711       smb2:request_start(mid=1, opcode=0)
 *	  0.013988  4711/4715  smb2:request_end(mid=1, opcode=0, status=0)
 *
 * Time, process, and where it is not the first of the process, thread.  The
 * columns before the probe have no blanks in them.
 *
 * Lines are put together here and written when there are many, or nothing
 * else is to be done; a write always ends with a line, so that those of the
 * command, if it writes there too, come between ours.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/out.h"
#include "common/tool.h"
#include "trace/trace.h"

enum {
	BUFFER_SIZE = 64 * 1024,
	/* "4711/4715" of most machines. */
	PROCESS_WIDTH = 9,
	SECOND = 1000000000,
};

static char buffer[BUFFER_SIZE];
static size_t used;
static int output = STDERR_FILENO;
/* A file with nothing in it but lines. */
static bool is_ours;
static bool is_coloured;
static int failure;
static uint64_t unwritten;
/* How many lines of the buffer are not hits. */
static uint64_t gaps;
/* What tracing_while_blocked() was given. */
static bool (*ask)(void *context, int ticks);
static void *ask_context;

int tracing_open_output(const struct tracing *tracing)
{
	if (tracing->path != NULL)
		output = open(tracing->path, O_WRONLY | O_CREAT | O_CLOEXEC |
			      O_NOCTTY, 0666);
	if (output < 0) {
		tool_complain("%s: %s", tracing->path, strerror(errno));
		return -1;
	}
	is_coloured = out_has_colour(output);
	return 0;
}

/* Half a line at the end of a file that is full would be taken for a line. */
static void cut_half_line(const char *data, size_t written)
{
	size_t half = 0;
	off_t end;

	while (half < written && data[written - half - 1] != '\n')
		half++;
	end = is_ours ? lseek(output, 0, SEEK_CUR) : -1;
	if (end >= (off_t)half && ftruncate(output, end - (off_t)half) < 0)
		failure = -errno;
}

void tracing_while_blocked(bool (*go_on)(void *context, int ticks),
			   void *context)
{
	ask = go_on;
	ask_context = context;
}

/* Returns as write(2), but -1 with EINTR only if the output is given up. */
static ssize_t write_some(const char *data, size_t size)
{
	ssize_t written;
	int ticks;

	if (is_ours || ask == NULL)
		return write(output, data, size);
	for (ticks = 1; ; ticks++) {
		tracing_ticks_start();
		written = write(output, data, size);
		tracing_ticks_stop();
		if (written >= 0 || errno != EINTR)
			return written;
		if (!ask(ask_context, ticks)) {
			errno = EINTR;
			return -1;
		}
	}
}

static void count_unwritten(const char *data, size_t size)
{
	const char *end = data + size;

	while ((data = memchr(data, '\n', (size_t)(end - data))) != NULL) {
		unwritten++;
		data++;
	}
}

static void write_all(const char *data, size_t size)
{
	const char *start = data;

	while (size > 0 && failure == 0) {
		ssize_t written = write_some(data, size);

		if (written < 0) {
			failure = -errno;
			cut_half_line(start, (size_t)(data - start));
			break;
		}
		data += written;
		size -= (size_t)written;
	}
	count_unwritten(data, size);
}

uint64_t tracing_unwritten(void)
{
	return unwritten > gaps ? unwritten - gaps : 0;
}

void tracing_flush(void)
{
	write_all(buffer, used);
	used = 0;
	if (failure == 0)
		gaps = 0;
}

int tracing_output_error(void)
{
	return failure;
}

void tracing_write_line(const char *data, size_t size)
{
	if (size >= sizeof(buffer) - used)
		tracing_flush();
	if (size >= sizeof(buffer)) {
		write_all(data, size);
		write_all("\n", 1);
		return;
	}
	memcpy(buffer + used, data, size);
	used += size;
	buffer[used++] = '\n';
}

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
	/* What fires in two threads at once may come in any order. */
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

/* The probe's name, from there up to its arguments, is coloured. */
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

static void print_line(const struct tracing *tracing,
		       const struct sdtkit_tap_event *event)
{
	static char *line;
	static size_t room = 4096;
	size_t length, needed;

	if (line == NULL)
		line = malloc(room);
	for (;;) {
		if (line == NULL)
			tool_no_memory();
		length = (size_t)put_time(tracing, event->time, line, room);
		length += (size_t)put_process(event, line + length,
					      room - length);
		needed = length + sdtkit_tap_format(event, line + length,
						    room - length);
		if (needed < room)
			break;
		room = needed + 1;
		line = realloc(line, room);
	}
	if (is_coloured)
		write_coloured(line, length);
	else
		tracing_write_line(line, needed);
}

void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time)
{
	char line[128];
	size_t length;

	if (failure != 0 || tracing->count)
		return;
	if (tracing->json) {
		tracing_json_gap(tracing, lost, time);
		gaps++;
		return;
	}
	length = (size_t)put_time(tracing, time, line, sizeof(line));
	length += (size_t)snprintf(line + length, sizeof(line) - length,
				   "%-*s  (%" PRIu64 " hit%s lost here)",
				   PROCESS_WIDTH, "-", lost,
				   lost == 1 ? " was" : "s were");
	tracing_write_line(line, length);
	gaps++;
}

/* Only now that COMMAND runs: otherwise what was in the file stays there. */
static void empty_output(void)
{
	struct stat status;

	if (fstat(output, &status) < 0 || !S_ISREG(status.st_mode))
		return;
	is_ours = true;
	if (ftruncate(output, 0) < 0)
		failure = -errno;
}

void tracing_begin(struct tracing *tracing)
{
	if (tracing->path != NULL)
		empty_output();
	if (tracing->json)
		tracing_json_begin(tracing);
	tracing_flush();
	/* That was no hit. */
	unwritten = 0;
}

void tracing_hit(struct tracing *tracing, const struct sdtkit_tap_event *event)
{
	tracing->hits++;
	if (failure != 0) {
		tracing->lost++;
		return;
	}
	if (tracing->count)
		tracing_count(event);
	else if (tracing->json)
		tracing_json_hit(tracing, event);
	else
		print_line(tracing, event);
}

void tracing_end(struct tracing *tracing, int status, uint64_t left_out)
{
	if (tracing->count)
		tracing_print_counts(tracing);
	if (tracing->json)
		tracing_json_end(tracing, status, left_out);
	tracing_flush();
}
