/* SPDX-License-Identifier: BSD-2-Clause */
/* How wide a terminal is, see terminal.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/terminal.h"

bool terminal_parse_width(const char *text, int *width)
{
	char *end;
	long value;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	value = strtol(text, &end, 10);
	if (*end != '\0' || errno != 0 || value > INT_MAX)
		return false;
	*width = (int)value;
	return true;
}

/* Like ls(1), prefers $COLUMNS to what the terminal says. */
size_t terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int number;

	if (isatty(fd) != 1)
		return 0;
	if (columns != NULL && terminal_parse_width(columns, &number) &&
	    number > 0)
		return (size_t)number;
	if (ioctl(fd, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}
