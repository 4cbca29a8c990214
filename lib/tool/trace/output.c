/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the lines of sdtkit trace go: standard output or a file.
 *
 * Lines are collected here, and written when the buffer is full or nothing else
 * is to be done. A write always ends with a line, so that lines of the command,
 * if it writes there too, come between ours.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "common/out.h"
#include "common/tool.h"
#include "trace/output.h"
#include "trace/ticks.h"
#include "trace/tracing.h"

enum {
	BUFFER_SIZE = 64 * 1024,
};

static char buffer[BUFFER_SIZE];
static size_t used;
static int output = STDERR_FILENO;
/* The output is a regular file that contains only our lines. */
static bool is_ours;
static bool is_coloured;
static int failure;
static uint64_t unwritten;
/* How many lines in the buffer are not about hits. */
static uint64_t gaps;
/* The function and context of tracing_while_blocked(). */
static bool (*ask)(void *context, int ticks);
static void *ask_context;

int tracing_open_output(const struct tracing *tracing)
{
	if (tracing_is_reading(tracing))
		output = STDOUT_FILENO;
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

/*
 * Removes a partial line at the end of a full file: readers would take it for a
 * line.
 */
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

/* Like write(2), but fails with EINTR only if the output is given up. */
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

void tracing_empty_output(void)
{
	struct stat status;

	if (fstat(output, &status) < 0 || !S_ISREG(status.st_mode))
		return;
	is_ours = true;
	if (ftruncate(output, 0) < 0)
		failure = -errno;
}

bool tracing_output_is_coloured(void)
{
	return is_coloured;
}

void tracing_line_was_no_hit(void)
{
	gaps++;
}

void tracing_forget_unwritten(void)
{
	unwritten = 0;
}
