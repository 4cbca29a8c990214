/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folds lines that are too long for the terminal.
 *
 *	    1  yes        smb2:request_cancel(uint64_t mid,
 *	                          uint64_t async_id, void *req)
 *	\________________________/ indent
 *
 * Lines are broken between pieces only: a piece that is longer than a line is
 * written as it is. Output that does not go to a terminal is not folded, so
 * that grep and awk find a probe on one line, unless --width is given.
 */
#ifndef SDTKIT_TOOL_FOLD_H
#define SDTKIT_TOOL_FOLD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Sets the value of --width: a number of characters, or 0 for no limit. Returns
 * false if the text is not a number.
 */
bool fold_set_width(const char *text);

/* The value of --width, or else the width of the terminal; 0: no limit. */
size_t fold_width(void);

/* The state of a line that is printed piece by piece. */
struct fold {
	/* Characters of the line so far. */
	size_t column;
	/* The indentation of the lines that follow. */
	size_t indent;
	/* Blanks before the next piece, unless it begins a line. */
	size_t blanks;
};

/* Begins with a line that already has this many characters. */
struct fold fold_from(size_t column, size_t indent);

/*
 * Prepares for a piece of this many characters, which the caller prints: ends
 * the line if the piece does not fit.
 */
void fold_next(struct fold *fold, size_t length);

/*
 * Prints text from a file, escaped; breaks lines between words, or after commas
 * only.
 */
void fold_words(struct fold *fold, const char *text);
void fold_list(struct fold *fold, const char *text);

#endif /* SDTKIT_TOOL_FOLD_H */
