/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folding what is too long for a line of the terminal.
 *
 *	    1  yes        smb2:request_cancel(uint64_t mid,
 *	                          uint64_t async_id, void *req)
 *	\________________________/ indent
 *
 * Only whole pieces go to the next line: one that is longer than a line is
 * written all the same.  What is not printed to a terminal is not folded, so
 * that grep and awk find a probe on one line, unless --width says so.
 */
#ifndef SDTKIT_TOOL_FOLD_H
#define SDTKIT_TOOL_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/* --width: a number of characters, 0 for no limit; false for another word. */
bool fold_set_width(const char *text);

/* That, else the width of the terminal; 0: lines have no limit. */
size_t fold_width(void);

/* Where a line is. */
struct fold {
	/* Characters of the line so far. */
	size_t column;
	/* How far the lines that follow are indented. */
	size_t indent;
	/* Blanks before the next piece, unless it begins a line. */
	size_t blanks;
};

/* A line that has this many characters, and how far the next are indented. */
struct fold fold_from(size_t column, size_t indent);

/*
 * Makes room for a piece of this many characters, which the caller prints:
 * ends the line if the piece does not fit.
 */
void fold_next(struct fold *fold, size_t length);

/* Text from a file, escaped, word by word; only behind commas. */
void fold_words(struct fold *fold, const char *text);
void fold_list(struct fold *fold, const char *text);

#endif /* SDTKIT_TOOL_FOLD_H */
