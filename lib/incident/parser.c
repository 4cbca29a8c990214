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

#include "condition.h"
#include "lexer.h"

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

/* "wait, receive or send": the keys of the columns. */
static const char *list_columns(const struct parser *p,
				const struct measure *measure,
				char list[CONDITION_MESSAGE / 4])
{
	const struct measures *m = p->condition->measures;
	const struct report_column *column = measure_next(m, measure, NULL);
	const struct report_column *next;
	int used = 0;

	list[0] = '\0';
	for (; column != NULL && used < CONDITION_MESSAGE / 4; column = next) {
		next = measure_next(m, measure, column);
		used += snprintf(list + used,
				 CONDITION_MESSAGE / 4 - (size_t)used, "%s%s",
				 used == 0 ? "" : next == NULL ? " or " : ", ",
				 column->key);
	}
	return list;
}

/* Says that there is no such subject, and which one is meant or may be used. */
static void fail_subject(struct parser *p, const struct term *term,
			 const struct token *token)
{
	const struct measure *measure = term->measure;
	const struct measure_subject *subject = measure->subject;
	char list[CONDITION_MESSAGE / 4];

	if (measure_of_columns(measure))
		fail(p, token, "expected a %s: %s", subject->noun,
		     list_columns(p, measure, list));
	else if (token->kind != TOKEN_WORD)
		fail(p, token, "expected a %s: %s(%s), or %s(*) for all",
		     subject->noun, measure->name, subject->example,
		     measure->name);
	else
		fail(p, token, "there is no %s '%s': use %s, or * for all",
		     subject->noun, token->text, subject->use);
}

static void parse_name(struct parser *p, struct term *term)
{
	const struct measures *m = p->condition->measures;
	const struct measure *measure = term->measure;
	char buffer[REPORT_NAME];
	const char *guess = NULL;
	struct token token;

	if (!measure_of_columns(measure) && accept(p, "*")) {
		strcpy(term->subject, "*");
		return;
	}
	if (measure_of_keys(measure))
		lexer_read_keys(p->text, &p->token);
	token = p->token;
	if (token.kind == TOKEN_WORD) {
		take(p);
		if (measure_read(m, measure, token.text, term->subject))
			return;
		guess = measure_guess(m, measure, token.text, buffer);
	}
	if (guess != NULL)
		fail(p, &token, "there is no %s '%s': did you mean %s?",
		     measure->subject->noun, token.text, guess);
	else
		fail_subject(p, term, &token);
}

static void parse_subject(struct parser *p, struct term *term)
{
	const struct measure *measure = term->measure;

	if (measure->subject == NULL) {
		if (is(p, "("))
			fail(p, &p->token, "%s is of the whole server: write "
			     "it without '('", measure->name);
		return;
	}
	if (!accept(p, "(")) {
		fail(p, &p->token, "expected '(': write %s(%s)", measure->name,
		     measure->subject->example);
		return;
	}
	parse_name(p, term);
	if (!accept(p, ")"))
		fail(p, &p->token, "expected ')'");
}

static void parse_value(struct parser *p, struct term *term)
{
	const struct measures *m = p->condition->measures;
	struct token token = p->token;
	char buffer[REPORT_NAME];
	const char *guess;

	if (token.kind != TOKEN_WORD) {
		fail(p, &token, "expected a value: %s...", m->examples);
		return;
	}
	take(p);
	term->measure = measure_find(m, token.text);
	if (term->measure != NULL) {
		parse_subject(p, term);
		return;
	}
	guess = measure_guess(m, NULL, token.text, buffer);
	if (guess != NULL)
		fail(p, &token, "there is no value '%s': did you mean %s?",
		     token.text, guess);
	else
		fail(p, &token, "there is no value '%s': the list is in %s",
		     token.text, m->manual);
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
	enum measure_kind kind;
	const char *text;
	double factor;
};

static const struct unit units[] = {
	{ MEASURE_TIME, "us", 1e3 },
	{ MEASURE_TIME, "ms", 1e6 },
	{ MEASURE_TIME, "s", 1e9 },
	{ MEASURE_NUMBER, "", 1 },
	{ MEASURE_FAILURES, "", 1 },
	{ MEASURE_FAILURES, "%", 1 },
	{ MEASURE_RATE, "", 1 },
	{ MEASURE_RATE, "/s", 1 },
	{ MEASURE_BYTES, "", 1 },
	{ MEASURE_BYTES, "/s", 1 },
	{ MEASURE_BYTES, "KiB", 1 << 10 },
	{ MEASURE_BYTES, "MiB", 1 << 20 },
	{ MEASURE_BYTES, "GiB", 1 << 30 },
	{ MEASURE_BYTES, "KiB/s", 1 << 10 },
	{ MEASURE_BYTES, "MiB/s", 1 << 20 },
	{ MEASURE_BYTES, "GiB/s", 1 << 30 },
	{ MEASURE_PERCENT, "%", 1 },
};

static const char *const units_of[] = {
	[MEASURE_TIME] = "a time: use us, ms or s",
	[MEASURE_NUMBER] = "a number: it has no unit",
	[MEASURE_FAILURES] = "a number, or with % a part of the ",
	[MEASURE_RATE] = "a number in a second: use /s or nothing",
	[MEASURE_BYTES] = ("bytes in a second: use KiB/s, MiB/s, GiB/s or "
		"nothing"),
	[MEASURE_PERCENT] = "a part of the time: use %",
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
	const struct measure *measure = term->measure;
	struct token token = take_unit(p);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].kind != measure->kind ||
		    strcmp(units[i].text, token.text) != 0)
			continue;
		term->limit = number * units[i].factor;
		term->kind = measure->kind;
		if (strcmp(token.text, "%") == 0)
			term->kind = MEASURE_PERCENT;
		else if (measure->kind == MEASURE_FAILURES)
			term->kind = MEASURE_NUMBER;
		return;
	}
	fail(p, &token, "%s is %s%s", measure->name, units_of[measure->kind],
	     measure->kind == MEASURE_FAILURES ?
	     p->condition->measures->noun : "");
}

/* Whether no value, or each value, would do. */
static void refuse_pointless(struct parser *p, const struct term *term,
			     const struct token *number)
{
	if (term->compare == COMPARE_LESS && term->limit <= 0)
		fail(p, number, "no value is less than 0");
	if (term->compare == COMPARE_MORE_OR_SAME && term->limit <= 0)
		fail(p, number, "each value is at least 0");
	if (term->kind == MEASURE_PERCENT &&
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

bool condition_parse(const struct measures *measures, const char *text,
		     struct condition *c, char message[CONDITION_MESSAGE])
{
	struct parser p = { .text = text, .condition = c, .message = message };

	*c = (struct condition){
		.measures = measures,
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
