/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.c - prints names of files, users and shares.
 *
 *	"a\nb\x1b[2J\xc2\x9b\xff" -> a?b?[2J???
 *
 * A client chooses them, and may choose what erases the screen of the person
 * who reads it, or adds a line to the log. The kernel cuts them where they do
 * not fit, which may be within a character.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "utf8.h"

/* Controls, ends of lines, and what turns the direction of writing. */
static const struct {
	unsigned int first;
	unsigned int last;
} disturbing[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f },
	{ 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

/* As utf8_decode(), but 0 also for a character that must not be printed. */
static int printable(const char *text, const char *also)
{
	unsigned int code;
	int length = utf8_decode(text, &code);
	size_t i;

	if (length == 1 && strchr(also, *text) != NULL)
		return 0;
	for (i = 0; i < sizeof(disturbing) / sizeof(disturbing[0]); i++) {
		if (length > 0 && code >= disturbing[i].first &&
		    code <= disturbing[i].last)
			return 0;
	}
	return length;
}

static void print(FILE *out, const char *text, const char *also)
{
	int length;

	while (*text != '\0') {
		length = printable(text, also);
		if (length == 0)
			putc('?', out);
		else
			fwrite(text, 1, (size_t)length, out);
		text += length > 0 ? length : 1;
	}
}

void text_quote(FILE *out, const char *text)
{
	putc('"', out);
	print(out, text, "\"");
	putc('"', out);
}

void text_print(FILE *out, const char *text, const char *also)
{
	if (*text == '\0')
		putc('-', out);
	else if (strcmp(text, "-") == 0)
		text_quote(out, text);
	else
		print(out, text, also);
}

void text_path(FILE *out, const char *share, const char *name)
{
	if (*share == '\0') {
		text_print(out, name, "");
		return;
	}
	print(out, share, "");
	putc('/', out);
	print(out, name, "");
}

void text_quote_path(FILE *out, const char *share, const char *name)
{
	putc('"', out);
	print(out, share, "\"");
	if (*share != '\0')
		putc('/', out);
	print(out, name, "\"");
	putc('"', out);
}

/* Returns the number of bytes that are in the buffer. */
static size_t copy(const char *text, const char *also, char *buffer,
		   size_t size)
{
	size_t at = 0;
	size_t length;
	bool keep;

	for (; *text != '\0'; text += length) {
		length = (size_t)printable(text, also);
		keep = length > 0;
		length = keep ? length : 1;
		if (at + length >= size)
			break;
		memcpy(buffer + at, keep ? text : "?", length);
		at += length;
	}
	buffer[at] = '\0';
	return at;
}

const char *text_word(const char *text, char *buffer, size_t size)
{
	if (copy(text, " \"", buffer, size) == 0)
		return "-";
	return strcmp(buffer, "-") == 0 ? "\"-\"" : buffer;
}

const char *text_plain(const char *text, char *buffer, size_t size)
{
	copy(text, "", buffer, size);
	return buffer;
}

json_t *text_json(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *copy = malloc(strlen(text) * 3 + 1);
	unsigned int code;
	json_t *string;
	char *to = copy;
	int length;

	if (copy == NULL)
		return NULL;
	for (; *text != '\0'; text += length > 0 ? length : 1) {
		length = utf8_decode(text, &code);
		if (length > 0)
			to = mempcpy(to, text, (size_t)length);
		else
			to = mempcpy(to, replacement, sizeof(replacement) - 1);
	}
	*to = '\0';
	string = json_string(copy);
	free(copy);
	return string;
}
