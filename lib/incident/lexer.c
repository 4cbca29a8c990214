/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lexer.c - splits a condition: "50ms" is a number and a word, ">=" one sign.
 */
#include <string.h>

#include "lexer.h"

static const char letters[] =
"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char digits[] = "0123456789";
static const char letters_digits[] =
"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

static size_t sign_length(const char *text)
{
	if (*text == '\0' || strchr("<>=!", *text) == NULL)
		return 1;
	return text[1] == '=' ? 2 : 1;
}

/* A character beyond ASCII is one wrong token, however many bytes it has. */
static size_t wrong_length(const char *text)
{
	size_t length = 1;

	while ((text[length] & 0xc0) == 0x80)
		length++;
	return length;
}

static void classify(const char *text, struct token *token)
{
	if (*text == '\0') {
		token->kind = TOKEN_END;
		token->length = 0;
	} else if (strchr(letters, *text) != NULL) {
		token->kind = TOKEN_WORD;
		token->length = strspn(text, letters_digits);
	} else if (strchr(digits, *text) != NULL) {
		token->kind = TOKEN_NUMBER;
		token->length = strspn(text, digits);
		if (text[token->length] == '.')
			token->length += 1 + strspn(text + token->length + 1,
						    digits);
	} else if (strchr("<>=!()*/%", *text) != NULL) {
		token->kind = TOKEN_SIGN;
		token->length = sign_length(text);
	} else {
		token->kind = TOKEN_WRONG;
		token->length = wrong_length(text);
	}
}

void lexer_read(const char *text, size_t at, struct token *token)
{
	token->at = at + strspn(text + at, " \t");
	text += token->at;
	classify(text, token);
	memcpy(token->text, text, token->length);
	token->text[token->length] = '\0';
}

void lexer_read_keys(const char *text, struct token *token)
{
	size_t length = strcspn(text + token->at, " \t()");

	if (length == 0)
		return;
	token->kind = TOKEN_WORD;
	token->length = length;
	memcpy(token->text, text + token->at, length);
	token->text[length] = '\0';
}
