/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a condition. */
#ifndef INCIDENT_LEXER_H
#define INCIDENT_LEXER_H

#include "condition.h"

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_WRONG,
	TOKEN_END };

struct token {
	enum token_kind kind;
	size_t at;			/* offset in the text */
	size_t length;
	char text[CONDITION_TEXT + 1];
};

/* Reads the token at the offset, or the first one behind blanks. */
void lexer_read(const char *text, size_t at, struct token *token);

/* Reads a token again as a name that is made of keys: up to ')' or a blank. */
void lexer_read_keys(const char *text, struct token *token);

#endif /* INCIDENT_LEXER_H */
