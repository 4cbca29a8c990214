/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows progress on the terminal, see progress.h. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/terminal.h"
#include "lib/base/clock.h"

enum {
	FIRST_MS = 1000,
	NEXT_MS = 100,
	/* The fewest and the most columns for the path. */
	PATH_MIN = 8,
	PATH_LENGTH = 40,
};

static bool shown;

static int64_t now_ms(void)
{
	return (int64_t)(sdtkit_nanoseconds(CLOCK_MONOTONIC) / 1000000);
}

/*
 * The number of columns for the path. If the line wrapped, it could not be
 * erased.
 */
static int columns_behind(int length)
{
	static const int dots = 3, cursor = 1;
	int space = (int)terminal_width(STDERR_FILENO) - length - dots -
		   cursor;

	return space > PATH_LENGTH || space < PATH_MIN ? PATH_LENGTH : space;
}

/*
 * Prints the end of the path, which tells more than its beginning. Bytes that
 * could drive a terminal are printed as '?'.
 */
static void print_path(const char *path, int space)
{
	const char *from = path, *at;

	for (at = path; *at != '\0'; at++) {
		if (at - from >= space)
			from++;
	}
	fputs(from == path ? "" : "...", stderr);
	for (; *from != '\0'; from++)
		fputc(*from < ' ' || *from > '~' ? '?' : *from, stderr);
}

void progress_show(size_t files, size_t found, const char *path)
{
	static int64_t next;
	static int wanted = -1;
	int64_t now;
	int length;

	if (wanted < 0)
		wanted = isatty(STDERR_FILENO);
	if (wanted == 0)
		return;
	now = now_ms();
	if (next == 0)
		next = now + FIRST_MS;
	if (now < next)
		return;
	next = now + NEXT_MS;
	progress_clear();
	length = fprintf(stderr, "%zu file%s, %zu with probes: ", files,
			 files == 1 ? "" : "s", found);
	print_path(path, columns_behind(length));
	fflush(stderr);
	shown = true;
}

void progress_clear(void)
{
	if (!shown)
		return;
	/* Moves to the beginning of the line and erases it. */
	fputs("\r\033[K", stderr);
	fflush(stderr);
	shown = false;
}
