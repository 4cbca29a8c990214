/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say.c - messages with priorities, as sd-daemon(3) has them:
 *
 *	<4>PROGRAM: the history cannot be written: No space left on device
 *
 * Other code prints with err(3) and its like, so the stream itself adds them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

enum { WARNING = 4, INFORMATION = 6 };

static int priority = WARNING;
static bool line_began;

/*
 * A message that cannot be written is dropped: there is nobody to tell. Several
 * processes write here, so a line is written by one system call.
 */
static ssize_t write_lines(void *cookie, const char *text, size_t size)
{
	char mark[] = "<4>";
	size_t left = size;
	size_t length;

	mark[1] = (char)('0' + priority);
	while (left > 0) {
		const char *end = memchr(text, '\n', left);

		length = end != NULL ? (size_t)(end - text) + 1 : left;
		dprintf(STDERR_FILENO, "%s%.*s", line_began ? "" : mark,
			(int)length, text);
		line_began = end == NULL;
		text += length;
		left -= length;
	}
	return (ssize_t)size;
}

void say_begin(void)
{
	static const cookie_io_functions_t functions = {
		.write = write_lines,
	};
	FILE *stream;
	int fd;

	/* or a socket would become the standard error */
	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	if (getenv("JOURNAL_STREAM") == NULL) {
		setlinebuf(stderr);
		return;
	}
	stream = fopencookie(NULL, "w", functions);
	if (stream == NULL)
		return;
	setlinebuf(stream);
	stderr = stream;
}

void say(const char *format, ...)
{
	va_list args;

	priority = INFORMATION;
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	fflush(stderr);
	priority = WARNING;
}
