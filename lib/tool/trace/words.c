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

#include "common/command_path.h"
#include "common/options.h"
#include "common/tool.h"
#include "lib/record/filter.h"
#include "lib/record/read.h"
#include "probes/interface.h"
#include "probes/probegen.h"
#include "probes/read.h"
#include "trace/tracing.h"
#include "trace/words.h"

/* Reads a list, and adds its patterns without their filters, if that is so. */
static bool read_filters(struct tracing *tracing, const char *list, bool adds)
{
	struct sdtkit_record_filters filters;
	bool good;

	if (sdtkit_record_read_filters(list, "probe", &filters) < 0) {
		tool_complain("'%s': %s", list, sdtkit_record_error());
		return false;
	}
	good = !adds || patterns_add(&tracing->patterns, filters.patterns);
	sdtkit_record_free_filters(&filters);
	return good;
}

static bool take_pattern(struct tracing *tracing, const char *word)
{
	if (patterns_has_filter(word))
		return read_filters(tracing, word, true);
	if (strchr(word, '/') == NULL)
		return patterns_add(&tracing->patterns, word);
	tool_complain("'%s' is not a pattern; no COMMAND is run with -p PID",
		      word);
	return false;
}

bool tracing_take_patterns(struct tracing *tracing, char **words, size_t count)
{
	/* Those of the C library and the loader fire often, at bad moments. */
	static const char others[] = "*:*,!libc:*,!libm:*,!libpthread:*,"
				     "!rtld:*";
	char *list = count == 0 ? strdup(others) : NULL, *longer;
	size_t i;

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
	/* Each word is good; together they may be too many. */
	return read_filters(tracing, list, false);
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
		if (patterns_has_filter(words[i]))
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

/* Takes the file that --via=kernel is for out of the words. */
static bool take_file(struct tracing *tracing, char **words, size_t *count)
{
	size_t i = 0;

	while (i < *count && tracing_is_pattern(words[i]))
		i++;
	if (i == *count) {
		tool_complain("--via needs -p PID, -n NAME or FILE");
		return false;
	}
	tracing->file = words[i];
	memmove(&words[i], &words[i + 1], (--*count - i) * sizeof(words[0]));
	return true;
}

bool tracing_is_pattern(const char *word)
{
	return patterns_is_one(word) || patterns_has_filter(word);
}

static bool is_number(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* "sdtkit trace -p $(pidof smbd)" gives several. */
static bool complain_of_pids(const struct tracing *tracing, char **words,
			     size_t count)
{
	size_t i;

	for (i = 0; i < count && tracing->pid != 0; i++) {
		if (!is_number(words[i]))
			continue;
		tool_complain("only one process can be followed: %d or %s",
			      (int)tracing->pid, words[i]);
		return true;
	}
	return false;
}

bool tracing_add_description(struct tracing *tracing, const char *path)
{
	static const struct probegen_flags no_flags;
	size_t count = tracing->description_count;

	TOOL_GROW(tracing->description, count, tracing->description_capacity);
	if (tracing->via == TOOL_VIA_ANY)
		tracing->via = TOOL_VIA_KERNEL;
	tracing->description_count++;
	return interface_open_description(&tracing->description[count], path,
					  "description", &no_flags);
}

bool tracing_take_words(struct tracing *tracing, char **words, size_t count)
{
	if (complain_of_pids(tracing, words, count))
		return false;
	if (tracing->description_count > 0 &&
	    (tracing->is_snapshot || tracing->via != TOOL_VIA_KERNEL)) {
		tool_complain("--description is for --via=kernel: a recorder "
			      "knows what the program describes");
		return false;
	}
	if (tracing->pid == 0 && tracing->name != NULL &&
	    (tracing->is_snapshot || tracing->via == TOOL_VIA_RECORDER))
		return tool_read_only_name(tracing->name, &tracing->pid);
	if (tracing->pid == 0 && tracing->name == NULL &&
	    !tracing->is_snapshot && !take_file(tracing, words, &count))
		return false;
	return tracing->is_snapshot ?
	       take_snapshot(tracing, words, count) :
	       tracing_take_patterns(tracing, words, count);
}

/* "'smb2:*' -- demo-server /srv", or "-p 4711 'smb2:*'" */
static void print_meant(FILE *to, char **patterns, size_t count, char **command)
{
	bool is_pid = is_number(*command);
	size_t i;

	if (is_pid)
		fprintf(to, " -p %s", *command++);
	for (i = 0; i < count; i++)
		fprintf(to, " '%s'", patterns[i]);
	while (*command != NULL && tracing_is_pattern(*command))
		fprintf(to, " '%s'", *command++);
	if (is_pid)
		return;
	fputs(*command != NULL ? " --" : " -- COMMAND", to);
	while (*command != NULL)
		fprintf(to, " %s", *command++);
}

bool tracing_is_command(char **patterns, size_t count, char **command)
{
	char path[PATH_MAX], *line;
	FILE *file;

	if ((!is_number(*command) && !tracing_is_pattern(*command)) ||
	    command_path(*command, path))
		return true;
	file = tool_open_text(&line);
	print_meant(file, patterns, count, command);
	tool_close_text(file);
	tool_complain("there is no command '%s'; with your options, write: "
		      "sdtkit trace%s", *command, line);
	free(line);
	return false;
}

static int points(const char *message)
{
	return message[0] == '\0' ? 0 :
	       strstr(message, "did you mean") != NULL ? 3 :
	       strstr(message, "it has no argument") != NULL ? 1 : 2;
}

bool tracing_tells_more(const char *message, const char *than)
{
	return points(message) > points(than);
}
