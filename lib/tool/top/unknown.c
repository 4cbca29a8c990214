/* SPDX-License-Identifier: BSD-2-Clause */
/* unknown.c - words of the command line that nothing fits: what there is. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "lib/spans/spans.h"
#include "lib/text/similar.h"
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

/* "smb2:reqest" is compared with whole names, "reqest" without providers. */
static void saw(struct sdtkit_similar *similar, const char *word,
		const char *provider, const char *name)
{
	char pattern[256];

	if (strchr(word, ':') == NULL) {
		if (sdtkit_similar_names(word, name) < SIMILAR_ENOUGH)
			return;
		snprintf(pattern, sizeof(pattern), "%s:%s", provider, word);
		word = pattern;
	}
	sdtkit_similar_saw(similar, word, provider, name);
}

/* "smb2:request, smb2:request_start" */
static const char *similar_ones(const char *word, char *buffer)
{
	struct sdtkit_similar similar = { .near = { { .percent = 0 } } };
	const struct span_text *text;
	size_t i;

	for (i = 0; i < catalogue.texts.count; i++) {
		text = &catalogue.texts.text[i];
		if (text->provider != NULL)
			saw(&similar, word, text->provider, text->name);
	}
	for (i = 0; i < catalogue.count; i++)
		saw(&similar, word, catalogue.probe[i].provider,
		    catalogue.probe[i].name);
	return sdtkit_similar_text(&similar, buffer);
}

static void complain_of_sites(const char *word, const struct span_text *text)
{
	const char *start = text->value[SPAN_START];
	const char *end = text->value[SPAN_END];

	tool_complain("span '%s' is declared, but cannot be traced: this needs "
		      "sites of its start (%s) and its end (%s)", word,
		      start != NULL ? start : "none",
		      end != NULL ? end : "none");
}

void unknown_word(const char *word)
{
	const struct span_text *declared = catalog_declared(word);
	struct list list = { .count = 0 };
	char similar[SIMILAR_TEXT];
	size_t i;

	for (i = 0; i < catalogue.texts.count; i++)
		add(&list, catalogue.texts.text[i].name);
	if (strchr(word, '/') != NULL)
		tool_complain("'%s' is not a span: beside -p, -n or another "
			      "FILE, give spans and patterns only", word);
	else if (declared != NULL)
		complain_of_sites(word, declared);
	else if ((list.count > 0 || strchr(word, ':') != NULL) &&
		 similar_ones(word, similar)[0] != '\0')
		tool_complain("there is no span '%s'%s; similar ones: %s", word,
			      strchr(word, ':') != NULL ? ", and no probe" : "",
			      similar);
	else if (list.count == 0)
		tool_complain("there is no span '%s', as none is declared: use "
			      "--description or --span, or write PROVIDER:PROBE "
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

/* Also whether any span has the argument. */
static bool has_argument(const struct spans *spans, const char *name,
			 struct list *list, struct sdtkit_meant *meant,
			 bool *is_float)
{
	const struct span_probe *probe;
	const struct span_part *part;
	bool found = false;
	size_t i, j, k;

	for (i = 0; i < spans->count; i++) {
		for (j = 0; j < spans->span[i].num_parts; j++) {
			part = &spans->span[i].part[j];
			if (part->role != SPAN_STARTS &&
			    part->role != SPAN_ENDS)
				continue;
			probe = &catalogue.probe[part->probe];
			*is_float |= add_arguments(list, probe, name);
			for (k = 0; k < probe->num_arguments; k++)
				sdtkit_meant_saw(meant,
						 probe->arguments[k].name,
						 name);
			found |= spans_argument(probe, name) !=
				 SPAN_NO_ARGUMENT;
		}
	}
	return found;
}

/* "host(client)" is one of the argument client. */
static void set_argument_name(const char *item, size_t length, char *name,
			      size_t size)
{
	const char *bracket = memchr(item, '(', length);

	if (bracket != NULL && item[length - 1] == ')') {
		length -= (size_t)(bracket + 1 - item) + 1;
		item = bracket + 1;
	}
	snprintf(name, size, "%.*s", (int)length, item);
}

void unknown_argument(const char *by, const struct spans *spans)
{
	const char *rest = by, *item;
	char name[128], hint[SDTKIT_MEANT_SIZE];
	bool is_float = false;
	size_t length;

	while ((length = spans_item(&rest, &item)) > 0) {
		struct list list = { .count = 0 };
		struct sdtkit_meant meant = { .percent = 0 };

		set_argument_name(item, length, name, sizeof(name));
		if (has_argument(spans, name, &list, &meant, &is_float) &&
		    !is_float)
			continue;
		if (is_float)
			tool_complain("--by: '%s' is a floating-point number: "
				      "use an integer, an address or a string",
				      name);
		else
			tool_complain("--by: no span that is counted has an "
				      "argument '%s'%s%s", name,
				      meant.percent > 0 ? "; " :
				      list.count == 0 ? "" : "; there are: ",
				      meant.percent > 0 ?
				      sdtkit_meant_text(&meant, hint) :
				      text_of(&list));
		return;
	}
	tool_complain("--by: no span that is counted can be grouped by '%s'; a "
		      "span is grouped by at most %d arguments, all of which "
		      "its start or its end has", by, SPAN_NAMES);
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
