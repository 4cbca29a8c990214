/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.c - spans as they are written.
 *
 *	option   = name [":"] { word }
 *	word     = property "=" value | probe ".." probe
 *	name     = [provider ":"] span
 *	value    = item { "," item }
 *
 *	query: query__start..query__done key=tid name=arg0
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner.h"
#include "lib/base/grow.h"
#include "spans.h"

static const char *const names[SPAN_PROPERTIES] = {
	"start", "end", "suspend", "resume", "duration", "started", "key",
	"name", "error", "ok", "sum", "parent",
};

static char error[512];

const char *spans_error(void)
{
	return error;
}

const char *spans_property_name(enum span_property property)
{
	return names[property];
}

bool spans_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, sizeof(error), format, args);
	va_end(args);
	return false;
}

bool spans_fail_in(const struct span_text *text, const char *format, ...)
{
	char sentence[384];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	if (text->option)
		return spans_fail("--span '%.64s': %s", text->name, sentence);
	return spans_fail("span %.64s:%.64s: %s", text->provider, text->name,
			  sentence);
}

bool spans_fail_memory(void)
{
	return spans_fail("%s", strerror(ENOMEM));
}

bool spans_copy(char **to, const char *text, size_t length)
{
	*to = strndup(text, length);
	return *to != NULL || spans_fail_memory();
}

size_t spans_item(const char **list, const char **item)
{
	const char *p = *list;
	int depth = 0;

	*item = p;
	for (; *p != '\0' && (*p != ',' || depth > 0); p++)
		depth += (*p == '(') - (*p == ')');
	*list = *p == ',' ? p + 1 : p;
	return (size_t)(p - *item);
}

static int find_property(const char *name, size_t length)
{
	int i;

	for (i = 0; i < SPAN_PROPERTIES; i++) {
		if (strlen(names[i]) == length &&
		    memcmp(names[i], name, length) == 0)
			return i;
	}
	return -1;
}

static bool set(struct span_text *text, int property, const char *value,
		size_t length)
{
	if (text->value[property] != NULL)
		return spans_fail_in(text, "%s is given twice",
				     names[property]);
	if (length == 0 || value[0] == ',' || value[length - 1] == ',' ||
	    memmem(value, length, ",,", 2) != NULL)
		return spans_fail_in(text, "%s: a value is missing",
				     names[property]);
	return spans_copy(&text->value[property], value, length);
}

/* A..B is short for start=A end=B. */
static bool set_word(struct span_text *text, const char *word, size_t length)
{
	const char *equals = memchr(word, '=', length);
	const char *dots = memmem(word, length, "..", 2);
	int property;

	if (equals == NULL && dots != NULL)
		return set(text, SPAN_START, word, (size_t)(dots - word)) &&
		       set(text, SPAN_END, dots + 2,
			   length - (size_t)(dots + 2 - word));
	property = equals == NULL ? -1 :
		find_property(word, (size_t)(equals - word));
	if (property < 0)
		return spans_fail_in(text, "invalid word '%.*s': use "
				     "START..END or start=, end=, suspend=, "
				     "resume=, duration=, started=, key=, "
				     "name=, error=, ok=, sum= or parent=",
				     (int)length, word);
	return set(text, property, equals + 1,
		   length - (size_t)(equals + 1 - word));
}

static bool set_name(struct span_text *text, const char *word, size_t length)
{
	const char *colon;

	if (length > 0 && word[length - 1] == ':')
		length--;
	colon = memchr(word, ':', length);
	if (colon != NULL) {
		if (!spans_copy(&text->provider, word, (size_t)(colon - word)))
			return false;
		length -= (size_t)(colon + 1 - word);
		word = colon + 1;
	}
	return spans_copy(&text->name, word, length);
}

static size_t next_word(const char **text, const char **word)
{
	const char *p = *text;

	while (isspace((unsigned char)*p))
		p++;
	*word = p;
	while (*p != '\0' && !isspace((unsigned char)*p))
		p++;
	*text = p;
	return (size_t)(p - *word);
}

/* An end that tells the time needs no start, and a key only beside others. */
static bool is_required(const struct span_text *text,
			enum span_property property)
{
	char *const *value = text->value;

	if (property == SPAN_END ||
	    (value[SPAN_DURATION] == NULL && value[SPAN_STARTED] == NULL))
		return true;
	return property == SPAN_KEY &&
	       (value[SPAN_START] != NULL || value[SPAN_SUSPEND] != NULL ||
		value[SPAN_PARENT] != NULL);
}

static bool check(const struct span_text *text)
{
	static const enum span_property required[] = {
		SPAN_START, SPAN_END, SPAN_KEY,
	};
	static const char *const hints[SPAN_PROPERTIES] = {
		[SPAN_START] = ": write START..END, or start=PROBE",
		[SPAN_END] = ": write START..END, or end=PROBE",
		[SPAN_KEY] = ": name the argument that pairs the probes, or "
			"'tid' for the thread",
	};
	size_t i;

	if (text->name[0] == '\0' || strchr(text->name, '=') != NULL ||
	    strstr(text->name, "..") != NULL)
		return spans_fail("--span has no name: write 'NAME: "
				  "START..END key=ARG', with a blank behind "
				  "the name");
	for (i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		if (text->value[required[i]] != NULL ||
		    !is_required(text, required[i]))
			continue;
		return spans_fail_in(text, "%s= is missing%s",
				     names[required[i]], hints[required[i]]);
	}
	return true;
}

static void free_text(struct span_text *text)
{
	int i;

	for (i = 0; i < SPAN_PROPERTIES; i++)
		free(text->value[i]);
	free(text->provider);
	free(text->name);
	free(text->doc);
}

static bool add(struct span_texts *texts, const struct span_text *text)
{
	const char *provider = text->provider != NULL ? text->provider : "";

	if (sdtkit_grow(&texts->text, texts->count, &texts->capacity,
			sizeof(*text)) < 0 ||
	    sdtkit_pairs_add(&texts->names, provider, text->name,
			     texts->count) < 0)
		return spans_fail_memory();
	texts->text[texts->count++] = *text;
	return true;
}

static bool read_option(struct span_text *text, const char *option)
{
	const char *word;
	size_t length = next_word(&option, &word);
	bool good = set_name(text, word, length) &&
		    spans_copy(&text->doc, "", 0);

	while (good && (length = next_word(&option, &word)) > 0)
		good = set_word(text, word, length);
	return good && check(text);
}

bool spans_add_option(struct span_texts *texts, const char *option)
{
	struct span_text text = { .option = true };
	bool good = read_option(&text, option) && add(texts, &text);

	if (!good)
		free_text(&text);
	return good;
}

bool spans_check_option(const char *option)
{
	struct span_text text = { .option = true };
	bool good = read_option(&text, option);

	free_text(&text);
	return good;
}

static bool has(const struct span_texts *texts, const char *provider,
		const char *name)
{
	return sdtkit_pairs_find(&texts->names, "", name) != NULL ||
	       sdtkit_pairs_find(&texts->names, provider, name) != NULL;
}

bool spans_add_note(struct span_texts *texts, const struct sdtkit_span *span)
{
	const struct sdtkit_span_property *from;
	struct span_text text = { .option = false };
	int property;
	bool good;
	size_t i;

	if (has(texts, span->provider, span->name))
		return true;
	good = spans_copy(&text.provider, span->provider,
			  strlen(span->provider)) &&
	       spans_copy(&text.name, span->name, strlen(span->name)) &&
	       spans_copy(&text.doc, span->summary, strlen(span->summary));
	for (i = 0; good && i < span->property_count; i++) {
		from = &span->properties[i];
		property = find_property(from->name, strlen(from->name));
		if (property >= 0 && text.value[property] == NULL)
			good = spans_copy(&text.value[property], from->value,
					  strlen(from->value));
	}
	if (good && check(&text) && add(texts, &text))
		return true;
	free_text(&text);
	return good;
}
