/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of a script, as far as they have to be told apart in order to
 * change some of them and nothing else:
 *
 *	@n[args.user] = count(); // args.user
 *	\/ \__/|\__/    \___/      \________/ a comment: between words
 *	 |   |       OPERATOR
 *	 |  WORD
 *	VARIABLE
 */
#ifndef SDTKIT_TOOL_BT_TOKEN_H
#define SDTKIT_TOOL_BT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

struct source;

enum token_kind {
	TOKEN_END,
	/* A string or a comment without an end: the complaint was printed. */
	TOKEN_BAD,
	TOKEN_WORD,
	/* "$x", "$1", "@", "@x" */
	TOKEN_VARIABLE,
	TOKEN_NUMBER,
	TOKEN_STRING,
	/* A line that begins with "#". */
	TOKEN_DIRECTIVE,
	/* One character, or one of -> == != <= >= << >> && || ++ --. */
	TOKEN_OPERATOR,
};

struct token {
	enum token_kind kind;
	size_t start;
	size_t length;
};

/*
 * Skips blanks and comments. Returns false after a complaint about a comment
 * without an end.
 */
bool token_skip(struct source *source, size_t *at);

/* Reads the next token, and moves *at behind it. */
struct token token_next(struct source *source, size_t *at);

bool token_is(const struct source *source, const struct token *token,
	      const char *text);

bool token_is_word_char(char c);

#endif /* SDTKIT_TOOL_BT_TOKEN_H */
