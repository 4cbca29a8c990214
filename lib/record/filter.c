/* SPDX-License-Identifier: BSD-2-Clause */
/* See filter.h. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "pattern.h"
#include "read_parts.h"

/*
 * Samplers are places in the memory of every thread. Bit i: it is in use. The
 * next one is not that which was given back last: threads may have counted
 * there.
 */
static _Atomic uint32_t samplers;
static _Atomic uint32_t next_sampler;

/* Returns its index, or -1. */
static int take_sampler(void)
{
	uint32_t i;

	for (i = 0; i < SDTKIT_RECORD_SAMPLERS; i++) {
		uint32_t index = atomic_fetch_add(&next_sampler, 1) %
				 SDTKIT_RECORD_SAMPLERS;

		if (!(atomic_fetch_or(&samplers, 1u << index) & 1u << index))
			return (int)index;
	}
	return -1;
}

static void give_sampler(uint32_t index)
{
	atomic_fetch_and(&samplers, ~(1u << index));
}

static int bad(const char *at, const char *what)
{
	return sdtkit_record_fail(EINVAL, "filter: %s at \"%.32s\"", what, at);
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static const char *read_compare(const char *at,
				struct sdtkit_record_condition *condition)
{
	static const struct {
		const char *text;
		enum sdtkit_record_compare compare;
	} all[] = {
		{ "==", SDTKIT_RECORD_EQUAL },
		{ "!=", SDTKIT_RECORD_UNEQUAL },
		{ "<=", SDTKIT_RECORD_LESS_EQUAL },
		{ ">=", SDTKIT_RECORD_MORE_EQUAL },
		{ "<", SDTKIT_RECORD_LESS },
		{ ">", SDTKIT_RECORD_MORE },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t length = strlen(all[i].text);

		if (strncmp(at, all[i].text, length) == 0) {
			condition->compare = all[i].compare;
			return at + length;
		}
	}
	return NULL;
}

/* Returns what is behind the closing quote, or NULL. */
static const char *read_text(const char *at,
			     struct sdtkit_record_condition *condition)
{
	const char *end = strchr(at + 1, '"');
	size_t length = end != NULL ? (size_t)(end - at) - 1 : 0;

	if (end == NULL || length >= sizeof(condition->text))
		return NULL;
	memcpy(condition->text, at + 1, length);
	condition->is_text = true;
	if (condition->compare == SDTKIT_RECORD_EQUAL)
		condition->compare = SDTKIT_RECORD_LIKE;
	else if (condition->compare == SDTKIT_RECORD_UNEQUAL)
		condition->compare = SDTKIT_RECORD_UNLIKE;
	else
		return NULL;
	return end + 1;
}

static const char *read_number(const char *at, uint64_t *number)
{
	bool is_negative = *at == '-';
	char *end;

	at += is_negative;
	if (!isdigit((unsigned char)*at))
		return NULL;
	errno = 0;
	*number = strtoull(at, &end, 0);
	if (errno != 0)
		return NULL;
	if (is_negative)
		*number = -*number;
	return end;
}

static int read_condition(const char **from,
			  struct sdtkit_record_filter *filter)
{
	struct sdtkit_record_condition *condition;
	const char *at = *from, *name = at;
	size_t length;

	if (filter->count == SDTKIT_RECORD_CONDITIONS)
		return bad(at, "too many conditions");
	condition = &filter->conditions[filter->count];
	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	length = (size_t)(at - name);
	if (length == 0 || length >= sizeof(condition->name))
		return bad(name, "expected the name of an argument");
	memcpy(condition->name, name, length);
	at = read_compare(skip_blanks(at), condition);
	if (at == NULL)
		return bad(name, "expected ==, !=, <, <=, > or >=");
	at = skip_blanks(at);
	at = *at == '"' ? read_text(at, condition) :
			  read_number(at, &condition->number);
	if (at == NULL)
		return bad(name, "expected a number, or for == and != a text "
			   "in quotes,");
	filter->count++;
	*from = at;
	return 0;
}

/* "1%100": false if that is not what comes. */
static bool read_sample(const char **from, struct sdtkit_record_filter *filter)
{
	uint64_t take, every;
	const char *at = read_number(*from, &take);

	if (at == NULL || *at != '%')
		return false;
	at = read_number(at + 1, &every);
	if (at == NULL || take == 0 || take > every || every > UINT32_MAX)
		return false;
	filter->take = (uint32_t)take;
	filter->every = (uint32_t)every;
	*from = at;
	return true;
}

/* From behind one slash to behind the other. */
static int read_filter(const char **from, struct sdtkit_record_filter *filter)
{
	const char *at = *from;
	int ret, sampler;

	for (;;) {
		at = skip_blanks(at);
		if (strncmp(at, "&&", 2) == 0) {
			at += 2;
		} else if (*at == '/') {
			break;
		} else if (*at == '\0') {
			return bad(*from, "the second slash is missing");
		} else if (!isdigit((unsigned char)*at)) {
			ret = read_condition(&at, filter);
			if (ret < 0)
				return ret;
		} else if (!read_sample(&at, filter)) {
			return bad(at, "expected a sample as 1%100");
		}
	}
	if (filter->every != 0) {
		sampler = take_sampler();
		if (sampler < 0)
			return bad(*from, "this process has no sampler left");
		filter->has_sampler = true;
		filter->sampler = (uint32_t)sampler;
	}
	*from = at + 1;
	return 0;
}

static int read_pattern(const char **from, struct sdtkit_record_filters *to)
{
	struct sdtkit_record_filter *filter = &to->filters[to->count];
	const char *at = *from;
	size_t length = strcspn(at, ",/ ");

	if (to->count == SDTKIT_RECORD_FILTERS)
		return bad(at, "too many patterns with filters in one list");
	if (length == 0)
		return bad(at, "expected the pattern of the filter");
	if (length >= sizeof(filter->pattern))
		return bad(at, "a pattern is too long");
	memset(filter, 0, sizeof(*filter));
	memcpy(filter->pattern, at, length);
	*from = at + length;
	strncat(to->patterns, at, length);
	strcat(to->patterns, ",");
	to->count++;
	if (at[length] != '/')
		return 0;
	++*from;
	return read_filter(from, filter);
}

/* Without a colon and a wildcard, a pattern matches the name of no probe. */
static int check_patterns(const char *list)
{
	struct sdtkit_pattern pattern;

	while (sdtkit_pattern_next(&list, &pattern)) {
		const char *glob = pattern.glob;

		if (strpbrk(glob, ":*?[") == NULL)
			return sdtkit_record_fail(EINVAL, "\"%.64s\" is not a "
				"pattern: write \"*:%.64s\" for a probe of any "
				"provider, \"%.64s:*\" for all probes of a "
				"provider", glob, glob, glob);
	}
	return 0;
}

int sdtkit_record_read_filters(const char *list,
			       struct sdtkit_record_filters *filters)
{
	struct sdtkit_record_filters f = {
		.filters = calloc(SDTKIT_RECORD_FILTERS,
				  sizeof(f.filters[0])),
		.patterns = calloc(1, strlen(list) + 2),
	};
	int ret = f.filters != NULL && f.patterns != NULL ? 0 :
		  sdtkit_record_no_memory();

	/* Without a filter, a list may have any number of patterns. */
	if (ret == 0 && strchr(list, '/') == NULL) {
		strcpy(f.patterns, list);
		list = "";
	}
	while (ret == 0 && *(list += strspn(list, ", ")) != '\0')
		ret = read_pattern(&list, &f);
	if (ret == 0)
		ret = check_patterns(f.patterns);
	if (ret < 0)
		sdtkit_record_free_filters(&f);
	else
		*filters = f;
	return ret;
}

void sdtkit_record_free_filters(struct sdtkit_record_filters *filters)
{
	size_t i;

	for (i = 0; i < filters->count; i++) {
		if (filters->filters[i].has_sampler)
			give_sampler(filters->filters[i].sampler);
	}
	free(filters->filters);
	free(filters->patterns);
	*filters = (struct sdtkit_record_filters) { 0 };
}

const struct sdtkit_record_filter *
sdtkit_record_find_filter(const struct sdtkit_record_filters *filters,
			  const char *provider, const char *probe)
{
	const struct sdtkit_record_filter *filter;
	struct sdtkit_pattern pattern;
	size_t i;

	for (i = filters->count; i-- > 0;) {
		const char *text = filters->filters[i].pattern;

		filter = &filters->filters[i];
		if (!sdtkit_pattern_next(&text, &pattern) ||
		    pattern.excludes ||
		    !sdtkit_pattern_fits(&pattern, provider, probe))
			continue;
		return filter->count > 0 || filter->every > 0 ? filter : NULL;
	}
	return NULL;
}
