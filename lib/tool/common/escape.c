/* SPDX-License-Identifier: BSD-2-Clause */
/* Text from a file, for a terminal, see escape.h. */
#include <stdio.h>
#include <string.h>

#include "common/escape.h"
#include "lib/decode/printable.h"

/* How many bytes at the beginning are written as they are. */
static size_t plain_length(const char *text, enum escape how)
{
	size_t length = sdtkit_printable(text);

	if (how == ESCAPE_PATH)
		return length;
	if (*text == '\\' || (*text == ' ' && how == ESCAPE_NAME))
		return 0;
	return length == 1 ? 1 : 0;
}

static size_t plain_run(const char *text, enum escape how)
{
	size_t run = 0, length;

	while ((length = plain_length(text + run, how)) > 0)
		run += length;
	return run;
}

size_t escape(const char *text, enum escape how,
	      void (*put)(void *to, const char *data, size_t size), void *to)
{
	static const char digits[] = "0123456789abcdef";
	size_t all = 0;

	while (*text != '\0') {
		size_t run = plain_run(text, how);
		unsigned char c = (unsigned char)text[run];
		const char code[] = {
			'\\', 'x', digits[c >> 4], digits[c & 0xf],
		};

		if (run > 0)
			put(to, text, run);
		text += run;
		all += run;
		if (*text == '\0')
			break;
		put(to, code, sizeof(code));
		text++;
		all += sizeof(code);
	}
	return all;
}

static void put_nowhere(void *to, const char *data, size_t size)
{
}

size_t escape_length(const char *text, enum escape how)
{
	return escape(text, how, put_nowhere, NULL);
}

void escape_to_file(void *file, const char *data, size_t size)
{
	fwrite(data, 1, size, file);
}

struct buffer {
	char *text;
	size_t length;
	size_t room;
};

static void put_into_buffer(void *to, const char *data, size_t size)
{
	struct buffer *buffer = to;

	if (size > buffer->room)
		size = buffer->room;
	memcpy(buffer->text + buffer->length, data, size);
	buffer->length += size;
	buffer->room -= size;
}

size_t escape_into(char *text, size_t size, const char *from, enum escape how)
{
	struct buffer buffer = { text, 0, size - 1 };

	escape(from, how, put_into_buffer, &buffer);
	text[buffer.length] = '\0';
	return buffer.length;
}
