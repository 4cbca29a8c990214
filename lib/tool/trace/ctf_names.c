/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names, strings and comments of TSDL, see ctf_names.h. The texts come out of a
 * file or from a program, and may be hostile.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/escape.h"
#include "common/tool.h"
#include "trace/ctf_names.h"

static bool is_taken(const struct ctf_names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->count; i++) {
		if (strcmp(names->names[i], name) == 0)
			return true;
	}
	return false;
}

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static char *print(const char *name, size_t length, const char *ending,
		   size_t number)
{
	char *text, *c;
	int ret;

	if (number < 2)
		ret = asprintf(&text, "_%.*s%s", (int)length, name, ending);
	else
		ret = asprintf(&text, "_%.*s%s_%zu", (int)length, name,
			       ending, number);
	if (ret < 0)
		tool_no_memory();
	for (c = text; *c != '\0'; c++) {
		if (!is_name_character(*c))
			*c = '_';
	}
	return text;
}

const char *ctf_name(struct ctf_names *names, const char *name, size_t length,
		     const char *ending)
{
	char *text = print(name, length, ending, 1);
	size_t number = 1;

	while (is_taken(names, text)) {
		free(text);
		text = print(name, length, ending, ++number);
	}
	TOOL_GROW(names->names, names->count, names->capacity);
	names->names[names->count++] = text;
	return text;
}

void ctf_names_free(struct ctf_names *names)
{
	while (names->count > 0)
		free(names->names[--names->count]);
	free(names->names);
}

/* As in C; three octal digits end by themselves, hexadecimal ones do not. */
void ctf_print_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if (*text >= ' ' && *text < 0x7f)
			fputc(*text, file);
		else
			fprintf(file, "\\%03o", (unsigned char)*text);
	}
	fputc('"', file);
}

struct comment {
	FILE *file;
	char last;
};

/* A blank keeps the text from ending the comment, or from beginning one. */
static void put_comment(void *context, const char *data, size_t size)
{
	struct comment *comment = context;
	size_t i;

	for (i = 0; i < size; i++) {
		if ((data[i] == '/' && comment->last == '*') ||
		    (data[i] == '*' && comment->last == '/'))
			fputc(' ', comment->file);
		fputc(data[i], comment->file);
		comment->last = data[i];
	}
}

void ctf_print_comment(FILE *file, const char *text)
{
	struct comment comment = { .file = file };

	escape(text, ESCAPE_PATH, put_comment, &comment);
}
