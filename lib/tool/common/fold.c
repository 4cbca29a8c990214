/* SPDX-License-Identifier: BSD-2-Clause */
/* Folds lines that are too long for the terminal, see fold.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/fold.h"
#include "common/out.h"
#include "common/terminal.h"
#include "common/tool.h"

enum {
	/*
	 * With less space, words would be stacked on each other at the right
	 * edge.
	 */
	WIDTH_MIN = 24,
	INDENT_MIN = 4,
};

/* -1: not decided yet. */
static int width = -1;

bool fold_set_width(const char *text)
{
	return terminal_parse_width(text, &width);
}

size_t fold_width(void)
{
	if (width < 0)
		width = (int)terminal_width(STDOUT_FILENO);
	return (size_t)width;
}

struct fold fold_from(size_t column, size_t indent)
{
	size_t limit = fold_width();

	if (limit > 0 && indent + WIDTH_MIN > limit)
		indent = INDENT_MIN;
	return (struct fold) { .column = column, .indent = indent };
}

void fold_next(struct fold *fold, size_t length)
{
	size_t limit = fold_width();

	if (limit > 0 && fold->column > fold->indent &&
	    fold->column + fold->blanks + length > limit) {
		out_char('\n');
		out_blanks(fold->indent);
		fold->column = fold->indent;
	} else {
		out_blanks(fold->blanks);
		fold->column += fold->blanks;
	}
	fold->column += length;
	fold->blanks = 1;
}

static void print_piece(struct fold *fold, const char *text, size_t length)
{
	char *piece = strndup(text, length);

	if (piece == NULL)
		tool_no_memory();
	fold_next(fold, out_escaped_length(piece, true));
	out_escaped(piece, true);
	free(piece);
}

void fold_words(struct fold *fold, const char *text)
{
	static const char blanks[] = " \t\r\n";
	size_t length;

	for (;;) {
		text += strspn(text, blanks);
		length = strcspn(text, blanks);
		if (length == 0)
			return;
		print_piece(fold, text, length);
		text += length;
	}
}

void fold_list(struct fold *fold, const char *text)
{
	const char *comma;

	while ((comma = strstr(text, ", ")) != NULL) {
		print_piece(fold, text, (size_t)(comma + 1 - text));
		text = comma + 2;
	}
	print_piece(fold, text, strlen(text));
}
