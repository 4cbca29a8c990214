/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of a command line without COMMAND:
 *
 *	sdtkit trace -p 4711 'smb2:*' 'vfs:*'	patterns, for the process
 *	sdtkit trace --snapshot FILE 'smb2:*'	a file, and patterns for us
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "trace/tracing.h"
#include "trace/words.h"

/* 'smb2:read/size>1/', but not /run/a:b */
static bool has_filter(const char *word)
{
	const char *colon = strchr(word, ':');

	return colon != NULL && strchr(word, '/') > colon;
}

static bool take_pattern(struct tracing *tracing, const char *word)
{
	if (has_filter(word))
		return true;
	if (strchr(word, '/') == NULL)
		return patterns_add(&tracing->patterns, word);
	tool_complain("'%s' is not a pattern; no COMMAND is run with -p PID",
		      word);
	return false;
}

/*
 * Takes the patterns of a process that is followed. Those with filters are for
 * the process only, and a comma may be part of a filter.
 */
static bool take_patterns(struct tracing *tracing, char **words, size_t count)
{
	char *list = NULL, *longer;
	size_t i;

	if (count == 0 || tracing->patterns.count > 0)
		list = strdup(tracing_patterns(tracing));
	for (i = 0; i < count; i++) {
		if (!take_pattern(tracing, words[i])) {
			free(list);
			return false;
		}
		if (asprintf(&longer, "%s%s%s", list != NULL ? list : "",
			     list != NULL ? "," : "", words[i]) < 0)
			tool_no_memory();
		free(list);
		list = longer;
	}
	if (list == NULL)
		tool_no_memory();
	tracing->asked = list;
	return true;
}

/* The functions that complain return false. */
static bool complain_of_filter(const char *pattern)
{
	tool_complain("'%s': filters cannot be used with --snapshot", pattern);
	return false;
}

static bool complain_of_words(struct tracing *tracing, char **words,
			      size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (has_filter(words[i]))
			return complain_of_filter(words[i]);
	}
	if (tracing->pid != 0 && strchr(words[0], '/') == NULL)
		return patterns_add(&tracing->patterns, words[0]);
	tool_complain("--snapshot takes one FILE, or -p PID; try 'sdtkit "
		      "trace --help'");
	return false;
}

/* Takes the patterns and the file of a snapshot. */
static bool take_snapshot(struct tracing *tracing, char **words, size_t count)
{
	size_t wanted = tracing->pid != 0 ? 0 : 1;

	if (!patterns_take(&tracing->patterns, words, &count))
		return false;
	if (tracing->patterns.count > 0 &&
	    strchr(tracing->patterns.list, '/') != NULL)
		return complain_of_filter(tracing->patterns.list);
	tracing->file = words[0];
	return count == wanted ||
	       complain_of_words(tracing, words, count);
}

bool tracing_take_words(struct tracing *tracing, char **words, size_t count)
{
	return tracing->is_snapshot ? take_snapshot(tracing, words, count) :
				      take_patterns(tracing, words, count);
}
