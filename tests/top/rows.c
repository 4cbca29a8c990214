/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.c - shows the rows of a file on the screen, and reads it again and
 * again.
 *
 *	top-rows FILE [catch|names]
 *
 * A line is a row: COUNT MICROSECONDS NAME, where "\n" and the like of a name
 * are written as in C. The file is to be replaced, not written to. With
 * "catch", the program has its own handler of SIGINT;
 * with "names", the names are the first column.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top/screen.h"

enum { MAX_ROWS = 1000, INTERVAL_MS = 50 };

struct row {
	unsigned long count;
	double us;
	char name[200];
};

static struct row rows[MAX_ROWS];
static const void *pointers[MAX_ROWS];
static volatile sig_atomic_t interrupted;

static void print_count(const struct table_column *column, const void *row,
			char *cell, size_t size)
{
	snprintf(cell, size, "%lu", ((const struct row *)row)->count);
}

static double get_count(const struct table_column *column, const void *row)
{
	return (double)((const struct row *)row)->count;
}

static void print_us(const struct table_column *column, const void *row,
		     char *cell, size_t size)
{
	snprintf(cell, size, "%.1f", ((const struct row *)row)->us);
}

static double get_us(const struct table_column *column, const void *row)
{
	return ((const struct row *)row)->us;
}

static void print_name(const struct table_column *column, const void *row,
		       char *cell, size_t size)
{
	snprintf(cell, size, "%s", ((const struct row *)row)->name);
}

static const struct table_column columns[] = {
	{ "COUNT", "how often it happened", 8, false, print_count, get_count,
	  NULL },
	{ "MEAN US", "how long it took", 10, false, print_us, get_us, NULL },
	{ "NAME", "what it was", 10, true, print_name, NULL, NULL },
	{ "COUNT", "how often it happened", 8, false, print_count, get_count,
	  NULL },
	{ "MEAN US", "how long it took", 10, false, print_us, get_us, NULL },
};
static size_t first_column;

static void unescape(char *text)
{
	char *to = text;

	while (*text != '\0') {
		char c = *text++;

		if (c == '\\' && *text != '\0')
			c = *text++ == 'e' ? '\x1b' : '\n';
		*to++ = c;
	}
	*to = '\0';
}

static size_t read_rows(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t count = 0;

	if (file == NULL)
		exit(3);
	while (count < MAX_ROWS &&
	       fscanf(file, "%lu %lf %199[^\n]", &rows[count].count,
		      &rows[count].us, rows[count].name) == 3) {
		unescape(rows[count].name);
		pointers[count] = &rows[count];
		count++;
	}
	fclose(file);
	return count;
}

static void on_interrupt(int number)
{
	interrupted = 1;
}

static int show(struct screen *screen, const char *path)
{
	static const char *const headings[] = { "rows of a file" };
	static const char *const notes[] = { "3 ends without a start" };
	struct table table = {
		.columns = columns + first_column, .num_columns = 3, .rows = pointers,
		.headings = headings, .num_headings = 1,
		.notes = notes, .num_notes = 1,
	};

	while (!interrupted) {
		struct pollfd fd = { screen_fd(screen), POLLIN, 0 };

		if (!screen_is_paused(screen)) {
			table.num_rows = read_rows(path);
			screen_show(screen, &table);
		}
		poll(&fd, 1, INTERVAL_MS);
		if (screen_input(screen) == SCREEN_QUIT)
			return 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct screen *screen;
	int ret;

	if (argc < 2)
		return 2;
	if (argc > 2 && strcmp(argv[2], "names") == 0)
		first_column = 2;
	else if (argc > 2)
		signal(SIGINT, on_interrupt);
	ret = screen_open(&screen, 0);
	if (ret < 0) {
		printf("no screen: %s\n", strerror(-ret));
		return 1;
	}
	ret = show(screen, argv[1]);
	screen_close(screen);
	puts(interrupted ? "interrupted" : "closed");
	return ret;
}
