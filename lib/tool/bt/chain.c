/* SPDX-License-Identifier: BSD-2-Clause */
/* What a script names by args.NAME, see chain.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "bt/chain.h"
#include "bt/source.h"
#include "common/tool.h"
#include "lib/text/similar.h"
#include "probes/members.h"

enum {
	NAME_MAX_SIZE = 512,
	LIST_MAX = 400,
};

bool chain_is_link(const struct source *source, const struct clause *clause,
		   size_t i)
{
	return i < clause->token_count &&
	       (token_is(source, &clause->token[i], ".") ||
		token_is(source, &clause->token[i], "->"));
}

static bool is_word(const struct clause *clause, size_t i)
{
	return i < clause->token_count &&
	       clause->token[i].kind == TOKEN_WORD;
}

static bool find_argument(const struct source *source,
			  const struct clause *clause,
			  const struct sdtkit_description *description,
			  struct chain *chain)
{
	size_t i;

	for (i = 0; i < description->argument_count; i++) {
		const struct sdtkit_argument *argument =
			&description->arguments[i];

		if (!token_is(source, &clause->token[chain->word],
			      argument->name))
			continue;
		chain->index = i;
		chain->argument = argument;
		chain->names = argument->names;
		return true;
	}
	return false;
}

/* A member of an inner record has a dot in its name. */
static void walk_members(const struct source *source,
			 const struct clause *clause, struct chain *chain)
{
	const struct sdtkit_layout *record = chain->argument->record;
	char name[NAME_MAX_SIZE] = "";
	size_t length = 0;

	while (chain->member == NULL &&
	       chain_is_link(source, clause, chain->end) &&
	       is_word(clause, chain->end + 1)) {
		const struct token *token = &clause->token[chain->end + 1];

		chain->fault = CHAIN_NO_MEMBER;
		chain->word = chain->end + 1;
		chain->end += 2;
		if (length + token->length + 2 > sizeof(name))
			return;
		length += (size_t)snprintf(name + length,
					   sizeof(name) - length, "%s%.*s",
					   length > 0 ? "." : "",
					   (int)token->length,
					   source->text + token->start);
		chain->member = members_find(record, name);
	}
	if (chain->member == NULL)
		return;
	chain->fault = CHAIN_GOOD;
	chain->names = chain->member->names;
}

bool chain_find(const struct source *source, const struct clause *clause,
		const struct probe *probe, size_t i, struct chain *chain)
{
	const struct sdtkit_description *description =
		probe->site->note.description;
	bool more;

	if (!is_word(clause, i) ||
	    !token_is(source, &clause->token[i], "args") ||
	    (i > 0 && chain_is_link(source, clause, i - 1)) ||
	    !chain_is_link(source, clause, i + 1) || !is_word(clause, i + 2))
		return false;
	*chain = (struct chain) { .first = i, .end = i + 3, .word = i + 2 };
	if (description == NULL) {
		chain->fault = CHAIN_NOT_DESCRIBED;
		return true;
	}
	if (!find_argument(source, clause, description, chain)) {
		chain->fault = CHAIN_NO_ARGUMENT;
		return true;
	}
	more = chain_is_link(source, clause, i + 3) && is_word(clause, i + 4);
	if (more && chain->argument->record == NULL) {
		chain->fault = CHAIN_NO_RECORD;
		chain->word = i + 4;
	} else if (more) {
		chain->names = NULL;
		walk_members(source, clause, chain);
	}
	if (chain->fault == CHAIN_GOOD && chain->member != NULL &&
	    chain_is_link(source, clause, chain->end) &&
	    is_word(clause, chain->end + 1)) {
		chain->fault = CHAIN_NO_RECORD;
		chain->word = chain->end + 1;
	}
	return true;
}

/* Names that might be meant, or all of them. */
struct guess {
	char all[LIST_MAX];
	const char *best;
	unsigned int percent;
};

/* The user may have left out the inner record that a member is in. */
static unsigned int likeness(const char *name, const char *meant)
{
	const char *dot = strrchr(name, '.');
	unsigned int whole = sdtkit_similar_names(name, meant), last = 0;

	if (dot != NULL)
		last = sdtkit_similar_names(dot + 1, meant);
	return whole > last ? whole : last;
}

static void consider(struct guess *guess, const char *name, const char *meant)
{
	size_t length = strlen(guess->all);
	unsigned int percent = likeness(name, meant);

	if (length + strlen(name) + 8 < LIST_MAX)
		snprintf(guess->all + length, LIST_MAX - length, "%s%s",
			 length > 0 ? ", " : "", name);
	else if (length + 6 < LIST_MAX && guess->all[length - 1] != '.')
		strcat(guess->all, ", ...");
	if (percent >= SIMILAR_ENOUGH && percent > guess->percent) {
		guess->best = name;
		guess->percent = percent;
	}
}

static void complain_argument(struct source *source,
			      const struct token *token,
			      const struct probe *probe, const char *word)
{
	const struct sdtkit_description *description =
		probe->site->note.description;
	struct guess guess = { .best = NULL };
	size_t i;

	for (i = 0; i < description->argument_count; i++)
		consider(&guess, description->arguments[i].name, word);
	if (guess.best != NULL)
		source_complain(source, token->start, token->length,
				"%s:%s has no argument '%s'; did you mean "
				"args.%s?", probe_provider(probe),
				probe_name(probe), word, guess.best);
	else if (guess.all[0] == '\0')
		source_complain(source, token->start, token->length,
				"%s:%s has no arguments",
				probe_provider(probe), probe_name(probe));
	else
		source_complain(source, token->start, token->length,
				"%s:%s has no argument '%s'; it has: %s",
				probe_provider(probe), probe_name(probe),
				word, guess.all);
}

/* What is written from the member on, "peer.port". */
static void join(const struct source *source, const struct clause *clause,
		 size_t from, size_t end, char *name)
{
	size_t length = 0, i;

	name[0] = '\0';
	for (i = from; i < end && length < NAME_MAX_SIZE; i += 2)
		length += (size_t)snprintf(name + length,
					   NAME_MAX_SIZE - length, "%s%.*s",
					   length > 0 ? "." : "",
					   (int)clause->token[i].length,
					   source->text +
					   clause->token[i].start);
}

static void complain_member(struct source *source, const struct clause *clause,
			    const struct chain *chain)
{
	const struct sdtkit_layout *record = chain->argument->record;
	const struct token *token = &clause->token[chain->first + 4];
	const struct token *last = &clause->token[chain->end - 1];
	size_t length = last->start + last->length - token->start, i;
	struct guess guess = { .best = NULL };
	char name[NAME_MAX_SIZE];

	join(source, clause, chain->first + 4, chain->end, name);
	for (i = 0; i < record->member_count; i++)
		consider(&guess, record->members[i].name, name);
	if (guess.best != NULL)
		source_complain(source, token->start, length,
				"args.%s has no member '%s'; did you mean "
				"args.%s.%s?", chain->argument->name, name,
				chain->argument->name, guess.best);
	else
		source_complain(source, token->start, length,
				"args.%s has no member '%s'; it has: %s",
				chain->argument->name, name, guess.all);
}

static void complain_no_record(struct source *source,
			       const struct token *token,
			       const struct chain *chain)
{
	const char *type = chain->argument->type;
	bool is_address = chain->argument->wire[0] == 'p';

	if (chain->member != NULL)
		source_complain(source, token->start, token->length,
				"args.%s.%s has the type '%s' and no members",
				chain->argument->name, chain->member->name,
				chain->member->type);
	else if (is_address)
		source_complain(source, token->start, token->length,
				"args.%s is a '%s', and the file does not "
				"describe what it points to",
				chain->argument->name, type);
	else
		source_complain(source, token->start, token->length,
				"args.%s has the type '%s' and no members",
				chain->argument->name, type);
}

void chain_complain(struct source *source, const struct clause *clause,
		    const struct probe *probe, const struct chain *chain)
{
	const struct token *token = &clause->token[chain->word];
	char word[NAME_MAX_SIZE];

	switch (chain->fault) {
	case CHAIN_GOOD:
		break;
	case CHAIN_NOT_DESCRIBED:
		token = &clause->token[chain->first];
		source_complain(source, token->start, token->length,
				"%s does not say what the arguments of %s:%s "
				"are called: use arg0, arg1 and so on",
				probe->object->path, probe_provider(probe),
				probe_name(probe));
		break;
	case CHAIN_NO_ARGUMENT:
		snprintf(word, sizeof(word), "%.*s", (int)token->length,
			 source->text + token->start);
		complain_argument(source, token, probe, word);
		break;
	case CHAIN_NO_MEMBER:
		complain_member(source, clause, chain);
		break;
	case CHAIN_NO_RECORD:
		complain_no_record(source, token, chain);
		break;
	}
}
