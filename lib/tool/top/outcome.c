/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outcome.c - spans that no table shows.
 *
 *	sdtkit top: smb2:request: 3 are under way; 2 ends without a start
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "top/outcome.h"

#define MEMBER(name) offsetof(struct top_stats, name)

static const struct {
	size_t member;
	const char *text;
} sentences[] = {
	{ MEMBER(unmatched), "%llu ended whose start was not seen" },
	{ MEMBER(restarted), "%llu never ended: another one began with the "
		"same key" },
	{ MEMBER(left), "%llu never ended: their process or thread has ended" },
	{ MEMBER(lost), "%llu were not counted, as too many were under way" },
	{ MEMBER(deep), "%llu were not counted, as they were nested too "
		"deeply" },
	{ MEMBER(unread), "%llu strings could not be read: their memory is "
		"not there, or not touched yet: declare them as sdtkit_str_t" },
};

bool outcome_text(const struct span *span, const struct top_stats *stats,
		  unsigned long long under_way, char *text, size_t size)
{
	unsigned long long number;
	const char *between = ":";
	size_t used, i;

	used = (size_t)snprintf(text, size, "%s:%s", span->provider,
				span->text->name);
	if (under_way > 0 && used < size) {
		used += (size_t)snprintf(text + used, size - used,
					 ": %llu under way", under_way);
		between = ";";
	}
	for (i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		memcpy(&number, (const char *)stats + sentences[i].member,
		       sizeof(number));
		if (number == 0 || used >= size)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s ",
					 between);
		between = ";";
		if (used < size)
			used += (size_t)snprintf(text + used, size - used,
						 sentences[i].text, number);
	}
	return between[0] == ';';
}

void outcome_tell(const struct plan *plan, const struct sample *sample)
{
	char text[1024];
	size_t i;

	for (i = 0; i < plan->spans.count; i++) {
		if (outcome_text(&plan->spans.span[i], &sample->stats[i],
				 sample->under_way[i], text, sizeof(text)))
			tool_complain("%s", text);
	}
	if (sample->lost_lines > 0)
		tool_complain("%llu line%s of --slow were lost, as too many "
			      "came at a time", sample->lost_lines,
			      tool_plural(sample->lost_lines));
}

void outcome_tell_samples(unsigned long long lost)
{
	if (lost > 0)
		tool_complain("%llu sample%s of --flame were lost, as too many "
			      "came at a time", lost, tool_plural(lost));
}

bool outcome_any(const struct plan *plan, const struct sample *sample)
{
	size_t i;

	for (i = 0; i < plan->spans.count; i++) {
		if (sample->stats[i].ended > 0)
			return true;
	}
	for (i = 0; i < sample->num_rates; i++) {
		if (sample->rate[i].count > 0)
			return true;
	}
	return false;
}
