/* SPDX-License-Identifier: BSD-2-Clause */
/* The clauses of a script, see clause.h. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bt/clause.h"
#include "common/tool.h"

/* What else a script has besides clauses. */
static const char *const definitions[] = {
	"struct", "union", "enum", "typedef", "config", "macro", "fn",
	"subprog", "let", "import",
};

static bool is_definition(const struct source *source,
			  const struct token *token)
{
	size_t i;

	if (source->text[token->start + token->length] == ':')
		return false;
	for (i = 0; i < sizeof(definitions) / sizeof(definitions[0]); i++) {
		if (token_is(source, token, definitions[i]))
			return true;
	}
	return false;
}

/* Skips what ends in ";" or in the brace that closes the first one. */
static bool skip_definition(struct source *source, size_t *at)
{
	struct token token;
	size_t depth = 0, end;

	do {
		token = token_next(source, at);
		if (token.kind == TOKEN_BAD)
			return false;
		if (token_is(source, &token, "{"))
			depth++;
		if (token_is(source, &token, "}") && depth-- <= 1)
			break;
	} while (token.kind != TOKEN_END &&
		 (depth > 0 || !token_is(source, &token, ";")));
	end = *at;
	if (token_is(source, &token, "}") && token_skip(source, &end) &&
	    source->text[end] == ';')
		*at = end + 1;
	return true;
}

static void add_token(struct clause *clause, struct token token)
{
	TOOL_GROW(clause->token, clause->token_count, clause->token_capacity);
	clause->token[clause->token_count++] = token;
}

/* A filter ends in the slash that has the body behind it. */
static bool is_before_body(struct source *source, size_t at)
{
	return token_skip(source, &at) && source->text[at] == '{';
}

static bool read_filter(struct source *source, struct clause *clause,
			size_t *at)
{
	struct token token = token_next(source, at);
	size_t start = token.start;

	add_token(clause, token);
	do {
		token = token_next(source, at);
		if (token.kind == TOKEN_BAD)
			return false;
		if (token.kind == TOKEN_END) {
			source_complain(source, start, 1, "the filter has no "
					"end: '/' before '{' is missing");
			return false;
		}
		add_token(clause, token);
	} while (!token_is(source, &token, "/") ||
		 !is_before_body(source, *at));
	return token_skip(source, at);
}

static bool read_body(struct source *source, struct clause *clause, size_t *at)
{
	size_t depth = 0, start = *at;
	struct token token;

	clause->body = clause->token_count;
	do {
		token = token_next(source, at);
		if (token.kind == TOKEN_BAD)
			return false;
		if (token.kind == TOKEN_END) {
			source_complain(source, start, 1, "'{' has no '}'");
			return false;
		}
		add_token(clause, token);
		if (token_is(source, &token, "{"))
			depth++;
		if (token_is(source, &token, "}"))
			depth--;
	} while (depth > 0);
	return true;
}

static bool add_point(struct source *source, struct clause *clause, size_t *at)
{
	TOOL_GROW(clause->point, clause->point_count, clause->point_capacity);
	return point_read(source, &clause->point[clause->point_count++], at);
}

/* Reads the probes up to the filter or the body. */
static bool read_points(struct source *source, struct clause *clause,
			size_t *at)
{
	for (;;) {
		if (!token_skip(source, at))
			return false;
		switch (source->text[*at]) {
		case ',':
			++*at;
			break;
		case '/':
		case '{':
			if (clause->point_count > 0)
				return true;
			source_complain(source, *at, 1, "a clause begins with "
					"a probe: PROVIDER:PROBE { ... }");
			return false;
		case '\0':
			source_complain(source, clause->start,
					strcspn(source->text + clause->start,
						" \t\n"),
					"'{' is expected: what is to be done "
					"at this probe?");
			return false;
		default:
			if (!add_point(source, clause, at))
				return false;
		}
	}
}

static bool read_clause(struct source *source, struct clauses *clauses,
			size_t *at)
{
	struct clause *clause;

	TOOL_GROW(clauses->clause, clauses->count, clauses->capacity);
	clause = &clauses->clause[clauses->count++];
	*clause = (struct clause) { .start = *at };
	if (!read_points(source, clause, at))
		return false;
	clause->rest = *at;
	if (source->text[*at] == '/' && !read_filter(source, clause, at))
		return false;
	if (!read_body(source, clause, at))
		return false;
	clause->end = *at;
	return true;
}

bool clauses_parse(struct clauses *clauses, struct source *source)
{
	struct token token;
	size_t at = 0, next = 0;

	while (token_skip(source, &at)) {
		next = at;
		token = token_next(source, &next);
		if (token.kind == TOKEN_END)
			return true;
		if (token.kind == TOKEN_BAD)
			return false;
		if (token.kind == TOKEN_DIRECTIVE) {
			clauses->has_definitions |=
				source->text[token.start + 1] != '!';
			at = next;
			continue;
		}
		if (token.kind == TOKEN_WORD && is_definition(source, &token)) {
			clauses->has_definitions = true;
			if (!skip_definition(source, &at))
				return false;
			continue;
		}
		if (!read_clause(source, clauses, &at))
			return false;
	}
	return false;
}

void clauses_free(struct clauses *clauses)
{
	size_t i, j;

	for (i = 0; i < clauses->count; i++) {
		struct clause *clause = &clauses->clause[i];

		for (j = 0; j < clause->point_count; j++)
			free(clause->point[j].path);
		free(clause->point);
		free(clause->token);
	}
	free(clauses->clause);
}

bool clause_is_special(const struct clause *clause,
		       const struct source *source, const char *name)
{
	const struct point *point = clause->point;

	return clause->point_count == 1 && point->length == strlen(name) &&
	       strncasecmp(source->text + point->start, name,
			   point->length) == 0;
}

bool clause_is_ours(const struct clause *clause)
{
	size_t i;

	for (i = 0; i < clause->point_count; i++) {
		if (!clause->point[i].is_own)
			return true;
	}
	return false;
}
