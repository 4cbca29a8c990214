/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.c - words of the command line -> what hits have to satisfy.
 *
 *	smb2:request/status!=0/
 *	-> smb2:request; at each site of its ends: status, in %rdx, != 0
 *
 * The grammar is that of a recorder, lib/record/filter.h.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/patterns.h"
#include "common/tool.h"
#include "lib/record/filter.h"
#include "lib/record/read.h"
#include "lib/text/similar.h"
#include "top/filter.h"

struct filter {
	const char *word;		/* as it was given */
	const char *name;		/* without the filter */
	bool is_one;			/* it has a filter */
	struct sdtkit_record_filter is;
};

_Static_assert((int)TOP_TESTS == (int)SDTKIT_RECORD_CONDITIONS &&
	       (int)UPROBE_PATTERN == (int)SDTKIT_RECORD_TEXT &&
	       (int)UPROBE_LIKE == (int)SDTKIT_RECORD_LIKE &&
	       (int)UPROBE_UNLIKE == (int)SDTKIT_RECORD_UNLIKE, "as there");

static struct filter *filters;
static size_t num_filters;

/* What a program in the kernel does not do, or NULL. */
static const char *refused(const struct sdtkit_record_filter *filter)
{
	struct uprobe_pattern pattern;
	size_t i;

	for (i = 0; i < filter->count; i++) {
		if (filter->conditions[i].is_text &&
		    !pattern_set(&pattern, filter->conditions[i].text))
			return "a string with more than one * can only be "
			       "compared by 'sdtkit trace' and by a recorder";
	}
	return filter->every != 0 ?
	       "a sample can only be taken by a recorder" : NULL;
}

/* Reads the filter that begins behind the slash. */
static bool read_one(struct filter *filter, const char *at)
{
	const char *wrong;

	filter->is_one = true;
	if (sdtkit_record_read_filter(&at, &filter->is) < 0)
		wrong = sdtkit_record_error();
	else if (*at != '\0')
		wrong = "give each pattern as a word of its own";
	else
		wrong = refused(&filter->is);
	if (wrong != NULL)
		tool_complain("'%s': %s", filter->word, wrong);
	return wrong == NULL;
}

/* The filter of the last one would count, and the first one do nothing. */
static bool is_twice(const struct filter *filter)
{
	const struct filter *other;

	for (other = filters; filter->is_one && other < filter; other++) {
		if (!other->is_one || strcmp(other->name, filter->name) != 0)
			continue;
		tool_complain("'%s' and '%s': write one filter for both, and "
			      "join their conditions by &&", other->word,
			      filter->word);
		return true;
	}
	return false;
}

bool filter_take(char **words, size_t count)
{
	bool good = true;
	size_t i;

	filters = tool_zeros(count + 1, sizeof(*filters));
	num_filters = count;
	for (i = 0; i < count; i++) {
		const char *slash = strchr(words[i], '/');

		filters[i].word = words[i];
		if (slash != NULL && slash > words[i] &&
		    (patterns_has_filter(words[i]) ||
		     strpbrk(slash, "=<>%") != NULL)) {
			good = read_one(&filters[i], slash + 1) && good;
			words[i] = tool_format("%.*s", (int)(slash - words[i]),
					       words[i]);
		}
		filters[i].name = words[i];
		good = !is_twice(&filters[i]) && good;
	}
	return good;
}

static const struct filter *if_one(const struct filter *filter)
{
	return filter->is_one ? filter : NULL;
}

const struct filter *filter_of_span(const struct span *span)
{
	size_t i;

	for (i = num_filters; i-- > 0;) {
		if (spans_fits(span, filters[i].name))
			return if_one(&filters[i]);
	}
	return NULL;
}

const char *filter_text(const struct span *span)
{
	const struct filter *filter = filter_of_span(span);

	return filter != NULL ? strchr(filter->word, '/') : "";
}

const struct filter *filter_of_probe(size_t probe, const bool *used)
{
	size_t i;

	for (i = num_filters; i-- > 0;) {
		if (!used[i] && catalog_fits(probe, filters[i].name))
			return if_one(&filters[i]);
	}
	return NULL;
}

static void saw_arguments(struct sdtkit_meant *meant,
			  const struct span_probe *probe, const char *name)
{
	size_t i;

	for (i = 0; i < probe->num_arguments; i++)
		sdtkit_meant_saw(meant, probe->arguments[i].name, name);
}

/* "did you mean status?" */
static const char *hint_for_span(const struct span *span, const char *name)
{
	struct sdtkit_meant meant = { .percent = 0 };
	static char hint[SDTKIT_MEANT_SIZE];
	size_t i;

	for (i = 0; i < span->num_parts; i++) {
		if (span->part[i].role == SPAN_ENDS)
			saw_arguments(&meant,
				      &catalogue.probe[span->part[i].probe],
				      name);
	}
	return sdtkit_meant_text(&meant, hint);
}

static const char *hint_for_probe(const struct span_probe *probe,
				  const char *name)
{
	struct sdtkit_meant meant = { .percent = 0 };
	static char hint[SDTKIT_MEANT_SIZE];

	saw_arguments(&meant, probe, name);
	return sdtkit_meant_text(&meant, hint);
}

bool filter_fits(const struct filter *filter, const struct span *span)
{
	size_t i, j;

	for (i = 0; i < filter->is.count; i++) {
		const char *name = filter->is.conditions[i].name;

		for (j = 0; j < span->num_parts; j++) {
			const struct span_part *part = &span->part[j];

			if (part->role == SPAN_ENDS &&
			    spans_argument(&catalogue.probe[part->probe],
					   name) != SPAN_NO_ARGUMENT)
				break;
		}
		if (j < span->num_parts)
			continue;
		tool_complain("'%s': no end of the span %s:%s has an argument "
			      "'%s'; %s", filter->word, span->provider,
			      span->text->name, name,
			      hint_for_span(span, name));
		return false;
	}
	return true;
}

/* What is compared: an argument, or a member of its record. */
struct operand {
	const char *wire;
	const struct sdtkit_enum *names;
	size_t offset;
	bool is_member;
};

/* Goes to the member behind the dot, if there is one; false: it is not there. */
static bool set_operand(const struct sdtkit_argument *argument,
			const char *name, struct operand *to)
{
	const char *dot = strchr(name, '.');
	const struct sdtkit_layout *record = argument->record;
	size_t i;

	*to = (struct operand){ argument->wire, argument->names, 0,
		dot != NULL };
	for (i = 0; dot != NULL && record != NULL &&
	     i < record->member_count; i++) {
		const struct sdtkit_layout_member *m = &record->members[i];

		if (strcmp(m->name, dot + 1) != 0)
			continue;
		*to = (struct operand){ m->wire, m->names, m->offset, true };
		return true;
	}
	return dot == NULL;
}

/* Why it cannot be compared with a number, or with a text, or NULL. */
static const char *unfit(const struct file_site *from, int argument,
			 const struct operand *operand, bool is_text)
{
	const char *wire = operand->wire;
	bool is_string = wire[0] == 'z' || wire[0] == 'a';

	if (is_string && operand->is_member)
		return "is a string in a record, which cannot be compared";
	if (is_string != is_text)
		return is_text ? "is not a string: compare it with a number" :
		       "is a string: compare it with a text in quotes";
	if (strchr(wire, '*') != NULL)
		return "is an array";
	if (wire[0] == 'f')
		return "is a floating-point number";
	if ((unsigned int)argument >= from->count)
		return "is missing at one of its sites";
	return from->unreadable[argument];
}

/* Why there is no member of the name behind the dot. */
static const char *why_no_member(const struct sdtkit_layout *record,
				 const char *name)
{
	struct sdtkit_meant meant = { .percent = 0 };
	char hint[SDTKIT_MEANT_SIZE];
	size_t i;

	if (record == NULL)
		return "is not in a record that the description knows";
	for (i = 0; i < record->member_count; i++)
		sdtkit_meant_saw(&meant, record->members[i].name,
				 strchr(name, '.') + 1);
	return tool_format("is not in its record; %s",
			   sdtkit_meant_text(&meant, hint));
}

static const char *why_no_value(const struct sdtkit_enum *names,
				const char *name)
{
	struct sdtkit_meant meant = { .percent = 0 };
	char hint[SDTKIT_MEANT_SIZE];
	size_t i;

	if (names == NULL)
		return "has no names of values: compare it with a number";
	for (i = 0; i < names->enumerator_count; i++)
		sdtkit_meant_saw(&meant, names->enumerators[i].name, name);
	return tool_format("has no value '%s'; %s", name,
			   sdtkit_meant_text(&meant, hint));
}

static bool set_test(const struct filter *filter, size_t i,
		     const struct file_site *from, int argument,
		     struct uprobe_test *test, struct uprobe_pattern *pattern)
{
	const struct sdtkit_record_condition *condition =
		&filter->is.conditions[i];
	const struct span_probe *probe = &catalogue.probe[from->probe];
	int64_t value = (int64_t)condition->number;
	const char *wrong;
	struct operand o;

	wrong = set_operand(&probe->arguments[argument], condition->name, &o) ?
		unfit(from, argument, &o, condition->is_text) :
		why_no_member(probe->arguments[argument].record,
			      condition->name);
	if (wrong == NULL && condition->is_named &&
	    !spans_value(o.names, condition->text, strlen(condition->text),
			 &value))
		wrong = why_no_value(o.names, condition->text);
	if (wrong != NULL) {
		tool_complain("'%s': '%s' of %s:%s %s", filter->word,
			      condition->name, probe->provider, probe->name,
			      wrong);
		return false;
	}
	*test = (struct uprobe_test){
		.source = from->source[argument],
		.value = (unsigned long long)value,
		.compare = (unsigned char)condition->compare,
		.is_signed = o.wire[0] == 's',
		.offset = (unsigned short)o.offset,
	};
	/* "u4"; "uw" and "p" are of 8 bytes */
	if (o.wire[0] != '\0' && o.wire[1] >= '1' && o.wire[1] <= '8')
		test->unused = (unsigned char)(64 - 8 * (o.wire[1] - '0'));
	test->size = (unsigned char)(o.is_member ? 8 - test->unused / 8 : 0);
	if (condition->is_text)
		pattern_set(pattern, condition->text);
	return true;
}

bool filter_set(const struct filter *filter, const struct span *span,
		const struct file_site *from, struct top_filter *to)
{
	const struct span_probe *probe = &catalogue.probe[from->probe];
	size_t i;

	*to = (struct top_filter){ .count = (unsigned int)filter->is.count };
	for (i = 0; i < filter->is.count; i++) {
		const char *name = filter->is.conditions[i].name;
		int argument = spans_argument(probe, name);

		if (argument != SPAN_NO_ARGUMENT) {
			if (!set_test(filter, i, from, argument, &to->test[i],
				      &to->pattern[i]))
				return false;
			continue;
		}
		if (span == NULL) {
			tool_complain("'%s': %s:%s has no argument '%s'; %s",
				      filter->word, probe->provider,
				      probe->name, name,
				      hint_for_probe(probe, name));
			return false;
		}
		/* what is absent is 0 */
		to->test[i] = (struct uprobe_test){
			.compare = SDTKIT_RECORD_UNEQUAL };
	}
	return true;
}
