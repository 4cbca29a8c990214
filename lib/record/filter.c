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
#include "unit.h"

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
	if (errno != 0 || (is_negative && *number > (uint64_t)1 << 63))
		return NULL;
	if (is_negative)
		*number = -*number;
	return end;
}

/* Returns what is behind a name, or NULL if there is none that fits. */
static const char *read_name(const char *at, char *to, size_t size)
{
	const char *name = at;
	size_t length;

	while (isalnum((unsigned char)*at) || *at == '_' || *at == '.')
		at++;
	length = (size_t)(at - name);
	if (length == 0 || length >= size ||
	    (!isalpha((unsigned char)*name) && *name != '_'))
		return NULL;
	memcpy(to, name, length);
	to[length] = '\0';
	return at;
}

static const char *read_value(const char *at,
			      struct sdtkit_record_condition *condition)
{
	if (*at == '"')
		return read_text(at, condition);
	condition->is_named = isalpha((unsigned char)*at) || *at == '_';
	return condition->is_named ?
	       read_name(at, condition->text, sizeof(condition->text)) :
	       read_number(at, &condition->number);
}

/* Why there is no value. */
static const char *why_none(const char *at)
{
	const char *end = *at == '"' ? strchr(at + 1, '"') : NULL;

	if (isdigit((unsigned char)at[*at == '-']))
		return "the number is too large";
	if (end != NULL && end - at > SDTKIT_RECORD_TEXT)
		return "the text has more than 63 bytes";
	return "expected a number or a name, or for == and != a text in "
	       "quotes,";
}

_Static_assert(SDTKIT_RECORD_TEXT == 64, "as the text says");

/* What a number is multiplied by, for "k" or "ms"; 0: it cannot be. */
static int64_t factor_of(const char *word, size_t length,
			 const struct sdtkit_unit *own)
{
	const struct sdtkit_unit *unit = sdtkit_unit_find(word, length);
	static const char sizes[] = "kMG";
	const char *size = strchr(sizes, *word);

	if (own != NULL && own->ns > 0)
		return unit != NULL ? unit->ns / own->ns : 0;
	return length == 1 && size != NULL ?
	       (int64_t)1024 << 10 * (size - sizes) : 0;
}

/* Takes the unit behind a number: "1ms" is 1000000 for elapsed_ns. */
static int read_unit(const char **from, struct sdtkit_record_condition *to)
{
	const char *at = *from;
	int64_t number = (int64_t)to->number, factor;

	while (isalpha((unsigned char)*at))
		at++;
	if (to->is_text || to->is_named || at == *from)
		return 0;
	factor = factor_of(*from, (size_t)(at - *from),
			   sdtkit_unit_of(to->name));
	if (factor == 0)
		return bad(*from, "expected k, M or G, or for a name that ends "
			   "in _ns, _us, _ms or _s this unit or a larger one,");
	if (number > INT64_MAX / factor || number < INT64_MIN / factor)
		return bad(*from, "the number is too large");
	to->number = (uint64_t)(number * factor);
	*from = at;
	return 0;
}

/* Why there is no name of an argument. */
static const char *why_no_name(const char *at)
{
	if (*at == '|')
		return "conditions can only be joined by &&: expected the name "
		       "of an argument";
	if (*at == '.')
		return "numbers have no fraction: expected the name of an "
		       "argument";
	if (*at != '\0' && strchr("*?\"'", *at) != NULL)
		return "a text needs quotes, as in 'a:b/name==\"home*\"/': "
		       "expected the name of an argument";
	return "expected the name of an argument";
}

static int read_condition(const char **from,
			  struct sdtkit_record_filter *filter)
{
	struct sdtkit_record_condition *condition;
	const char *at = *from, *name = at, *sign, *value;

	if (filter->count == SDTKIT_RECORD_CONDITIONS)
		return bad(at, "too many conditions");
	condition = &filter->conditions[filter->count];
	at = read_name(at, condition->name, sizeof(condition->name));
	if (at == NULL)
		return bad(name, why_no_name(name));
	sign = skip_blanks(at);
	at = read_compare(sign, condition);
	if (at == NULL)
		return bad(name, *sign == '=' ?
			   "equal is ==: expected ==, !=, <, <=, > or >=" :
			   "expected ==, !=, <, <=, > or >=");
	value = skip_blanks(at);
	at = read_value(value, condition);
	if (at == NULL)
		return bad(name, why_none(value));
	filter->count++;
	*from = at;
	return read_unit(from, condition);
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

int sdtkit_record_read_filter(const char **from,
			      struct sdtkit_record_filter *filter)
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
	if (filter->count == 0 && filter->every == 0)
		return bad(*from, "there is no condition");
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

/* The first of two filters for the same probes would do nothing. */
static bool is_twice(const struct sdtkit_record_filters *all,
		     const struct sdtkit_record_filter *filter)
{
	size_t i;

	for (i = 0; i + 1 < all->count; i++) {
		if ((all->filters[i].count > 0 || all->filters[i].every > 0) &&
		    strcmp(all->filters[i].pattern, filter->pattern) == 0)
			return true;
	}
	return false;
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
	if (is_twice(to, filter))
		return bad(at, "a second filter for the same probes: join the "
			   "conditions of both by &&");
	return sdtkit_record_read_filter(from, filter);
}

/* Without a colon and a wildcard, a pattern matches the name of nothing. */
static int check_patterns(const char *list, const char *what)
{
	struct sdtkit_pattern pattern;

	while (sdtkit_pattern_next(&list, &pattern)) {
		const char *glob = pattern.glob;

		if (strpbrk(glob, ":*?[") == NULL)
			return sdtkit_record_fail(EINVAL, "\"%.64s\" is not a "
				"pattern: write \"*:%.64s\" for a %s of any "
				"provider, \"%.64s:*\" for all %ss of a "
				"provider", glob, glob, what, glob, what);
	}
	return 0;
}

int sdtkit_record_read_filters(const char *list, const char *what,
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
		ret = check_patterns(f.patterns, what);
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
		free(filters->filters[i].misfit);
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
