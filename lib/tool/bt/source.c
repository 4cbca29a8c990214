/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a script, see source.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bt/source.h"
#include "common/escape.h"
#include "common/tool.h"

enum {
	COMPLAINTS_MAX = 10,
	/* Bytes of a line that are shown before and behind the position. */
	BEFORE_MAX = 56,
	BEHIND_MAX = 76,
	FILE_MAX = 16 << 20,
};

struct source_part {
	const char *name;
	size_t start;
};

static void add_part(struct source *source, const char *name)
{
	TOOL_GROW(source->part, source->part_count, source->part_capacity);
	source->part[source->part_count++] = (struct source_part) {
		.name = name,
		.start = source->size,
	};
}

static void append(struct source *source, const char *data, size_t size)
{
	source->text = realloc(source->text, source->size + size + 1);
	if (source->text == NULL)
		tool_no_memory();
	if (size > 0)
		memcpy(source->text + source->size, data, size);
	source->size += size;
	source->text[source->size] = '\0';
}

void source_add(struct source *source, const char *text)
{
	if (source->part_count > 0)
		append(source, "\n", 1);
	add_part(source, "-e");
	append(source, text, strlen(text));
}

/* Returns 0 or an error number. */
static int read_all(struct source *source, FILE *file)
{
	char block[65536];
	size_t size;

	while ((size = fread(block, 1, sizeof(block), file)) > 0) {
		append(source, block, size);
		if (source->size > FILE_MAX)
			return EFBIG;
	}
	return ferror(file) ? errno : 0;
}

bool source_read(struct source *source, const char *path)
{
	bool is_input = strcmp(path, "-") == 0;
	FILE *file = is_input ? stdin : fopen(path, "re");
	int error = errno;

	add_part(source, is_input ? "stdin" : path);
	append(source, "", 0);
	if (file != NULL) {
		error = read_all(source, file);
		if (!is_input)
			fclose(file);
	}
	if (file == NULL || error != 0)
		tool_complain("%s: %s", path, strerror(error));
	else if (strlen(source->text) != source->size)
		tool_complain("%s: not a script: it has a byte that is 0",
			      path);
	else
		return true;
	return false;
}

void source_free(struct source *source)
{
	free(source->text);
	free(source->part);
	free(source->complained);
}

static bool is_new(struct source *source, size_t at)
{
	size_t i;

	for (i = 0; i < source->complained_count; i++) {
		if (source->complained[i] == at)
			return false;
	}
	TOOL_GROW(source->complained, source->complained_count,
		  source->complained_capacity);
	source->complained[source->complained_count++] = at;
	return true;
}

/* Copies a piece of a line, with a blank for each tab. */
static void copy_piece(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[i] = from[i] == '\t' ? ' ' : from[i];
	to[size] = '\0';
}

static void show_line(const struct source *source, size_t at, size_t length)
{
	const char *text = source->text, *line = text + at;
	size_t before, behind, marks, indent;
	char piece[BEHIND_MAX + 1];

	while (line > text && line[-1] != '\n')
		line--;
	before = (size_t)(text + at - line);
	if (before > BEFORE_MAX) {
		line += before - BEFORE_MAX;
		before = BEFORE_MAX;
	}
	behind = strcspn(text + at, "\n");
	if (behind > BEHIND_MAX - before)
		behind = BEHIND_MAX - before;
	copy_piece(piece, line, before);
	fputs("  ", stderr);
	indent = escape(piece, ESCAPE_PATH, escape_to_file, stderr);
	copy_piece(piece, text + at, behind);
	escape(piece, ESCAPE_PATH, escape_to_file, stderr);
	fprintf(stderr, "\n  %*s^", (int)indent, "");
	for (marks = 1; marks < length && marks < behind; marks++)
		fputc('~', stderr);
	fputc('\n', stderr);
}

void source_complain(struct source *source, size_t at, size_t length,
		     const char *format, ...)
{
	const struct source_part *part = source->part;
	size_t line = 1, start, i;
	char text[4096];
	va_list ap;

	if (!is_new(source, at) || source->complained_count > COMPLAINTS_MAX)
		return;
	for (i = 0; i < source->part_count && source->part[i].start <= at; i++)
		part = &source->part[i];
	start = part->start;
	for (i = start; i < at; i++) {
		if (source->text[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (source->part_count > 1)
		tool_complain("-e number %td, %zu:%zu: %s",
			      part - source->part + 1, line, at - start + 1,
			      text);
	else
		tool_complain("%s:%zu:%zu: %s", part->name, line,
			      at - start + 1, text);
	show_line(source, at, length);
}

bool source_is_hopeless(const struct source *source)
{
	return source->complained_count >= COMPLAINTS_MAX;
}
