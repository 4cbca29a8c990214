/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The standard output, see out.h.  A listing of 10,000 sites is a megabyte of
 * small cells: they are put together here and written 64 KiB at a time.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/escape.h"
#include "common/out.h"
#include "common/progress.h"

static char buffer[64 * 1024];
static size_t used;
static int failure;
/* There is a file of --output that has not been emptied. */
static bool is_old;

/* --color: 0 never, 1 always; -1: auto. */
static int coloured = -1;

/* Select Graphic Rendition of ECMA-48; 1 is bold, 3x a colour. */
static const char *const styles[] = {
	[OUT_PLAIN] = "\033[0m",
	[OUT_HEADING] = "\033[1m",
	[OUT_NAME] = "\033[36m",
	[OUT_TRACED] = "\033[1;32m",
	[OUT_ERROR] = "\033[1;31m",
	[OUT_WARNING] = "\033[1;35m",
	[OUT_GOOD] = "\033[32m",
};

void out_to_file(void)
{
	is_old = true;
}

void out_begin(void)
{
	/* a pipe or a device has nothing old */
	if (is_old && ftruncate(STDOUT_FILENO, 0) < 0 && errno != EINVAL)
		failure = -errno;
	is_old = false;
}

int out_flush(void)
{
	const char *data = buffer;

	if (used > 0) {
		progress_clear();
		out_begin();
	}
	while (used > 0 && failure == 0) {
		ssize_t written = write(STDOUT_FILENO, data, used);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			failure = -errno;
			break;
		}
		data += written;
		used -= (size_t)written;
	}
	used = 0;
	return failure;
}

bool out_failed(void)
{
	return failure != 0;
}

void out_bytes(const char *data, size_t size)
{
	while (size > sizeof(buffer) - used) {
		size_t part = sizeof(buffer) - used;

		memcpy(buffer + used, data, part);
		used += part;
		data += part;
		size -= part;
		out_flush();
	}
	memcpy(buffer + used, data, size);
	used += size;
}

void out_text(const char *text)
{
	out_bytes(text, strlen(text));
}

void out_char(char c)
{
	if (used == sizeof(buffer))
		out_flush();
	buffer[used++] = c;
}

void out_blanks(size_t count)
{
	static const char blanks[] = "                                ";
	const size_t most = sizeof(blanks) - 1;

	for (; count > most; count -= most)
		out_bytes(blanks, most);
	out_bytes(blanks, count);
}

void out_format(const char *format, ...)
{
	char text[8192];
	va_list ap;
	int length;

	va_start(ap, format);
	length = vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (length > 0)
		out_text(text);
}

static void put(void *to, const char *data, size_t size)
{
	out_bytes(data, size);
}

size_t out_escaped(const char *text, bool blanks)
{
	return escape(text, blanks ? ESCAPE_TEXT : ESCAPE_NAME, put, NULL);
}

size_t out_escaped_length(const char *text, bool blanks)
{
	return escape_length(text, blanks ? ESCAPE_TEXT : ESCAPE_NAME);
}

void out_path(const char *path)
{
	escape(path, ESCAPE_PATH, put, NULL);
}

size_t out_hex_length(uint64_t value)
{
	size_t length = value == 0 ? 1 : 2;

	for (; value != 0; value >>= 4)
		length++;
	return length;
}

size_t out_hex(uint64_t value)
{
	size_t length = out_hex_length(value), i;
	char text[sizeof("0x0123456789abcdef")] = "0x";

	if (value == 0)
		text[0] = '0';
	for (i = length; i > 2; value >>= 4)
		text[--i] = "0123456789abcdef"[value & 0xf];
	out_bytes(text, length);
	return length;
}

void out_number(uint64_t value, size_t width)
{
	char text[sizeof("18446744073709551615")];
	size_t at = sizeof(text);

	do {
		text[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value != 0);
	if (sizeof(text) - at < width)
		out_blanks(width - (sizeof(text) - at));
	out_bytes(text + at, sizeof(text) - at);
}

/* https://no-color.org: if it is set and not empty, whatever its value. */
bool out_has_colour(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (coloured >= 0)
		return coloured;
	if (no != NULL && no[0] != '\0')
		return false;
	if (term == NULL || strcmp(term, "dumb") == 0)
		return false;
	return isatty(fd) == 1;
}

bool out_set_colour(const char *when)
{
	if (strcmp(when, "auto") == 0)
		coloured = -1;
	else if (strcmp(when, "always") == 0)
		coloured = 1;
	else if (strcmp(when, "never") == 0)
		coloured = 0;
	else
		return false;
	return true;
}

const char *out_style_text(enum out_style style)
{
	return styles[style];
}

void out_style(enum out_style style)
{
	/* -1: not decided yet. */
	static int on = -1;

	if (on < 0)
		on = out_has_colour(STDOUT_FILENO);
	if (on)
		out_text(styles[style]);
}
