/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parser.c - reads a condition, see condition.h for the grammar.
 *
 *	there is no command 'CRAETE': did you mean CREATE?
 *	  p99(CRAETE) > 50ms
 *	      ^~~~~~
 *
 * After the first mistake the rest is not looked at.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lexer.h"
#include "measures.h"
#include "tsmbd/names.h"

static const unsigned long long SECOND = 1000000000;

enum { FOR_MOST = 600, AGAIN_MOST = 7 * 24 * 3600 };	/* seconds */

struct parser {
	const char *text;
	struct token token;		/* the next one */
	struct condition *condition;
	char *message;
	bool failed;
};

/* Copies text with a '?' for each character that is not printable ASCII. */
static size_t copy_plain(const char *text, size_t size, char *to)
{
	size_t length = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		if (text[i] == '\t')
			to[length++] = ' ';
		else if (text[i] >= ' ' && text[i] <= '~')
			to[length++] = text[i];
		else if ((text[i] & 0xc0) != 0x80)
			to[length++] = '?';
	}
	to[length] = '\0';
	return length;
}

/* Adds the text, and below it a mark at the token. */
static void mark(struct parser *p, const struct token *token, size_t used)
{
	char line[CONDITION_TEXT + 1];
	char marks[CONDITION_TEXT + 2];
	size_t column, length;

	column = copy_plain(p->text, token->at, line);
	length = copy_plain(p->text + token->at, token->length, line);
	length = length > 0 ? length : 1;
	memset(marks, '~', length);
	marks[0] = '^';
	marks[length] = '\0';
	copy_plain(p->text, strlen(p->text), line);
	snprintf(p->message + used, CONDITION_MESSAGE - used,
		 "\n  %s\n  %*s%s", line, (int)column, "", marks);
}

__attribute__((format(printf, 3, 4)))
static void fail(struct parser *p, const struct token *token,
		 const char *format, ...)
{
	va_list ap;
	int used;

	if (p->failed)
		return;
	p->failed = true;
	va_start(ap, format);
	used = vsnprintf(p->message, CONDITION_MESSAGE / 2, format, ap);
	va_end(ap);
	if (used >= CONDITION_MESSAGE / 2)
		used = CONDITION_MESSAGE / 2 - 1;
	mark(p, token, (size_t)used);
}

/* Goes to the next token; returns the one that was read. */
static struct token take(struct parser *p)
{
	struct token token = p->token;

	lexer_read(p->text, token.at + token.length, &p->token);
	return token;
}

static bool is(const struct parser *p, const char *text)
{
	return p->token.kind != TOKEN_END && strcmp(p->token.text, text) == 0;
}

static bool accept(struct parser *p, const char *text)
{
	if (!is(p, text))
		return false;
	take(p);
	return true;
}

static void parse_command(struct parser *p, struct term *term)
{
	const char *name = measures[term->measure].name;
	struct token token = p->token;
	const char *guess;

	term->subject = CONDITION_ALL;
	if (accept(p, "*"))
		return;
	if (token.kind != TOKEN_WORD) {
		fail(p, &token, "expected a command: %s(CREATE), or %s(*) for "
		     "all", name, name);
		return;
	}
	take(p);
	term->subject = op_by_name(token.text);
	if (term->subject >= 0)
		return;
	guess = measure_guess_command(token.text);
	if (guess != NULL)
		fail(p, &token, "there is no command '%s': did you mean %s?",
		     token.text, guess);
	else
		fail(p, &token, "there is no command '%s': use names of SMB2, "
		     "as CREATE or READ, or * for all", token.text);
}

static void parse_phase(struct parser *p, struct term *term)
{
	struct token token = take(p);
	const char *guess;

	term->subject = measure_find_phase(token.text);
	if (term->subject >= 0)
		return;
	guess = token.kind == TOKEN_WORD ? measure_guess_phase(token.text) :
		NULL;
	if (guess != NULL)
		fail(p, &token, "there is no phase '%s': did you mean %s?",
		     token.text, guess);
	else
		fail(p, &token, "expected a phase: wait, receive, parse, run, "
		     "send, ctdb or other");
}

static void parse_subject(struct parser *p, struct term *term)
{
	const struct measure *measure = &measures[term->measure];

	if (measure->subject == OF_NOTHING) {
		if (is(p, "("))
			fail(p, &p->token, "%s is of the whole server: write "
			     "it without '('", measure->name);
		return;
	}
	if (!accept(p, "(")) {
		fail(p, &p->token, "expected '(': write %s(%s)", measure->name,
		     measure->subject == OF_PHASE ? "ctdb" : "CREATE");
		return;
	}
	if (measure->subject == OF_PHASE)
		parse_phase(p, term);
	else
		parse_command(p, term);
	if (!accept(p, ")"))
		fail(p, &p->token, "expected ')'");
}

static void parse_value(struct parser *p, struct term *term)
{
	struct token token = p->token;
	const char *guess;
	int measure;

	if (token.kind != TOKEN_WORD) {
		fail(p, &token, "expected a value: p99(CREATE), rate(*), "
		     "share(ctdb), connections...");
		return;
	}
	take(p);
	measure = measure_find(token.text);
	if (measure >= 0) {
		term->measure = (enum condition_measure)measure;
		parse_subject(p, term);
		return;
	}
	guess = measure_guess(token.text);
	if (guess != NULL)
		fail(p, &token, "there is no value '%s': did you mean %s?",
		     token.text, guess);
	else
		fail(p, &token, "there is no value '%s': tsmbd(1) has the "
		     "list under INCIDENTS", token.text);
}

static void parse_compare(struct parser *p, struct term *term)
{
	static const char *const signs[] = {
		[COMPARE_MORE] = ">", [COMPARE_MORE_OR_SAME] = ">=",
		[COMPARE_LESS] = "<", [COMPARE_LESS_OR_SAME] = "<=",
	};
	unsigned int i;

	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (accept(p, signs[i])) {
			term->compare = (enum condition_compare)i;
			return;
		}
	}
	fail(p, &p->token, "expected >, >=, < or <=");
}

/* A unit, and what a number of it is in the unit of the comparison. */
struct unit {
	enum condition_kind kind;
	const char *text;
	double factor;
};

static const struct unit units[] = {
	{ CONDITION_TIME, "us", 1e3 },
	{ CONDITION_TIME, "ms", 1e6 },
	{ CONDITION_TIME, "s", 1e9 },
	{ CONDITION_NUMBER, "", 1 },
	{ CONDITION_FAILURES, "", 1 },
	{ CONDITION_FAILURES, "%", 1 },
	{ CONDITION_RATE, "", 1 },
	{ CONDITION_RATE, "/s", 1 },
	{ CONDITION_BYTES, "", 1 },
	{ CONDITION_BYTES, "/s", 1 },
	{ CONDITION_BYTES, "KiB", 1 << 10 },
	{ CONDITION_BYTES, "MiB", 1 << 20 },
	{ CONDITION_BYTES, "GiB", 1 << 30 },
	{ CONDITION_BYTES, "KiB/s", 1 << 10 },
	{ CONDITION_BYTES, "MiB/s", 1 << 20 },
	{ CONDITION_BYTES, "GiB/s", 1 << 30 },
	{ CONDITION_PERCENT, "%", 1 },
};

static const char *const units_of[] = {
	[CONDITION_TIME] = "a time: use us, ms or s",
	[CONDITION_NUMBER] = "a number: it has no unit",
	[CONDITION_FAILURES] = "a number, or with % a part of the requests",
	[CONDITION_RATE] = "a number in a second: use /s or nothing",
	[CONDITION_BYTES] = ("bytes in a second: use KiB/s, MiB/s, GiB/s or "
		"nothing"),
	[CONDITION_PERCENT] = "a part of the time: use %",
};

/* Reads "MiB/s", "%", or nothing; returns the tokens as one. */
static struct token take_unit(struct parser *p)
{
	struct token unit = { TOKEN_END, p->token.at, 0, "" };
	struct token part;

	if (p->token.kind == TOKEN_WORD &&
	    !is(p, "and") && !is(p, "for") && !is(p, "again") && !is(p, "or"))
		unit = take(p);
	else if (is(p, "%"))
		return take(p);
	if (!is(p, "/"))
		return unit;
	part = take(p);
	if (p->token.kind == TOKEN_WORD)
		part = take(p);
	unit.length = part.at + part.length - unit.at;
	unit.kind = TOKEN_WORD;
	memcpy(unit.text, p->text + unit.at, unit.length);
	unit.text[unit.length] = '\0';
	return unit;
}

static void apply_unit(struct parser *p, struct term *term, double number)
{
	const struct measure *measure = &measures[term->measure];
	struct token token = take_unit(p);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].kind != measure->kind ||
		    strcmp(units[i].text, token.text) != 0)
			continue;
		term->limit = number * units[i].factor;
		term->kind = measure->kind;
		if (strcmp(token.text, "%") == 0)
			term->kind = CONDITION_PERCENT;
		else if (measure->kind == CONDITION_FAILURES)
			term->kind = CONDITION_NUMBER;
		return;
	}
	fail(p, &token, "%s is %s", measure->name, units_of[measure->kind]);
}

/* Whether no value, or each value, would do. */
static void refuse_pointless(struct parser *p, const struct term *term,
			     const struct token *number)
{
	if (term->compare == COMPARE_LESS && term->limit <= 0)
		fail(p, number, "no value is less than 0");
	if (term->compare == COMPARE_MORE_OR_SAME && term->limit <= 0)
		fail(p, number, "each value is at least 0");
	if (term->kind == CONDITION_PERCENT &&
	    (term->limit > 100 || (term->limit == 100 &&
				   term->compare == COMPARE_MORE)))
		fail(p, number, "a part is never more than 100%%");
}

static void parse_number(struct parser *p, struct term *term)
{
	struct token token = p->token;

	if (token.kind != TOKEN_NUMBER) {
		fail(p, &token, "expected a number");
		return;
	}
	take(p);
	apply_unit(p, term, strtod(token.text, NULL));
	refuse_pointless(p, term, &token);
}

static void parse_term(struct parser *p)
{
	struct condition *c = p->condition;
	struct term *term = &c->terms[c->num_terms];

	if (c->num_terms == CONDITION_TERMS) {
		fail(p, &p->token, "at most %d comparisons can be joined",
		     CONDITION_TERMS);
		return;
	}
	c->num_terms++;
	parse_value(p, term);
	if (!p->failed)
		parse_compare(p, term);
	if (!p->failed)
		parse_number(p, term);
}

static double seconds_of(const char *unit)
{
	if (strcmp(unit, "h") == 0)
		return 3600;
	if (strcmp(unit, "m") == 0)
		return 60;
	return strcmp(unit, "s") == 0 ? 1 : 0;
}

static unsigned long long parse_duration(struct parser *p, const char *most,
					 double most_seconds)
{
	struct token token = p->token;
	double seconds;

	if (token.kind != TOKEN_NUMBER) {
		fail(p, &token, "expected a time, as in 10s");
		return 0;
	}
	take(p);
	seconds = strtod(token.text, NULL);
	if (p->token.kind == TOKEN_WORD) {
		struct token unit = take(p);

		token.length = unit.at + unit.length - token.at;
		seconds *= seconds_of(unit.text);
	} else {
		seconds = 0;
	}
	if (seconds < 1 || seconds > most_seconds)
		fail(p, &token, "use a time from 1s to %s: s, m and h are "
		     "seconds, minutes and hours", most);
	return (unsigned long long)(seconds * (double)SECOND);
}

static void parse_again(struct parser *p, bool *given)
{
	size_t at = p->token.at;
	char *text = p->condition->text;

	if (*given)
		fail(p, &p->token, "'again' is there twice");
	*given = true;
	take(p);
	p->condition->again_ns = parse_duration(p, "7 days", AGAIN_MOST);
	/* the messages do without it */
	memset(text + at, ' ', p->token.at - at);
}

static void parse_for(struct parser *p, bool *given)
{
	if (*given)
		fail(p, &p->token, "'for' is there twice");
	*given = true;
	take(p);
	p->condition->for_ns = parse_duration(p, "10m", FOR_MOST);
}

static void parse_end(struct parser *p)
{
	bool has_again = false;
	bool has_for = false;

	while (!p->failed && p->token.kind != TOKEN_END) {
		if (is(p, "for"))
			parse_for(p, &has_for);
		else if (is(p, "again"))
			parse_again(p, &has_again);
		else if (is(p, "or"))
			fail(p, &p->token, "'or' does not exist: use --when "
			     "twice");
		else
			fail(p, &p->token, "expected 'and', 'for', 'again' or "
			     "the end");
	}
}

/* Removes blanks that are doubled, or at either end. */
static void tidy(char *text)
{
	char *to = text;
	const char *from;

	for (from = text; *from != '\0'; from++) {
		bool blank = *from == ' ' || *from == '\t';

		if (!blank)
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

bool condition_parse(const char *text, struct condition *c,
		     char message[CONDITION_MESSAGE])
{
	struct parser p = { .text = text, .condition = c, .message = message };

	*c = (struct condition){
		.for_ns = SECOND, .again_ns = 300 * SECOND,
	};
	if (strlen(text) > CONDITION_TEXT) {
		snprintf(message, CONDITION_MESSAGE,
			 "use at most %d characters", CONDITION_TEXT);
		return false;
	}
	strcpy(c->text, text);
	lexer_read(text, 0, &p.token);
	if (p.token.kind == TOKEN_END) {
		strcpy(message, "it is empty");
		return false;
	}
	do
		parse_term(&p);
	while (!p.failed && accept(&p, "and"));
	parse_end(&p);
	tidy(c->text);
	return !p.failed;
}
