/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a script, see token.h. */
#include <ctype.h>
#include <string.h>

#include "bt/source.h"
#include "bt/token.h"

bool token_is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool token_skip(struct source *source, size_t *at)
{
	const char *text = source->text, *end;

	for (;;) {
		*at += strspn(text + *at, " \t\n\v\f\r");
		if (strncmp(text + *at, "//", 2) == 0) {
			*at += strcspn(text + *at, "\n");
			continue;
		}
		if (strncmp(text + *at, "/*", 2) != 0)
			return true;
		end = strstr(text + *at + 2, "*/");
		if (end == NULL)
			break;
		*at = (size_t)(end + 2 - text);
	}
	source_complain(source, *at, 2, "the comment has no end: '*/' is "
			"missing");
	return false;
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (token_is_word_char(text[length]))
		length++;
	return length;
}

/* "$1", "$#", "@name" */
static size_t variable_length(const char *text)
{
	size_t length = 1 + word_length(text + 1);

	return length == 1 && text[1] == '#' ? 2 : length;
}

/* Returns 0 after a complaint. */
static size_t string_length(struct source *source, size_t at)
{
	const char *text = source->text + at;
	size_t length = 1;

	while (text[length] != '"') {
		if (text[length] == '\\' && text[length + 1] != '\0')
			length++;
		if (text[length] == '\0' || text[length] == '\n') {
			source_complain(source, at, length,
					"the string has no end: '\"' is "
					"missing");
			return 0;
		}
		length++;
	}
	return length + 1;
}

/* A backslash at its end continues the line. */
static size_t directive_length(const char *text)
{
	size_t length = strcspn(text, "\n");

	while (text[length] == '\n' && text[length - 1] == '\\')
		length += 1 + strcspn(text + length + 1, "\n");
	return length;
}

static size_t operator_length(const char *text)
{
	static const char pairs[][3] = {
		"->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "++",
		"--",
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (strncmp(text, pairs[i], 2) == 0)
			return 2;
	}
	return 1;
}

static bool begins_line(const struct source *source, size_t at)
{
	while (at > 0 && strchr(" \t", source->text[at - 1]) != NULL)
		at--;
	return at == 0 || source->text[at - 1] == '\n';
}

struct token token_next(struct source *source, size_t *at)
{
	struct token token = { .kind = TOKEN_BAD };
	const char *text;

	if (!token_skip(source, at))
		return token;
	text = source->text + *at;
	token.start = *at;
	if (*text == '\0') {
		token.kind = TOKEN_END;
	} else if (isdigit((unsigned char)*text)) {
		token.kind = TOKEN_NUMBER;
		token.length = word_length(text);
	} else if (token_is_word_char(*text)) {
		token.kind = TOKEN_WORD;
		token.length = word_length(text);
	} else if (*text == '$' || *text == '@') {
		token.kind = TOKEN_VARIABLE;
		token.length = variable_length(text);
	} else if (*text == '"') {
		token.length = string_length(source, *at);
		if (token.length > 0)
			token.kind = TOKEN_STRING;
	} else if (*text == '#' && begins_line(source, *at)) {
		token.kind = TOKEN_DIRECTIVE;
		token.length = directive_length(text);
	} else {
		token.kind = TOKEN_OPERATOR;
		token.length = operator_length(text);
	}
	*at += token.length;
	return token;
}

bool token_is(const struct source *source, const struct token *token,
	      const char *text)
{
	return strlen(text) == token->length &&
	       memcmp(source->text + token->start, text, token->length) == 0;
}
