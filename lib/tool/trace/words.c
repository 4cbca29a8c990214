/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of a command line without COMMAND:
 *
 *	sdtkit trace -p 4711 'smb2:*' 'vfs:*'	patterns, for the process
 *	sdtkit trace --snapshot FILE 'smb2:*'	a file, and patterns for us
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
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

bool tracing_is_number(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* "sdtkit trace -p $(pidof smbd)" gives several. */
static bool complain_of_pids(const struct tracing *tracing, char **words,
			     size_t count)
{
	size_t i;

	for (i = 0; i < count && tracing->pid != 0; i++) {
		if (!tracing_is_number(words[i]))
			continue;
		tool_complain("only one process can be followed: %d or %s",
			      (int)tracing->pid, words[i]);
		return true;
	}
	return false;
}

/* The first line of /proc/PID/comm is the name, cut to 15 characters. */
static bool has_name(const char *pid, const char *name)
{
	char path[PATH_MAX], line[64] = "";
	FILE *comm;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	comm = fopen(path, "re");
	if (comm == NULL)
		return false;
	if (fgets(line, sizeof(line), comm) != NULL)
		line[strcspn(line, "\n")] = '\0';
	fclose(comm);
	return strlen(line) > 0 && strncmp(line, name, 15) == 0;
}

void tracing_complain_of_name(const char *name)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;

	while (processes != NULL && (entry = readdir(processes)) != NULL) {
		if (!tracing_is_number(entry->d_name) ||
		    !has_name(entry->d_name, name))
			continue;
		tool_complain("'%s' is the name of process %s: to follow it, "
			      "use -p %s", name, entry->d_name, entry->d_name);
		break;
	}
	if (processes != NULL)
		closedir(processes);
}

bool tracing_take_words(struct tracing *tracing, char **words, size_t count)
{
	if (complain_of_pids(tracing, words, count))
		return false;
	return tracing->is_snapshot ? take_snapshot(tracing, words, count) :
				      take_patterns(tracing, words, count);
}
