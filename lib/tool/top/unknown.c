/* SPDX-License-Identifier: BSD-2-Clause */
/* unknown.c - words of the command line that nothing fits: what there is. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "lib/spans/spans.h"
#include "probes/no_probes.h"
#include "sdtkit/notes.h"
#include "top/catalogue.h"
#include "top/unknown.h"

enum { MAX_LISTED = 16 };

struct list {
	const char *name[MAX_LISTED];
	size_t count;
	bool more;
	char text[1024];
};

static void add(struct list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (strcmp(list->name[i], name) == 0)
			return;
	}
	if (name[0] == '\0')
		return;
	if (list->count < MAX_LISTED)
		list->name[list->count++] = name;
	else
		list->more = true;
}

/* "request, part, call" */
static const char *text_of(struct list *list)
{
	size_t used = 0;
	size_t i;

	for (i = 0; i < list->count; i++) {
		used += (size_t)snprintf(list->text + used,
					 sizeof(list->text) - used, "%s%s",
					 i == 0 ? "" : ", ", list->name[i]);
		if (used >= sizeof(list->text))
			return list->text;
	}
	if (list->more)
		snprintf(list->text + used, sizeof(list->text) - used,
			 ", ...");
	return list->text;
}

void unknown_word(const char *word)
{
	struct list list = { .count = 0 };
	size_t i;

	for (i = 0; i < catalogue.texts.count; i++)
		add(&list, catalogue.texts.text[i].name);
	if (strchr(word, '/') != NULL)
		tool_complain("'%s' is not a span: beside -p, -n or another "
			      "FILE, give spans and patterns only", word);
	else if (list.count == 0)
		tool_complain("there is no span '%s', as none is declared: use "
			      "--describe or --span, or write PROVIDER:PROBE "
			      "to count a probe", word);
	else if (strchr(word, ':') != NULL)
		tool_complain("there is no span '%s', and no probe; the spans "
			      "are: %s", word, text_of(&list));
	else
		tool_complain("there is no span '%s': to count a probe, write "
			      "PROVIDER:PROBE; the spans are: %s", word,
			      text_of(&list));
}

/* Returns whether the one with this name is a floating-point number. */
static bool add_arguments(struct list *list, const struct span_probe *probe,
			  const char *name)
{
	const struct sdtkit_argument *argument;
	bool is_float = false;
	char number[32];
	size_t i;

	for (i = 0; i < probe->num_arguments; i++) {
		argument = &probe->arguments[i];
		add(list, argument->name);
		snprintf(number, sizeof(number), "arg%zu", i);
		is_float |= argument->wire[0] == 'f' &&
			    (strcmp(argument->name, name) == 0 ||
			     strcmp(number, name) == 0);
	}
	return is_float;
}

void unknown_argument(const char *name, const struct spans *spans)
{
	struct list list = { .count = 0 };
	const struct span_part *part;
	bool is_float = false;
	size_t i, j;

	for (i = 0; i < spans->count; i++) {
		for (j = 0; j < spans->span[i].num_parts; j++) {
			part = &spans->span[i].part[j];
			if (part->role == SPAN_STARTS ||
			    part->role == SPAN_ENDS)
				is_float |= add_arguments(
					&list, &catalogue.probe[part->probe],
					name);
		}
	}
	if (is_float)
		tool_complain("--by: '%s' is a floating-point number: use an "
			      "integer, an address or a string", name);
	else
		tool_complain("--by: no span has an argument '%s'%s%s", name,
			      list.count == 0 ? "" : "; there are: ",
			      text_of(&list));
}

void unknown_in_file(const char *file, char **words, size_t count)
{
	struct sdtkit_notes *notes;
	size_t i, j;

	if (sdtkit_notes_open(file, &notes) < 0)
		return;
	for (i = 0; i < count; i++) {
		for (j = 0; j < catalogue.count; j++) {
			if (catalog_fits(j, words[i]))
				break;
		}
		if (j == catalogue.count && strchr(words[i], ':') != NULL)
			no_probes_complain(notes, file, "sdtkit top",
					   words[i]);
	}
	sdtkit_notes_close(notes);
}
